"""How many mutants no test noticed, and which, after ``mutmut run``: ``python -m tools.mutants`` (docs/coverage.md).

``python -m tools.mutants names`` comes before the run: it fails when a test's name changes as one process collects
twice. mutmut does so, asks for tests by their first names, and takes "no such test" for a mutant that was killed.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import io
import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

LEAST_KILLED = 0.9
# As mutmut writes them: the exit code of the tests for each mutant; None: not tried yet.
_LIVED, _NO_TEST = 0, 33


@dataclass(frozen=True)
class Found:
    """``lived``: names of mutants that passed every test, or that no test reaches."""

    killed: int
    lived: tuple[str, ...]
    untried: int
    by_file: dict[str, tuple[int, int]] = field(default_factory=dict)
    """path → (killed, all)"""

    @property
    def share(self) -> float:
        tried = self.killed + len(self.lived)
        return self.killed / tried if tried else 0.0


def read(folder: Path) -> Found:
    killed, untried = 0, 0
    lived: list[str] = []
    by_file: dict[str, tuple[int, int]] = {}
    for meta in sorted(folder.rglob("*.meta")):
        codes: dict[str, int | None] = json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
        if not codes:
            continue
        living = [name for name, code in codes.items() if code in (_LIVED, _NO_TEST)]
        untold = sum(code is None for code in codes.values())
        dead = len(codes) - len(living) - untold
        killed, untried, lived = killed + dead, untried + untold, lived + living
        by_file[str(meta.relative_to(folder)).removesuffix(".meta")] = (dead, len(codes))
    return Found(killed, tuple(lived), untried, by_file)


def changes(folder: Path, names: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Each mutant with the lines that tell it from the original, as a diff has them."""
    functions: dict[Path, dict[str, list[str]]] = {}
    for name in names:
        module, _, function = name.rpartition(".")
        path = folder / f"{module.replace('.', '/')}.py"
        if path not in functions:
            functions[path] = dict(_functions(path.read_text("utf-8")))
        original = functions[path].get(f"{function.rpartition('__mutmut_')[0]}__mutmut_orig", [])
        mutant = functions[path].get(function, [])
        changed = difflib.unified_diff(original[1:], mutant[1:], lineterm="", n=0)
        yield name, [line for line in changed if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def _functions(text: str) -> Iterator[tuple[str, list[str]]]:
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, lines[node.lineno - 1 : node.end_lineno]


def unsteady(selection: Sequence[str]) -> list[str]:
    """Tests that pytest calls otherwise when the same process collects them again."""
    first, again = _collected(selection), _collected(selection)
    return sorted(set(first) ^ set(again))


def _collected(selection: Sequence[str]) -> list[str]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = pytest.main(["--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider", *selection])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the tests cannot be collected: {said.getvalue()[-500:]}")
    return [line for line in said.getvalue().splitlines() if "::" in line]


def check_names() -> int:
    settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["mutmut"]
    found = unsteady(settings["pytest_add_cli_args_test_selection"])
    for name in found:
        print(f"{name}: give it an id without a backslash (tests.naming.spelled)")
    return 1 if found else 0


def main(arguments: Sequence[str] = ()) -> int:
    if list(arguments) == ["names"]:
        return check_names()
    folder = Path("mutants")
    found = read(folder)
    for name, lines in changes(folder, found.lived):
        print(name, *lines, sep="\n    ")
    print()
    for path, (dead, count) in found.by_file.items():
        print(f"{path:36} {dead:5} of {count:5} killed  {dead / count:7.1%}")
    print(f"{'all':36} {found.killed:5} killed, {len(found.lived)} lived, {found.untried} not tried: {found.share:.1%}")
    return 0 if found.share >= LEAST_KILLED and not found.untried else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
