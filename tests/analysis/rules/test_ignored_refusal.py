import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    "body",
    [
        "c.runAction('nav.settings')",
        "c.runAction?.('nav.settings')",
        "const { runAction } = c; runAction('nav.settings')",
        "void c.runAction('nav.settings')",
        "if (c.source) c.runAction('nav.settings')",
        "c.source && c.runAction('nav.settings')",
        "el('button', { onClick: () => c.runAction('nav.settings') })",
        "c.register({ id: 'a', area: 'palette', data: { "
        "id: 'demo.a', label: 'A', run: () => c.runAction('nav.settings') } })",
        "const go = async () => { await c.runAction('nav.settings') }; c.onDispose(go)",
    ],
)
def test_flags_an_answer_that_nobody_reads(body: str) -> None:
    (message,) = messages("HP510", body)
    assert "thrown away" in message


@pytest.mark.parametrize(
    "body",
    [
        "const result = c.runAction('nav.settings'); "
        "if (!result.ok) h.notify({ kind: 'warning', message: result.error })",
        "if (!c.runAction('nav.settings').ok) c.source",
        "const run = () => c.runAction('nav.settings'); c.onDispose(run)",
        "c.onDispose(c.runAction('nav.settings')?.ok)",
        "const run = () => { return c.runAction('nav.settings') }; c.onDispose(run)",
        "const { ok } = c.runAction('nav.settings'); c.onDispose(ok)",
        "const tool = { runAction() {} }; tool.runAction('x')",
        "c.runAction('nav.settings').ok || h.notify({ kind: 'warning', message: 'no' })",
    ],
)
def test_leaves_alone_what_is_looked_at(body: str) -> None:
    assert messages("HP510", body) == []
