"""The pins: a sandbox engine of another make is refused at start, in one sentence that says what to do."""

import importlib.metadata

import pytest

from loader.analysis.engine.pins import PINNED, EngineMismatch, check_pins


def test_the_installed_engine_is_the_pinned_one() -> None:
    check_pins()


@pytest.mark.parametrize("package", sorted(PINNED))
def test_another_version_is_refused_by_name(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "9.9" if name == package else real(name))
    with pytest.raises(EngineMismatch, match=f"{package} {PINNED[package]} exactly, but 9.9"):
        check_pins()


def test_a_missing_private_name_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import quickjs_rs._wasmtime as shared

    monkeypatch.delattr(shared, "_SHARED_ARTIFACTS")
    with pytest.raises(EngineMismatch, match="_SHARED_ARTIFACTS"):
        check_pins()


def test_the_pins_are_those_of_the_project_file() -> None:
    requires = importlib.metadata.requires("hermes-desktop-loader") or []
    for package, version in PINNED.items():
        assert f"{package}=={version}" in requires
