import pytest

from loader.nouns import Severity
from tests.analysis.finding import findings

HEAD = """import { atom, host, useValue } from '@hermes/plugin-sdk'
import { useCallback, useEffect, useMemo } from 'react'
import { jsx } from 'react/jsx-runtime'
const $count = atom(0)
"""


def found(text: str) -> list[tuple[str, Severity]]:
    every = [one.under("HP511") for one in findings("HP511", HEAD + text)]
    assert all(one.hint for one in every)
    return [(one.message.split("`")[1], one.severity) for one in every]


def view(body: str) -> list[tuple[str, Severity]]:
    return found(f"export function View() {{\n{body}\n}}\n")


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("const n = useValue($count); return jsx('b', { onClick: () => $count.set(n + 1) })", "n"),
        ("const n = useValue($count); const add = () => { $count.set(n + 1) }; return jsx('b', { onClick: add })", "n"),
        (
            "const n = useValue($count); useEffect(() => { "
            "const t = setInterval(() => n, 9); return () => clearInterval(t) }, [])",
            "n",
        ),
        ("const n = useValue($count); return useCallback(() => n, [$count])", "n"),
        ("const n = useValue($count); return jsx('b', { onClick: () => setTimeout(() => alert(n), 9) })", "n"),
        ("const n = useValue($count); return jsx('b', { ref: () => host.state.busy.listen(() => alert(n)) })", "n"),
        (
            "const busy = useValue(host.state.busy); return jsx('b', { onClick() { if (!busy) host.request('x') } })",
            "busy",
        ),
        (
            "const w = useValue(host.state.awaitingResponse); "
            "function go() { if (!w) alert() } return jsx('b', { onClick: go })",
            "w",
        ),
    ],
)
def test_flags_a_value_that_may_be_over(body: str, name: str) -> None:
    assert view(body) == [(name, "warning")]


@pytest.mark.parametrize(
    "text",
    [
        "const p = host.state.profile.get()\nexport const go = { run: () => host.newChat(p) }\n",
        "export default { id: 'demo', register(ctx) { const p = host.state.profile.get(); "
        "ctx.register({ id: 'a', area: 'palette', data: { "
        "id: 'demo.a', label: 'A', run: () => host.newChat(p) } }) } }\n",
        "export default { id: 'demo', register(ctx) { const busy = host.state.busy.get(); "
        "ctx.socket('/e', () => { if (!busy) host.status() }) } }\n",
    ],
)
def test_flags_a_value_read_once_at_the_start(text: str) -> None:
    ((_name, severity),) = found(text)
    assert severity == "warning"


def test_the_apps_own_state_in_a_plain_handler_is_worth_knowing() -> None:
    body = "const p = useValue(host.state.profile); return jsx('b', { onClick: () => host.newChat(p) })"
    assert view(body) == [("p", "info")]


@pytest.mark.parametrize(
    "body",
    [
        "const n = useValue($count); return jsx('b', { children: n })",
        "const n = useValue($count); return jsx('b', { onClick: () => $count.set($count.get() + 1), children: n })",
        "const n = useValue($count); return jsx('b', { onClick: () => host.newChat(String(n)) })",
        "const n = useValue($count); useEffect(() => { "
        "const t = setInterval(() => n, 9); return () => clearInterval(t) }, [n])",
        "const n = useValue($count); useEffect(() => { document.title = String(n) })",
        "const n = useValue($count); return useMemo(() => n * 2, [])",
        "const n = useValue($count); return [1, 2].map((one) => jsx('b', { children: one + n }, one))",
        "const n = useValue($count); const $other = atom(0); return jsx('b', { onClick: () => $other.set(n) })",
        "const busy = useValue(host.state.busy); return jsx('b', { disabled: busy })",
        "const go = () => { const busy = host.state.busy.get(); "
        "if (!busy) host.status() }; return jsx('b', { onClick: go })",
        "const n = useValue($count); const label = () => `${n}`; return jsx('b', { children: label() })",
        "const map = new Map(); const n = map.get('x'); return jsx('b', "
        "{ onClick: () => setTimeout(() => alert(n), 9) })",
    ],
)
def test_leaves_alone_what_is_of_this_render_or_read_anew(body: str) -> None:
    assert view(body) == []


@pytest.mark.parametrize(
    "text",
    [
        "let busy = host.state.busy.get()\nexport const stop = host.state.busy.listen((now) => { busy = now })\n"
        "export const go = { run: () => busy }\n",
        "const initial = host.state.profile.get()\nexport const go = { run: () => host.newChat(initial) }\n",
        "const p = host.state.profile.get()\nexport const shown = [1].map(() => p)\n",
        "export const go = { run: () => host.newChat(host.state.profile.get()) }\n",
    ],
)
def test_leaves_alone_what_is_kept_up_to_date(text: str) -> None:
    assert found(text) == []


def test_the_hint_reads_the_same_atom() -> None:
    (one,) = findings(
        "HP511", f"{HEAD}export const V = () => {{ const n = useValue($count); return () => $count.set(n + 1) }}\n"
    )
    assert one.hint == "Read it there: `$count.get()`."
