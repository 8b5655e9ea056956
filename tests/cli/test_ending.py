"""`serve` promises exit 0 for SIGTERM and SIGINT, also while it is still importing itself."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loader.cli.ending import ends_well_from_the_start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")

# Typer and the commands are imported before that one is known to the parser of command lines.
ENTERING = """
import os, signal, sys
from loader.cli import start

number, sys.argv = int(sys.argv[1]), ["hermes-desktop", "serve"]
start.tolerate_every_letter = lambda: os.kill(os.getpid(), number)
start.main()
"""
# Its own way to the home stands for whatever takes time before the service has handlers of its own.
STARTING = """
import os, signal, sys, time
from loader.cli import serve

def slow(*_):
    print("starting", end="")
    os.kill(os.getpid(), int(sys.argv[1]))
    time.sleep(60)

serve.home_of = slow
serve.command()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(("script", "printed"), [(ENTERING, ""), (STARTING, "starting")], ids=["entering", "starting"])
def test_a_service_that_is_ended_while_it_starts_ends_well(
    script: str, printed: str, number: signal.Signals, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", script, str(int(number))],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


def test_afterwards_signals_do_what_they_did() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with ends_well_from_the_start():
        assert signal.getsignal(signal.SIGTERM) not in before
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before
