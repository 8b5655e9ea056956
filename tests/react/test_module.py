import subprocess
from pathlib import Path

import pytest

from loader.errors import UsageError
from loader.react import module
from loader.react.module import react_module
from tests.requirements import node, peers

CHECK = """
import { React, jsxRuntime, ReactDOM, client } from './react.mjs'
console.log(typeof React.useState, typeof jsxRuntime.jsx, typeof ReactDOM.createPortal, typeof client.createRoot)
"""


@pytest.mark.real
def test_what_npm_installs_becomes_one_module(tmp_path: Path) -> None:
    for folder in (peers(), peers() / "node_modules"):
        (tmp_path / "react.mjs").write_text(react_module(folder), "utf-8")
        (tmp_path / "check.mjs").write_text(CHECK, "utf-8")
        done = subprocess.run([node(), "check.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.stdout.split(), done.stderr) == (["function"] * 4, "")


def fill(base: Path) -> None:
    for places in module.FILES.values():
        file = base / places[-1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("exports.x = 1", "utf-8")


def test_the_layout_of_react_18_is_found_too(tmp_path: Path) -> None:
    fill(tmp_path)
    assert react_module(tmp_path).count("exports.x = 1") == len(module.FILES)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / module.FILES["scheduler"][-1]).unlink()
    with pytest.raises(UsageError, match="scheduler"):
        react_module(tmp_path)


def test_what_is_too_large_or_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    (tmp_path / module.FILES["react"][-1]).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read"):
        react_module(tmp_path)
    monkeypatch.setattr(module, "FILE_LIMIT_BYTES", 2)
    with pytest.raises(UsageError, match="larger"):
        react_module(tmp_path)
