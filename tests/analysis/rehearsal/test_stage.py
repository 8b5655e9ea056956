"""The stage: what is on it, what a plugin may import from it, and that a broken one says so."""

from pathlib import Path

import pytest

from loader.analysis.engine import prepare_engine
from loader.analysis.engine.sandbox import ENTRY
from loader.analysis.rehearsal import stage
from loader.analysis.rehearsal.stage import (
    Modules,
    StageBroken,
    extended_wrapper,
    narrowed_wrapper,
    shipped_module,
    stage_image,
)
from loader.analysis.surface import shipped_surface
from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER

pytestmark = pytest.mark.real


def test_every_name_of_every_known_build_is_on_the_stage() -> None:
    shown = stage_image()
    for specifier in ALLOWED_SPECIFIERS:
        missing = set(shipped_surface().modules[specifier].names) - shown.exports[specifier]
        assert missing == set(), specifier


def test_the_stage_is_made_once() -> None:
    assert stage_image() is stage_image()


def test_a_stage_is_kept_on_disk_and_made_anew_where_it_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(name: str) -> str | None:
        text = shipped_module(name)
        return text if text is None or name != "@@browser" else f"{text}\n// another build"

    class Engine:
        build_id = prepare_engine().build_id
        cache_dir: Path | None = tmp_path

    monkeypatch.setattr(stage, "prepare_engine", lambda: Engine)
    monkeypatch.setattr(stage, "_stages", {})
    tmp_path.chmod(0o700)
    made = stage_image(changed)
    assert made.exports == stage_image().exports
    (kept, _) = sorted(tmp_path.glob("*.stage"))
    monkeypatch.setattr(stage, "_stages", {})
    with monkeypatch.context() as patched:
        patched.setattr(stage, "_build", lambda _: pytest.fail("it was made again"))
        assert stage_image(changed) == made
    # Damaged, or where somebody else may have written: it is not read, and nothing is put there.
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1])
    monkeypatch.setattr(stage, "_stages", {})
    assert stage_image(changed).exports == made.exports
    for folder in (None, tmp_path):
        Engine.cache_dir = folder
        tmp_path.chmod(0o777)
        monkeypatch.setattr(stage, "_stages", {})
        assert stage_image(changed).exports == made.exports
    assert len(list(tmp_path.glob("*.stage"))) == 2


@pytest.mark.parametrize("name", ["@@host/../x", "@@../secrets", "host", "@@Host", "@@nothing-there", "@@surface.json"])
def test_only_private_modules_of_the_two_folders_are_read(name: str) -> None:
    assert shipped_module(name) is None


def test_a_stub_that_does_not_evaluate_is_our_fault_and_said_so() -> None:
    def broken(name: str) -> str | None:
        return "throw new Error('half written')" if name == "@@browser" else shipped_module(name)

    with pytest.raises(StageBroken, match="half written"):
        stage_image(broken)


@pytest.fixture
def modules() -> Modules:
    return Modules(stage_image(), "plugin text", {SDK_SPECIFIER: ("host", "Missing")}, None)


@pytest.mark.parametrize("base", ["plugin.js", "<input>", "<evalScript>", "", SDK_SPECIFIER + "x"])
@pytest.mark.parametrize(
    "specifier",
    ["@@host", "@@driver", "@@sdk", "@@wrapped:extended:react", "plugin.js", "./plugin.js", "<module>", "fs"],
)
def test_a_plugin_reaches_the_three_modules_and_nothing_else(modules: Modules, base: str, specifier: str) -> None:
    assert modules.normalize(base, specifier) is None


@pytest.mark.parametrize("specifier", ALLOWED_SPECIFIERS)
def test_a_plugin_reaches_the_three_modules(modules: Modules, specifier: str) -> None:
    assert modules.normalize("plugin.js", specifier) is not None


def test_the_entry_reaches_the_driver(modules: Modules) -> None:
    assert modules.normalize(ENTRY, "@@driver") == "@@driver"
    assert modules.load("plugin.js") == "plugin text"


def test_names_that_nobody_exports_are_listed(modules: Modules) -> None:
    assert modules.missing == {SDK_SPECIFIER: ("Missing",)}


def test_odd_names_cannot_break_out_of_a_generated_module() -> None:
    odd = 'x"; globalThis.broken = 1; //'
    for text in (extended_wrapper("react", [odd]), narrowed_wrapper("react", frozenset({"useState"}), [odd])):
        assert '\\"; globalThis' in text
