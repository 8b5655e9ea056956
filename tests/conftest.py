"""What every test may use."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# On a busy machine an example may take any time: that is no fault of what is tested.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# What is started in the background of a script ignores Ctrl-C, and so would every process that a test sends one to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    """The service is asyncio only, and so are its tests."""
    return "asyncio"
