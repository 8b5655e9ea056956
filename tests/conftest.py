"""What every test may use."""

import signal

import pytest

# What is started in the background of a script ignores Ctrl-C, and so would every process that a test sends one to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    """The service is asyncio only, and so are its tests."""
    return "asyncio"
