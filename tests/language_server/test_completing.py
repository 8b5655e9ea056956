"""What is suggested at ``|``, and where nothing is."""

import pytest

from loader.analysis.surface import shipped_surface
from loader.language_server.completing import Suggestion, suggestions

SURFACE = shipped_surface()
SDK = set(SURFACE.modules["@hermes/plugin-sdk"].names)


def at(marked: str) -> tuple[Suggestion, ...]:
    assert marked.count("|") == 1
    return suggestions(marked.replace("|", ""), marked.index("|"), SURFACE)


def labels(marked: str) -> set[str]:
    return {one.label for one in at(marked)}


@pytest.mark.parametrize(
    "marked",
    [
        "import { | } from '@hermes/plugin-sdk'",
        'import {|} from "@hermes/plugin-sdk"',
        "import { Bu|",
        "// a plugin\nimport {\n  |\n} from '@hermes/plugin-sdk'\n",
        "import sdk, { | } from '@hermes/plugin-sdk'",
        "import { // the kit\n  |\n} from '@hermes/plugin-sdk'",
    ],
)
def test_an_import_list_offers_all_names_of_the_sdk(marked: str) -> None:
    assert labels(marked) == SDK


def test_names_that_are_listed_already_are_not_offered_again() -> None:
    found = labels("import { Button, host as h, | , Tip } from '@hermes/plugin-sdk'")
    assert found == SDK - {"Button", "host", "Tip"}
    assert "Button" in labels("import { Button| } from '@hermes/plugin-sdk'"), "the one being typed is"


def test_what_was_typed_is_replaced_dollars_and_dots_too() -> None:
    assert {one.typed for one in at("import { $acc| } from '@hermes/plugin-sdk'")} == {"$acc"}
    assert {one.typed for one in at("ctx.runAction('view.sh|')")} == {"view.sh"}
    assert {one.typed for one in at("({ area: STATUSBAR_AREAS.r| })")} == {"STATUSBAR_AREAS.r"}


@pytest.mark.parametrize("specifier", ["react", "react/jsx-runtime"])
def test_another_module_offers_its_own_names(specifier: str) -> None:
    assert labels(f"import {{ | }} from '{specifier}'") == set(SURFACE.modules[specifier].names)


def test_names_of_some_builds_say_so_and_stand_below() -> None:
    found = {one.label: one for one in at("import { | } from '@hermes/plugin-sdk'")}
    assert found["ToggleRow"].rank == 1
    assert "in some builds of the app only" in found["ToggleRow"].detail
    assert found["Button"].rank == 0
    assert (found["Button"].kind, found["useQuery"].kind, found["PANES_AREA"].kind) == ("class", "function", "constant")


@pytest.mark.parametrize(
    "marked",
    [
        "ctx.runAction('|')",
        'ctx.runAction?.("view.|',
        "const { runAction } = ctx; runAction(\n  `|`)",
        "runAction( '|'",
    ],
)
def test_an_action_offers_what_a_plugin_may_run(marked: str) -> None:
    allowed = {action.id for action in SURFACE.actions.values() if action.allowed}
    assert labels(marked) == allowed
    assert "view.showBrowser" in allowed


def test_an_area_offers_values_in_quotes_and_constants_without() -> None:
    values = {area.value for area in SURFACE.areas if area.value is not None}
    assert labels("ctx.register({ id: 'x', area: '|' })") == values
    assert labels('ctx.register({ area: "sta|') == values
    assert labels("ctx.register({ area: | })") == {area.constant for area in SURFACE.areas}


@pytest.mark.parametrize("marked", ["import x from '|'", "import '@her|'", '} from "|', "await import('|')"])
def test_a_specifier_offers_the_three(marked: str) -> None:
    assert labels(marked) == {"@hermes/plugin-sdk", "react", "react/jsx-runtime"}


@pytest.mark.parametrize(
    "marked",
    [
        "|",
        "import { x } from 'lodash'; const y = { | }",
        "import { | } from 'lodash'",
        "import { Button as | } from '@hermes/plugin-sdk'",
        "import { Button as Kn|",
        "import { // a word|\n} from '@hermes/plugin-sdk'",
        "ctx.runAction('view.showBrowser'|)",
        "ctx.runActions('|')",
        "const gridArea = { gridArea: '|' }",
        "ctx.register({ id: '|' })",
        "important {|",
        "function area() { return '|' }",
    ],
)
def test_nothing_is_offered_elsewhere(marked: str) -> None:
    assert at(marked) == ()


def test_a_huge_text_costs_a_window_only() -> None:
    text = "import {" + "a," * 500_000
    assert suggestions(text, len(text), SURFACE) == ()
    text = "import { " + " " * 3000
    assert {one.label for one in suggestions(text, len(text), SURFACE)} == SDK
