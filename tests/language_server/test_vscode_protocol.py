"""The server at the other end of VS Code's own protocol library: an implementation that shares no code with ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loader.authoring.creating import plan_new, write_new
from tests.requirements import node, peers

SESSION = Path(__file__).parent / "editor_session.mjs"


@pytest.mark.real
@pytest.mark.timeout(120)
def test_a_session_of_vs_codes_own_library(tmp_path: Path) -> None:
    new = plan_new("my-plugin", "status", tmp_path)
    write_new(new)
    good = new.entry.read_text(encoding="utf-8")
    new.entry.write_text(good.replace("StatusDot, Tip", "StatusDot, Button, Tip", 1), encoding="utf-8")
    command = json.dumps([sys.executable, "-m", "loader", "lsp"])
    done = subprocess.run(
        [node(), str(SESSION), str(peers()), command, str(new.entry)],
        env={**os.environ, "HERMES_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["capabilities"]["positionEncoding"] == "utf-16"
    assert told["capabilities"]["hoverProvider"]
    assert told["capabilities"]["completionProvider"]["triggerCharacters"]
    assert "source.fixAll.hermes-desktop" in told["capabilities"]["codeActionProvider"]["codeActionKinds"]
    assert [found["code"] for found in told["found"]] == ["HP509"]
    (action,) = told["actions"]
    assert action["kind"] == "quickfix"
    assert action["isPreferred"] is True
    assert action["edit"]["changes"]
    assert told["hover"]["contents"]["kind"] == "markdown"
    assert "HP509" in told["hover"]["contents"]["value"]
    assert "Badge" in told["offered"]
    # Twelve slashes at the end are a comment: the last text is as good as the first.
    assert [found["code"] for found in told["typed"]] == ["HP509"]
    # A slow rehearsal lets the text's own findings show first, so one text may be told of twice.
    assert told["versions"] == sorted(told["versions"]), "never an older one behind a newer"
    assert (told["versions"][0], told["versions"][-1]) == (1, 12)
