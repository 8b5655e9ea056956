"""What every test may use."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The service is asyncio only, and so are its tests."""
    return "asyncio"
