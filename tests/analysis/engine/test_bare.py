"""A package whose own code does not run until somebody asks for something of it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from loader.analysis.engine.bare import keep_bare


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "two_halves"
    folder.mkdir()
    (folder / "__init__.py").write_text("from two_halves.heavy import face\n", "utf-8")
    (folder / "heavy.py").write_text("face = 'public'\n", "utf-8")
    (folder / "_light.py").write_text("inside = 'private'\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return folder.name


def test_a_private_module_is_imported_without_the_public_ones(package: str) -> None:
    keep_bare(package)
    assert importlib.import_module(f"{package}._light").inside == "private"
    assert f"{package}.heavy" not in sys.modules


def test_who_asks_for_the_public_face_gets_it(package: str) -> None:
    keep_bare(package)
    assert importlib.import_module(package).face == "public"
    with pytest.raises(AttributeError):
        _ = importlib.import_module(package).nothing


def test_a_package_that_is_not_there_is_left_to_the_import() -> None:
    keep_bare("no_such_package_anywhere")
    assert "no_such_package_anywhere" not in sys.modules
