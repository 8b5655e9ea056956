"""What a plugin registers, area by area: what the app shows passes, what it drops without a word is told (HP407)."""

from __future__ import annotations

import pytest

from tests.analysis.rehearsal.playing import play

RENDER = "render: () => null"

# area, the rest of the contribution → what is said of it, in order
TABLE: list[tuple[str, str, tuple[str, ...]]] = [
    ("panes", f"data: {{ placement: 'left' }}, {RENDER}", ()),
    ("panes", f"data: {{ placement: 'left', dock: {{ pane: 'sessions', pos: 'bottom' }} }}, {RENDER}", ()),
    ("panes", f"data: {{ placement: 'left', dock: {{ pane: 'sessions' }} }}, {RENDER}", ()),
    ("panes", "data: { placement: 'left' }", ("a pane needs a `render` function",)),
    ("panes", RENDER, ("a pane needs `data` with a placement",)),
    ("panes", f"data: {{}}, {RENDER}", ("no `placement`",)),
    ("panes", f"data: {{ placement: 'rigth' }}, {RENDER}", ("unknown placement 'rigth'",)),
    ("panes", f"data: {{ placement: 7 }}, {RENDER}", ("unknown placement 7",)),
    (
        "panes",
        f"data: {{ placement: 'left', dock: {{ pane: '', pos: 'botom' }} }}, {RENDER}",
        ("unknown dock position 'botom'", "its `dock` names no pane"),
    ),
    ("panes", f"data: {{ placement: 'left', dock: 'sessions' }}, {RENDER}", ("`dock` is no object",)),
    ("sidebar.nav", "data: { label: 'L', codicon: 'beaker', path: '/nav' }", ()),
    ("sidebar.nav", "data: { label: 'L', codicon: 'codicon-beaker', onSelect() {} }", ()),
    ("sidebar.nav", "data: { codicon: 'beaker', onSelect() {} }", ("`data.label` is missing",)),
    ("sidebar.nav", "data: { label: 'L', path: '/nav' }", ("`data.codicon` is missing",)),
    ("sidebar.nav", "data: { label: 'L', codicon: 'beeker', onSelect() {} }", ("unknown codicon 'beeker'",)),
    ("sidebar.nav", "data: { label: 'L', codicon: 7, onSelect() {} }", ("the codicon is no string",)),
    ("sidebar.nav", "data: { label: 'L', codicon: 'beaker' }", ("`data.path` is missing",)),
    ("sidebar.nav", "data: { label: 'L', codicon: 'beaker', path: 'nav' }", ("is not one absolute segment",)),
    (
        "sidebar.nav",
        "data: [1]",
        ("`data.path` is missing", "`data.label` is missing", "`data.codicon` is missing"),
    ),
    ("routes", f"data: {{ path: '/nav' }}, {RENDER}", ()),
    ("routes", "data: { path: '/nav' }", ("a route needs a `render` function",)),
    ("routes", RENDER, ("`data.path` is missing",)),
    ("routes", f"data: {{ path: '/a b' }}, {RENDER}", ("is not one absolute segment",)),
    ("palette", "data: { id: 'p', label: 'L', run() {} }", ()),
    ("palette", "data: { id: 'p', label: 'L', run: 'x' }", ("`data.run` is not a function",)),
    ("palette", "data: { run() {} }", ("`data.id` is missing", "`data.label` is missing")),
    ("palette", "data: 'x'", ("`data.id`", "`data.label`", "`data.run`")),
    ("keybinds", "data: { id: 'k', label: 'L', run() {}, defaults: ['mod+shift+k'] }", ()),
    ("keybinds", "data: { id: 'k', label: 'L', run() {} }", ()),
    ("keybinds", "data: { id: 'nav.settings', label: 'L', run() {} }", ("is one of the app's own actions",)),
    ("keybinds", "data: { id: 'k', label: 'L', run() {}, defaults: 'mod+k' }", ("is no list of key combinations",)),
    ("keybinds", "data: { id: 'k', label: 'L', run() {}, defaults: ['mod k', 7] }", ("that is no key combination",)),
    ("titleBar.left", "data: { id: 't', label: 'L', icon: 'x' }", ()),
    ("titleBar.right", RENDER, ()),
    ("titleBar.right", "data: { id: 't' }", ("`data.label` is missing",)),
    ("statusBar.left", "data: { id: 's' }", ()),
    ("statusBar.right", "data: {}", ("`data.id` is missing",)),
    ("statusBar.right", "title: 'x'", ("it has neither `render` nor `data`",)),
    ("themes", "data: { name: 'n', label: 'L', colors: { accent: '#fff' } }", ()),
    ("themes", "data: { name: 'n', label: 'L', colors: {} }", ("the theme has no `colors`",)),
    ("themes", "data: { colors: { accent: '#fff' } }", ("the theme has no `name`", "the theme has no `label`")),
    ("themes", "title: 'x'", ("`data` is not a theme",)),
    ("composer.middleware", "data: { handler: draft => draft }", ()),
    ("composer.middleware", "data: { handler: 'x' }", ("`data.handler` is not a function",)),
    ("transcript.directives", "data: { name: 'chart', render: () => null }", ()),
    ("transcript.directives", "data: { name: '7 charts', render: () => null }", ("can never be written",)),
    ("transcript.directives", "data: {}", ("`data.name` is missing", "`data.render` is not a function")),
    ("sessionRow.leading", "data: { render: () => null }", ()),
    ("sessionRow.trailing", RENDER, ("`data.render` is not a function",)),
    ("composer.top", RENDER, ()),
    ("composer.actions", "data: {}", ("it needs a `render` function",)),
    ("appearance.extra", "title: 'x'", ("it needs a `render` function",)),
    ("pains", RENDER, ("goes to the unknown area `pains`",)),
    ("", RENDER, ("names no area",)),
]


def test_each_area_is_told_what_it_lacks_and_nothing_else() -> None:
    registered = "\n".join(
        f"ctx.register({{ id: 'c{number}', area: '{area}', {rest} }})" for number, (area, rest, _) in enumerate(TABLE)
    )
    played = play(registered)
    told: dict[str, list[str]] = {}
    for found in played.findings:
        if found.code == "HP407" and "`c" in found.message:
            told.setdefault(found.message.split("`")[1], []).append(found.message)
    for number, (area, rest, expected) in enumerate(TABLE):
        said = told.pop(f"c{number}", [])
        assert len(said) == len(expected), (area, rest, said)
        assert all(words in one for words, one in zip(expected, said, strict=True)), (area, rest, said)
    assert told == {}
    # Nothing of it keeps the plugin from loading: what an area drops, it drops alone.
    assert {found.severity for found in played.findings} == {"warning"}


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("area: 'panes', data: { placement: 'rigth' }, render: () => null", "did you mean 'right'?"),
        ("area: 'panes', data: { placement: 'elsewhere-entirely' }, render: () => null", "use one of main, left"),
        ("area: 'pains', render: () => null", "did you mean `panes` (PANES_AREA)?"),
        ("area: 'a-place-that-no-app-has', render: () => null", "use one of the SDK's area constants"),
        ("area: 'sidebar.nav', data: { label: 'L', codicon: 'beeker', onSelect() {} }", "did you mean 'beaker'?"),
        ("area: 'sidebar.nav', data: { label: 'L', codicon: 'qqqqqqqqqqqq', onSelect() {} }", "the list of @vscode/"),
    ],
)
def test_what_is_nearly_right_is_told_what_is_meant(wrong: str, hint: str) -> None:
    assert [
        found.hint for found in play(f"ctx.register({{ id: 'c', {wrong} }})").findings if hint in (found.hint or "")
    ]


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("ctx.register({})", "HP407", "got neither an `id` nor an `area`"),
        ("ctx.register('panes')", "HP407", "got neither an `id` nor an `area`"),
        (f"ctx.register({{ area: 'composer.top', {RENDER} }})", "HP407", "has no string `id`"),
        (f"ctx.register({{ id: {{}}, area: 'composer.top', {RENDER} }})", "HP407", "has no string `id`"),
        (f"ctx.register({{ id: 'x', {RENDER} }})", "HP407", "names no area"),
        (f"ctx.register({{ id: 'x', area: 7, {RENDER} }})", "HP407", "names no area"),
        (
            f"for (const area of ['composer.top', 'composer.bottom']) ctx.register({{ id: 'x', area, {RENDER} }})",
            "HP408",
            "registered twice",
        ),
        (
            f"ctx.register({{ id: 'r', area: 'routes', data: {{ path: '/far' }}, {RENDER} }})",
            "HP407",
            "nothing leads to the route `/far`",
        ),
    ],
)
def test_what_cannot_be_shown_at_all_is_said(body: str, code: str, says: str) -> None:
    assert [found.code for found in play(body).findings if says in found.message] == [code]


@pytest.mark.parametrize(
    "also",
    [
        "ctx.register({ id: 'n', area: 'sidebar.nav', data: { path: '/far', label: 'L', codicon: 'beaker' } })",
        "ctx.register({ id: 'p', area: 'palette', data: { id: 'p', label: 'L', run() {} } })",
        "ctx.register({ id: 't', area: 'titleBar.left', data: { id: 't', label: 'L' } })",
    ],
)
def test_a_route_that_something_may_lead_to_is_fine(also: str) -> None:
    route = f"ctx.register({{ id: 'r', area: 'routes', data: {{ path: '/far' }}, {RENDER} }})"
    assert play(f"{route}\n{also}").findings == ()


def test_paths_of_several_segments_work_and_are_told_once_a_place() -> None:
    body = (
        "for (const n of [1, 2, 3]) ctx.register({ id: 'r' + n, area: 'routes',"
        f" data: {{ path: '/a/' + n }}, {RENDER} }})\n"
        "for (const n of [1, 2, 3]) ctx.register({ id: 'n' + n, area: 'sidebar.nav',"
        " data: { path: '/a/' + n, label: 'L', codicon: 'beaker' } })"
    )
    found = play(body).findings
    assert [(one.code, one.severity) for one in found] == [("HP407", "info")] * 2
    assert all("several segments" in one.message for one in found)
    assert all("(so do 2 more from here)" in one.message for one in found)


def test_of_two_with_one_id_the_later_one_is_what_the_app_shows() -> None:
    played = play(
        "ctx.register({ id: 'x', area: 'statusBar.left', title: 'First', render: () => 'one' })\n"
        "ctx.register({ id: 'x', area: 'statusBar.right', title: 'Second', order: 3, render: () => 'two' })"
    )
    assert played.rehearsal is not None
    (shown,) = played.rehearsal.contributions
    assert (shown.scoped_id, shown.area, shown.title, shown.order) == ("demo:x", "statusBar.right", "Second", 3.0)
    assert "two" in (shown.wireframe or "")
