"""The shipped list of what plugins can import and call."""

from __future__ import annotations

import json
from importlib.resources import files

from loader.analysis.surface import nearest, shipped_surface
from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER


def test_the_three_modules_and_nothing_else() -> None:
    assert tuple(shipped_surface().modules) == ALLOWED_SPECIFIERS


def test_a_name_is_listed_once_and_is_no_type_as_well() -> None:
    data = json.loads((files("sdk_stubs") / "surface.json").read_text(encoding="utf-8"))
    for lists in data["modules"].values():
        for build, names in lists.items():
            if isinstance(names, list) and build != "documented":
                assert len(names) == len(set(names))
        values = [name for build in ("everywhere", "development", *data["builds"]) for name in lists.get(build, ())]
        assert len(values) == len(set(values))
        assert not set(values) & set(lists.get("types", ()))
        assert set(lists.get("documented", ())) <= set(values)


def test_builds_of_a_name() -> None:
    sdk = shipped_surface().modules[SDK_SPECIFIER]
    assert sdk.exports("host")
    assert sdk.exports("default")
    assert sdk.only_in("host") == ()
    assert sdk.only_in("ListRow") == ("8b6db103",)
    assert sdk.only_in("McpTab") == ("00075f36",)
    assert not sdk.exports("PluginContext")
    assert "PluginContext" in sdk.types
    assert shipped_surface().modules["react"].only_in("act") == ("development",)


def test_an_announcement_wins_over_the_list() -> None:
    surface = shipped_surface().with_exports(((SDK_SPECIFIER, ("host", "Brand_New")),))
    sdk = surface.modules[SDK_SPECIFIER]
    assert sdk.exact
    assert sdk.exports("Brand_New")
    assert not sdk.exports("ListRow")
    assert not surface.modules["react"].exact
    assert shipped_surface().with_exports(None) is shipped_surface()


def test_members_areas_actions_and_variables_are_there() -> None:
    surface = shipped_surface()
    assert surface.ctx["pet.say"].detect
    assert not surface.ctx["register"].detect
    assert surface.host["openWorkspace"].detect
    assert surface.host["state"].is_namespace
    assert {area.value for area in surface.areas if area.documented} >= {"panes", "routes", "palette", "titleBar.right"}
    assert surface.actions["view.showBrowser"].allowed
    assert not surface.actions["session.archive"].allowed
    assert "--ui-accent" in surface.theme_variables


def test_the_nearest_name() -> None:
    names = ("useState", "useValue", "host")
    assert nearest("usestate", names) == "useState"
    assert nearest("useStat", names) == "useState"
    assert nearest("Hosts", names) == "host"
    assert nearest("completely", names) is None
    assert nearest("x" * 100_000, names) is None
