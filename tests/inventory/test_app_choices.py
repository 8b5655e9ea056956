"""The mirror of the app's switches: read only, bounded, and never lost by a broken file."""

from pathlib import Path

import pytest

from loader.inventory.app_choices import AppChoices


def mirror(tmp_path: Path, text: str | None) -> AppChoices:
    if text is not None:
        (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    return AppChoices(tmp_path / "config.yaml")


def test_reads_the_switches(tmp_path: Path) -> None:
    choices = mirror(tmp_path, "model: x\ndesktop:\n  pluginDecisions:\n    demo: false\n    notes: true # on\n")
    assert choices.refresh() is None
    assert choices.decisions == {"demo": False, "notes": True}


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "plugins: {enabled: [a]}\n",
        "desktop: 7\n",
        "desktop: {pluginDecisions: [demo]}\n",
        "desktop:\n  pluginDecisions:\n",
        "- pluginDecisions\n",
    ],
)
def test_a_file_without_switches_holds_none(tmp_path: Path, text: str | None) -> None:
    choices = mirror(tmp_path, text)
    assert choices.refresh() is None
    assert choices.decisions == {}


def test_a_second_block_takes_the_place_of_the_first(tmp_path: Path) -> None:
    first, second = ("desktop:\n  pluginDecisions: {demo: " + value + "}\n" for value in ("true", "false"))
    choices = mirror(tmp_path, first + "model: x\n" + second)
    assert choices.refresh() is None
    assert choices.decisions == {"demo": False}


def test_passes_over_what_is_no_switch(tmp_path: Path) -> None:
    choices = mirror(tmp_path, "desktop: {pluginDecisions: {demo: yes-please, ../x: true, 7: true, ok: false}}\n")
    assert choices.refresh() is None
    assert choices.decisions == {"ok": False}


def test_a_damaged_file_is_said_once_and_the_last_switches_stay(tmp_path: Path) -> None:
    good = "desktop: {pluginDecisions: {demo: false}}\n"
    choices = mirror(tmp_path, good)
    choices.refresh()
    mirror(tmp_path, "desktop: {pluginDecisions: {demo: tr\n")
    said = choices.refresh()
    assert said is not None
    assert "config.yaml" in said
    assert "line" in said
    assert choices.refresh() is None
    mirror(tmp_path, "desktop: {pluginDecisions: [}\n")
    assert choices.refresh() is None, "still damaged: not said again"
    assert choices.decisions == {"demo": False}
    mirror(tmp_path, good.replace("false", "true"))
    assert choices.refresh() is None
    assert choices.decisions == {"demo": True}
    mirror(tmp_path, "desktop: {pluginDecisions: [}\n")
    assert choices.refresh() is not None, "whole in between: said anew"


def test_a_removed_file_takes_its_switches_along(tmp_path: Path) -> None:
    choices = mirror(tmp_path, "desktop: {pluginDecisions: {demo: false}}\n")
    choices.refresh()
    (tmp_path / "config.yaml").unlink()
    assert choices.refresh() is None
    assert choices.decisions == {}


def test_neither_size_nor_depth_nor_aliases_hurt(tmp_path: Path) -> None:
    choices = mirror(tmp_path, "desktop: {pluginDecisions: {demo: true}}\n# " + "x" * 1024 * 1024)
    assert "larger" in (choices.refresh() or "")
    choices = mirror(tmp_path, "pluginDecisions: " + "[" * 20_000)
    assert "no valid YAML" in (choices.refresh() or "")
    layers = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))
    choices = mirror(tmp_path, f"a0: &a0 [x]\n{layers}desktop: {{pluginDecisions: {{demo: true}}}}\n")
    choices.refresh()
    assert choices.decisions == {"demo": True}


def test_a_directory_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").mkdir()
    assert AppChoices(tmp_path / "config.yaml").refresh() is not None
