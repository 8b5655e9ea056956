import pytest

from loader.nouns import Severity
from tests.analysis.finding import findings

HEAD = """import { computed, host, useValue } from '@hermes/plugin-sdk'
import { useEffect } from 'react'
import { jsx } from 'react/jsx-runtime'
"""


def view(body: str) -> list[tuple[str, Severity]]:
    every = [one.under("HP512") for one in findings("HP512", f"{HEAD}export function View() {{\n{body}\n}}\n")]
    assert all("host.state.busy" in (one.hint or "") for one in every)
    return [(one.message, one.severity) for one in every]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("const g = useValue(host.state.gateway); return g === 'busy' ? 'work' : 'idle'", "is never `busy`"),
        ("return host.state.gateway.get() === 'streaming'", "is never `streaming`"),
        (
            "const { gateway } = host.state; const g = useValue(gateway); if ('working' != g) return g",
            "never `working`",
        ),
        ("host.state.gateway.listen((state) => { if (state === 'running') alert() })", "is never `running`"),
        ("const busy = useValue(host.state.gateway) !== 'open'; return busy", "`busy` is taken from"),
        (
            "const g = useValue(host.state.gateway); const isBusy = g !== 'idle'; return isBusy",
            "`isBusy` is taken from",
        ),
        ("const g = useValue(host.state.gateway); return jsx('b', { disabled: g !== 'idle' })", "`disabled` waits for"),
        ("const g = useValue(host.state.gateway); return jsx('b', { disabled: !g })", "`disabled` waits for"),
        (
            "const g = useValue(host.state.gateway); "
            "const off = g === 'idle'; return jsx('b', { 'aria-disabled': off })",
            "waits",
        ),
    ],
)
def test_flags_the_socket_taken_for_the_turn(body: str, what: str) -> None:
    ((message, severity),) = view(body)
    assert what in message
    assert severity == "warning"


def test_a_control_that_waits_for_the_connection_may_mean_it() -> None:
    ((message, severity),) = view("const g = useValue(host.state.gateway); return jsx('b', { disabled: g !== 'open' })")
    assert "`disabled` waits for" in message
    assert severity == "info"


@pytest.mark.parametrize(
    "body",
    [
        "const busy = useValue(host.state.busy); return jsx('b', { disabled: busy })",
        "const g = useValue(host.state.gateway); return jsx('b', { children: g })",
        "const g = useValue(host.state.gateway); return g === 'open' ? null : jsx('p', { children: 'Offline' })",
        "const up = useValue(host.state.gateway) === 'open'; useEffect(() => { if (up) host.status() }, [up])",
        "host.state.gateway.listen((state) => { if (state === 'open') host.status() })",
        "const g = useValue(host.state.gateway); const b = useValue(host.state.busy); "
        "return jsx('b', { disabled: b || g !== 'open' })",
        "const g = useValue(host.state.model); return jsx('b', { disabled: g === 'busy' })",
        "const gateway = { get: () => 'busy' }; return gateway.get() === 'busy'",
        "const g = useValue(host.state.gateway); return jsx('b', { title: g === 'idle' ? 'No connection' : g })",
        "const g = useValue(host.state.gateway); return jsx('b', { 'data-state': g !== 'idle' })",
    ],
)
def test_leaves_alone_what_shows_or_awaits_the_connection(body: str) -> None:
    assert view(body) == []
