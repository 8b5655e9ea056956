import pytest

from loader.analysis.surface import shipped_surface
from tests.analysis.finding import findings, messages, within


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ("c.runAction('nav.settings')", "ctx.runAction"),
        ("const { runAction } = c; runAction('nav.settings')", "ctx.runAction"),
        ("c.pet.say('hello')", "ctx.pet.say"),
        ("c.onDispose(c.pet.visible)", "ctx.pet"),
        ("c.setInterval(() => {}, 9000)", "ctx.setInterval"),
        ("h.openWorkspace({ id: 'demo:a', render: () => null })", "host.openWorkspace"),
        ("const visible = sdk.host.paneVisibility('demo:a'); c.onDispose(visible)", "host.paneVisibility"),
        ("h.composer.getDraft(null)", "host.composer.getDraft"),
        ("h.settings.get('density')", "host.settings"),
        ("h.pluginDecisions.get()", "host.pluginDecisions"),
        ("const { composer } = h; composer.focus()", "host.composer.focus"),
        ("const go = (context) => context.runAction('nav.settings'); go(c)", "ctx.runAction"),
        ("if (c.source) c.runAction('nav.settings')", "ctx.runAction"),
        ("if (c.runAction('nav.settings').ok) c.source", "ctx.runAction"),
    ],
)
def test_flags_a_newer_member_used_without_a_test(body: str, member: str) -> None:
    (message,) = messages("HP508", body)
    assert message.startswith(f"`{member}` is missing in older builds")


@pytest.mark.parametrize(
    "body",
    [
        "c.runAction?.('nav.settings')",
        "if (typeof c.runAction === 'function') c.runAction('nav.settings')",
        "if (!c.runAction) return; c.runAction('nav.settings')",
        "c.runAction && c.runAction('nav.settings')",
        "const can = 'runAction' in c; if (can) c.runAction('nav.settings')",
        "const run = c.runAction ?? (() => ({ ok: false })); run('nav.settings')",
        "const { runAction = () => ({ ok: false }) } = c; runAction('nav.settings')",
        "try { c.runAction('nav.settings') } catch { c.source }",
        "c.pet?.say('hello')",
        "c.pet?.say?.('hello')",
        "const say = c.pet?.say; if (typeof say !== 'function') return; say('hello')",
        "if (Object.hasOwn(h, 'composer')) h.composer.focus()",
        "const has = (f) => typeof f === 'function'; if (has(h.openWorkspace)) h.openWorkspace({})",
        "const ok = Boolean(h.openWorkspace); if (ok) h.openWorkspace({})",
        "c.onDispose(c.runAction)",
        "c.rest('/x'); c.storage.get('x'); h.notify({ kind: 'info', message: 'x' }); h.state.busy.get()",
        "const mine = { runAction() {}, pet: { say() {} } }; mine.runAction(); mine.pet.say()",
        "const host = { openWorkspace() {} }; host.openWorkspace()",
    ],
)
def test_leaves_alone_what_is_tested_or_known_everywhere(body: str) -> None:
    assert messages("HP508", body) == []


def test_each_member_is_said_once() -> None:
    assert len(messages("HP508", "c.runAction('nav.cron'); c.runAction('nav.settings'); c.listActions()")) == 2


def test_the_hint_shows_the_test_for_a_member_of_a_namespace() -> None:
    (found,) = findings("HP508", within("c.pet.say('x')"))
    assert found.hint == "Test first: `if (typeof ctx.pet?.say === 'function') …`, or call it as `ctx.pet?.say?.(…)`."


@pytest.mark.parametrize("root", ["ctx", "host"])
def test_every_member_that_wants_a_test_is_known(root: str) -> None:
    members = getattr(shipped_surface(), root)
    owner = "c" if root == "ctx" else "h"
    for name, member in members.items():
        if member.detect and not member.is_namespace:
            assert messages("HP508", f"{owner}.{name}()"), name


def test_follows_the_context_into_a_component() -> None:
    before = "function View({ ctx }) { return el('button', { onClick: () => ctx.runAction('nav.cron') }) }"
    (message,) = messages(
        "HP508", "c.register({ id: 'a', area: 'panes', render: () => el(View, { ctx: c }) })", before=before
    )
    assert message.startswith("`ctx.runAction`")
