"""No file of somebody else's keeps a YAML parser busy for longer than it takes to read it."""

from pathlib import Path

import pytest

from loader.backends.catalog import _agent_manifest
from loader.config_yaml import load
from loader.packages.contents import _agent_name
from loader.yaml_bounds import NESTED_LIMIT, demand_shallow

# A parser needs hours for each of these.
DEEP = ["[" * 200_000, "a: " + "{a: " * 60_000, "x: [\n" * 40_000, "a: ok\n" + "[a, " * 50_000]


@pytest.mark.parametrize("text", DEEP)
def test_what_is_nested_without_end_is_not_parsed(text: str) -> None:
    for pure in (True, False):
        with pytest.raises(ValueError, match="nested"):
            load(text, pure=pure)


@pytest.mark.parametrize(
    "text",
    ["", "[" * NESTED_LIMIT + "]" * NESTED_LIMIT, "- [a, {b: [c]}]\n" * 1000, "a: '[ ] [ ]'\n" * 100, "# ]]]]\n" * 100],
)
def test_what_people_write_is(text: str) -> None:
    demand_shallow(text)
    load(text)


def test_nor_in_a_manifest_that_a_package_brings(tmp_path: Path) -> None:
    manifest = tmp_path / "plugin.yaml"
    manifest.write_text("name: " + "[" * 60_000)
    assert (_agent_name(manifest), _agent_manifest(tmp_path)) == (None, {})
    manifest.write_text("name: board\n")
    assert (_agent_name(manifest), _agent_manifest(tmp_path)) == ("board", {"name": "board"})
