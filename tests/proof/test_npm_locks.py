"""`npm ci` refuses a lock that lacks a package which another one names: nobody could repeat what is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted(
    path for folder in ("bench", "tests/peers", "tools") for path in ROOT.glob(f"{folder}/**/package-lock.json")
)
LOCKS = [path for path in LOCKS if "node_modules" not in path.parts]


def unresolved(lock: dict[str, dict[str, dict[str, dict[str, object]]]]) -> set[tuple[str, str]]:
    """(package, name) for each dependency that no folder above the package would hold."""
    packages = lock["packages"]
    missing = set()
    for place, package in packages.items():
        for name in {**package.get("dependencies", {}), **package.get("optionalDependencies", {})}:
            folders = [place]
            while folders[-1]:
                folders.append(folders[-1].rpartition("node_modules/")[0].rstrip("/"))
            if not any(f"{folder}/node_modules/{name}".lstrip("/") in packages for folder in folders):
                missing.add((place, name))
    return missing


def test_all_of_them_are_looked_at() -> None:
    assert {path.parent.relative_to(ROOT).as_posix() for path in LOCKS} >= {"bench", "tests/peers"}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.parent.name)
def test_a_lock_holds_every_package_that_is_named_in_it(path: Path) -> None:
    assert unresolved(json.loads(path.read_text("utf-8"))) == set()


def test_an_optional_package_that_was_not_to_be_had_is_missed() -> None:
    packages: dict[str, dict[str, dict[str, object]]] = {
        "": {"dependencies": {"vite": "1.0.0"}},
        "node_modules/vite": {"dependencies": {"inner": "1", "outer": "1"}, "optionalDependencies": {"lost": "^0.1.0"}},
        "node_modules/vite/node_modules/inner": {"dependencies": {"outer": "1"}},
        "node_modules/outer": {},
    }
    assert unresolved({"packages": packages}) == {("node_modules/vite", "lost")}
