"""Imports point down only: a module may know what stands before it in the flow, never what comes after."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "loader"

# From the disk to the shell. A module's layer is the longest prefix of its dotted name found here.
LAYERS = (
    # loader.backend is lent to plugins' own processes: it knows nothing of us.
    ("loader", "loader.nouns", "loader.backend"),
    (
        "loader.settings",
        "loader.errors",
        "loader.codes",
        "loader.edits",
        "loader.listing",
        "loader.loopback",
        "loader.regular_file",
        "loader.yaml_bounds",
    ),
    ("loader.home", "loader.state", "loader.config_yaml"),
    ("loader.discovery", "loader.watching", "loader.source", "loader.integrity", "loader.preferences"),
    ("loader.analysis",),
    ("loader.inventory",),
    (
        "loader.policy",
        "loader.backends",
        "loader.pages",
        "loader.packages",
        "loader.wall",
        "loader.checking",
        "loader.authoring",
        "loader.react",
    ),
    ("loader.reports",),
    ("loader.server",),
    ("loader.client", "loader.testing"),
    ("loader.cli", "loader.__main__", "loader.agent_tools", "loader.language_server"),
)
RANK = {prefix: rank for rank, layer in enumerate(LAYERS) for prefix in layer}


def rank_of(module: str) -> int | None:
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        found = RANK.get(".".join(parts[:end]))
        if found is not None and (end > 1 or len(parts) == 1):
            return found
    return None


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("loader", *path.relative_to(PACKAGE).with_suffix("").parts)
        found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def imported(module: str, path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layer; write the full name"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "loader"}


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_point_down_only(module: str, path: Path) -> None:
    own = rank_of(module)
    assert own is not None, f"{module} has no place in the flow: add it to LAYERS"
    for name in imported(module, path):
        other = rank_of(name)
        assert other is None or other <= own, f"{module} imports {name}, which stands behind it in the flow"


def test_no_module_is_called_utils() -> None:
    assert [m for m, _ in modules() if m.rsplit(".", 1)[-1] in {"utils", "util", "helpers", "misc", "common"}] == []
