"""The rim of every command: whatever goes wrong becomes one line and an exit code (protocol.md)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from loader.cli import exits
from loader.cli.console import FACE, Face, remark
from loader.errors import LoaderError

PROGRAM = "hermes-desktop"


def guarded(command: Callable[[], int]) -> int:
    """The command's exit code, or that of its failure. Never raises; prints at most one line of failure."""
    token = FACE.set(Face(debug=bool(os.environ.get("HERMES_DESKTOP_DEBUG"))))
    try:
        code = command()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return reader_left()
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except LoaderError as failure:
        return _failed(str(failure), failure.exit_code, failure)
    except Exception as failure:  # the rim: whatever it is, a person gets one line and a script its exit code
        return _failed(f"internal failure: {type(failure).__name__}: {failure}", exits.INTERNAL_FAILURE, failure)
    finally:
        FACE.reset(token)


def reader_left() -> int:
    """The reader has seen enough (`| head`): no failure, and nothing is written at the interpreter's exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return exits.FINE


def _failed(message: str, code: int, failure: BaseException) -> int:
    from loader.reports.safe import visible

    if FACE.get().debug:
        import traceback

        traceback.print_exception(failure, file=sys.stderr)
    elif code == exits.INTERNAL_FAILURE and not isinstance(failure, LoaderError):
        message += " (run it again with --debug for the trace)"
    remark(f"{PROGRAM}: {visible(message)}")
    return code
