"""The pins: a sandbox engine of another make is refused at start, in one sentence that says what to do."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from loader.analysis.engine.pins import PINNED, EngineMismatch, check_pins

ROOT = Path(__file__).parents[3]


def test_the_installed_engine_is_the_pinned_one() -> None:
    check_pins()


@pytest.mark.parametrize("package", sorted(PINNED))
def test_another_version_is_refused_by_name(package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed = tmp_path / f"{package.replace('-', '_')}-9.9.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 9.9\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(EngineMismatch, match=f"{package} {PINNED[package]} exactly, but 9.9"):
        check_pins()


def test_the_right_version_is_known_without_a_parser_of_metadata() -> None:
    code = (
        "import sys; from loader.analysis.engine.pins import check_versions; check_versions();"
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_missing_private_name_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import quickjs_rs._wasmtime as shared

    monkeypatch.delattr(shared, "_SHARED_ARTIFACTS")
    with pytest.raises(EngineMismatch, match="_SHARED_ARTIFACTS"):
        check_pins()


def test_the_pins_are_those_of_the_project_file() -> None:
    requires = importlib.metadata.requires("hermes-desktop-loader") or []
    for package, version in PINNED.items():
        assert f"{package}=={version}" in requires
