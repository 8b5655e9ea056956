"""The declarations cover the whole surface, accept the example plugins and show an author's mistakes."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from loader.packages.grants import APIS, CAPABILITIES
from loader.wall.results import CODES
from tests.requirements import node, peers

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "sdk_stubs" / "types"
SDK_FILES = sorted(TYPES.glob("sdk-*.d.ts"))
EXAMPLES = [
    *sorted(ROOT.glob("example_plugins/*/plugin.js")),
    *sorted(ROOT.glob("example_plugins/*/desktop/plugin.js")),
    *sorted(ROOT.glob("example_plugins/*/app.js")),
]
MISTAKES = Path(__file__).parent / "mistakes.js"
BRIDGE = Path(__file__).parent / "bridge_use.js"

_EXPORT = re.compile(r"^  export (?:declare )?(const|function|class|interface|type) (\$?\w+)", re.MULTILINE)


def _surface() -> dict[str, Any]:
    surface: dict[str, Any] = json.loads((ROOT / "sdk_stubs" / "surface.json").read_text(encoding="utf-8"))
    return surface


def _declared(kinds: set[str]) -> set[str]:
    found = (pair for path in SDK_FILES for pair in _EXPORT.findall(path.read_text(encoding="utf-8")))
    return {name for kind, name in found if kind in kinds}


def test_every_exported_value_of_any_build_is_declared_and_nothing_else() -> None:
    module = _surface()["modules"]["@hermes/plugin-sdk"]
    builds = {name for key in ("everywhere", *_surface()["builds"]) for name in module[key]}
    assert _declared({"const", "function", "class"}) == builds


def test_every_type_of_any_build_is_declared() -> None:
    named = set(_surface()["modules"]["@hermes/plugin-sdk"]["types"])
    assert named - _declared({"interface", "type"}) == set()


def test_react_declares_every_name_that_react_exports() -> None:
    text = (TYPES / "react.d.ts").read_text(encoding="utf-8")
    module = _surface()["modules"]["react"]
    names = {name for key in ("everywhere", *_surface()["builds"]) for name in module.get(key, ())}
    declared = {name for kind, name in _EXPORT.findall(text) if kind in {"const", "function", "class"}}
    assert names - declared == set()
    assert names


@pytest.mark.parametrize("members", ["ctx", "host"])
def test_what_a_build_may_lack_is_optional_so_that_the_editor_asks_for_the_test(members: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SDK_FILES)
    rows = [row for row in _surface()[members] if row["kind"] == "member" and row["detect"] and "." not in row["name"]]
    assert rows
    assert [row["name"] for row in rows if not re.search(rf"\b{row['name']}\?[(:]", text)] == []


def _tsc(
    tmp_path: Path, files: Iterable[Path], *, strict: bool = True, real_react: bool = False
) -> list[tuple[str, int, str]]:
    """The errors of tsc: (file name, line, code), in the order of the files."""
    modules = peers() / "node_modules"
    options: dict[str, Any] = {
        "checkJs": True,
        "allowJs": True,
        "noEmit": True,
        "strict": strict,
        "noImplicitAny": False,
        "target": "esnext",
        "module": "esnext",
        "moduleResolution": "bundler",
        "lib": ["esnext", "dom", "dom.iterable"],
        "types": [],
    }
    declarations = SDK_FILES if real_react else [TYPES / "index.d.ts"]
    if real_react:
        react = modules / "@types" / "react"
        options["paths"] = {
            "react": [str(react / "index.d.ts")],
            "react/jsx-runtime": [str(react / "jsx-runtime.d.ts")],
        }
    config = tmp_path / "tsconfig.json"
    config.write_text(
        json.dumps({"compilerOptions": options, "files": [str(path) for path in [*declarations, *files]]}),
        encoding="utf-8",
    )
    command = [node(), str(modules / "typescript" / "bin" / "tsc"), "-p", str(config), "--pretty", "false"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    found = re.findall(r"^(\S+)\((\d+),\d+\): error (TS\d+)", done.stdout, re.MULTILINE)
    assert bool(found) == (done.returncode != 0), done.stdout
    return [(Path(name).name, int(line), code) for name, line, code in found]


@pytest.mark.real
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "as an editor without a project"])
def test_the_example_plugins_have_no_type_errors(tmp_path: Path, strict: bool) -> None:
    assert len(EXAMPLES) >= 8
    assert _tsc(tmp_path, EXAMPLES, strict=strict) == []


@pytest.mark.real
def test_the_example_plugins_have_no_type_errors_with_the_types_of_react_itself(tmp_path: Path) -> None:
    # A web app has no React of the app's.
    assert _tsc(tmp_path, [path for path in EXAMPLES if path.name == "plugin.js"], real_react=True) == []


@pytest.mark.real
@pytest.mark.parametrize(("file", "at_least"), [(MISTAKES, 15), (BRIDGE, 6)], ids=["the SDK", "the bridge"])
def test_mistakes_are_shown_in_their_lines(tmp_path: Path, file: Path, at_least: int) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    marked = [
        (file.name, number, found.group())
        for number, line in enumerate(lines, 1)
        if (found := re.search(r"TS\d+$", line))
    ]
    assert len(marked) >= at_least
    assert _tsc(tmp_path, [file]) == marked


def test_the_bridges_types_have_the_words_that_the_service_has() -> None:
    text = (TYPES / "plugin-bridge.d.ts").read_text(encoding="utf-8")
    for name, words in (("Api", APIS), ("Capability", CAPABILITIES), ("ErrorCode", CODES)):
        declared = re.search(rf"^type PluginBridge{name} =(.*?)\n(?=\n|/\*\*|type)", text, re.MULTILINE | re.DOTALL)
        assert declared is not None
        assert set(re.findall(r"'([\w-]+)'", declared[1])) == set(words), name
