import pytest

from loader.analysis.surface import shipped_surface
from tests.analysis.finding import findings, messages, within


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("c.runAction('composer.voice')", "`composer.voice` is an action of the app that plugins may not run"),
        ("c.runAction?.('view.showBrowsr')", "the app has no action `view.showBrowsr`"),
        ("const { runAction: run } = c; run('Nav.Settings')", "the app has no action `Nav.Settings`"),
        ("const ID = 'nope.nope'; c.runAction(ID)", "the app has no action `nope.nope`"),
        ("c.runAction(c.source ? 'nav.settings' : 'view.closeTab2')", "the app has no action `view.closeTab2`"),
        ("c.runAction(`view.tabSlot.${1}`)", None),
        ("c['runAction']('')", "the app has no action ``"),
    ],
)
def test_flags_an_action_that_will_be_refused(body: str, message: str | None) -> None:
    assert messages("HP507", body) == ([] if message is None else [message])


@pytest.mark.parametrize("action", [one.id for one in shipped_surface().actions.values() if one.allowed])
def test_every_allowed_action_passes(action: str) -> None:
    assert messages("HP507", f"c.runAction('{action}')") == []


@pytest.mark.parametrize(
    "body",
    [
        "c.runAction(c.source)",
        "const menu = { runAction(id) { return id } }; menu.runAction('nope')",
        "for (const one of c.listActions()) c.runAction(one.id)",
        "const runAction = (id) => id; runAction('nope')",
        "c.register({ id: 'a', area: 'palette', data: { id: 'nope.nope', action: 'nope.nope' } })",
    ],
)
def test_leaves_alone_what_it_cannot_know(body: str) -> None:
    assert messages("HP507", body) == []


@pytest.mark.parametrize(
    ("action", "hint"),
    [
        ("view.showbrowser", "Did you mean `view.showBrowser`?"),
        ("composer.voice", "Of the `composer` actions plugins may run `composer.focus`."),
        ("zzz", "`ctx.listActions?.()` lists what plugins may run"),
    ],
)
def test_the_hint_is_the_way_out(action: str, hint: str) -> None:
    (found,) = findings("HP507", within(f"c.runAction('{action}')"))
    assert (found.hint or "").startswith(hint)


def test_titlebar_buttons_are_looked_at_too() -> None:
    text = (
        "export default { id: 'demo', titlebarButtons: [{ "
        "id: 'a', action: 'nope' }, { id: 'b', action: 'nav.cron' }] }\n"
    )
    assert [one.message for one in findings("HP507", text)] == ["the app has no action `nope`"]
