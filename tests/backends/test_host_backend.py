"""sdk_stubs/host-backend.js under Node: its own tests, and the example package's board through the real service."""

import asyncio
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.backends.conftest import BackendHome, serving
from tests.requirements import node

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.mark.real
def test_the_face_keeps_its_promises_under_node() -> None:
    done = subprocess.run(
        [node(), "--test", "--test-reporter=tap", str(HERE / "host_backend.test.mjs")],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.real
@pytest.mark.anyio
async def test_the_examples_board_works_from_rest_and_socket(at: BackendHome) -> None:
    shutil.copytree(ROOT / "example_plugins" / "team-board", at.root / "plugins" / "team-board")
    at.enable("team-board")
    async with serving(at.home) as served:
        token = served.parts.credentials.mint("team-board", "r1")
        process = await asyncio.create_subprocess_exec(
            node(),
            str(HERE / "board.mjs"),
            f"http://127.0.0.1:{served.port}",
            token,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 0, output.decode()
        found = json.loads(output)
    assert found["empty"] == {"cards": []}
    assert found["added"] == {"id": 1, "title": "one", "done": False}
    assert [card["title"] for card in found["imported"]["cards"]] == ["one", "two", "three"]
    assert found["missing"] == [404, "404: no such card", None]
    assert found["foreign"] == [403, "urn:hermes-desktop:problem:not-yours"]
    assert found["heard"]["event"] == "changed"
