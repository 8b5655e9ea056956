"""The stubs and the examples hold no dead or undeclared names, as ESLint sees it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.requirements import node, peers

ROOT = Path(__file__).parents[2]


@pytest.mark.real
def test_eslint_finds_nothing_in_stubs_and_examples() -> None:
    files = [
        *sorted((ROOT / "sdk_stubs").glob("*.js")),
        *sorted(ROOT.glob("example_plugins/*/plugin.js")),
        *sorted(ROOT.glob("example_plugins/*/desktop/plugin.js")),
        *sorted(ROOT.glob("example_plugins/*/app.js")),
    ]
    command = [
        node(),
        str(peers() / "node_modules" / "eslint" / "bin" / "eslint.js"),
        "--config",
        str(ROOT / "tests" / "sdk_stubs" / "eslint.config.mjs"),
        "--format",
        "json",
        *(str(path) for path in files),
    ]
    # ESLint takes files below the working directory only.
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=ROOT)
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert len(report) == len(files)
    assert [
        f"{Path(file['filePath']).name}:{entry['line']} {entry['message']}"
        for file in report
        for entry in file["messages"]
    ] == []
