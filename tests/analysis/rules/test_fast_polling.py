import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("setInterval(() => h.request('x'), 500)", "`host.request` is asked every 500 ms"),
        ("window.setInterval(async () => { await c.rest('/x') }, 1_999)", "`ctx.rest` is asked every 1999 ms"),
        ("const { rest } = c; c.setInterval(() => rest('/x'), FAST)", "`ctx.rest` is asked every 1000 ms"),
        ("const load = async () => { await h.request('x') }; setInterval(load, 2 * 500)", "every 1000 ms"),
        ("const load = () => c.rest('/x'); setInterval(() => { load() }, 100)", "`ctx.rest` is asked"),
        ("setInterval(() => sdk.host.requestProfile('p', 'x'))", "`host.requestProfile` is asked every 0 ms"),
        ("function poll() { c.rest('/x').then(() => setTimeout(poll, 800)) } poll()", "every 800 ms"),
        (
            "const poll = async () => { await c.rest('/x'); again() }; const again = () => setTimeout(poll, 9); poll()",
            "9 ms",
        ),
        ("sdk.useQuery({ queryKey: ['demo'], queryFn: () => c.rest('/x'), refetchInterval: 1000 })", "every 1000 ms"),
        ("const t = React.useCallback(() => c.rest('/x'), []); setInterval(t, 10)", "`ctx.rest`"),
    ],
)
def test_flags_a_request_more_often_than_every_two_seconds(body: str, what: str) -> None:
    (message,) = messages("HP503", body, before="import * as React from 'react'\nconst FAST = 1000\n")
    assert what in message


@pytest.mark.parametrize(
    "body",
    [
        "setInterval(() => h.request('x'), 2000)",
        "setInterval(() => c.onDispose, 16)",
        "setInterval(() => h.request('x'), c.storage.get('every', 500))",
        "setTimeout(() => h.request('x'), 100)",
        "const once = () => c.rest('/x'); setTimeout(once, 50); once()",
        "let at = 0; setInterval(() => { if (Date.now() < at) return; at = Date.now() + 9000; h.request('x') }, 500)",
        "sdk.useQuery({ queryKey: ['demo'], queryFn: () => c.rest('/x'), refetchInterval: 15_000 })",
        "sdk.useQuery({ queryKey: ['demo'], queryFn: () => c.rest('/x'), refetchInterval: false })",
        "sdk.useQuery({ queryKey: ['demo'], queryFn: () => 1, refetchInterval: 100 }); h.request('x')",
        "const api = { request() {} }; setInterval(() => api.request('x'), 10)",
        "const setInterval = () => {}; setInterval(() => h.request('x'), 10)",
        "setInterval(() => fetchLocal(), 10); const fetchLocal = () => c.storage.get('x')",
    ],
)
def test_leaves_slow_and_local_work_alone(body: str) -> None:
    assert messages("HP503", body) == []
