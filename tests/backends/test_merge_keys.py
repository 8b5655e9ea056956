"""A package's manifest is read in time that its size bounds."""

import json
import subprocess
import sys
from pathlib import Path

from loader.backends.catalog import manifest_of

_READ = """
import sys
from pathlib import Path
from loader.backends.catalog import manifest_of
print(manifest_of(Path(sys.argv[1])).plugin_name)
"""


def package(folder: Path, manifest: str) -> Path:
    (folder / "dashboard").mkdir(parents=True)
    (folder / "dashboard" / "manifest.json").write_text(json.dumps({"name": "board", "api": "plugin_api.py"}))
    (folder / "plugin.yaml").write_text(manifest)
    return folder


def test_references_that_double_at_each_line_are_not_unfolded(tmp_path: Path) -> None:
    lines = ["x0: &x0 {a: 1}", *(f"x{n}: &x{n}\n  <<: [*x{n - 1}, *x{n - 1}]" for n in range(1, 60)), "name: board"]
    folder = package(tmp_path / "board", "\n".join(lines))
    # In a process of its own: unfolded, it would never end.
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(folder)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "board\n"


def test_a_manifest_that_merges_still_says_what_it_says_itself(tmp_path: Path) -> None:
    text = "base: &base {a: 1}\nmore:\n  <<: *base\nname: board\nrequires_env: [TOKEN]\n"
    found = manifest_of(package(tmp_path / "board", text))
    assert found.plugin_name == "board"
    assert "TOKEN" in str(found)
