import pytest

from tests.analysis.finding import findings, messages, within


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("setInterval(() => {}, 1000)", "`setInterval`"),
        ("window.setInterval(() => {}, 1000)", "`setInterval`"),
        ("const timer = setInterval(() => {}, 1000); clearInterval(0)", "`setInterval`"),
        ("const timer = setInterval(() => {}, 1000); c.onDispose(() => timer)", "`setInterval`"),
        ("void setInterval(() => {}, 1000)", "`setInterval`"),
        ("c.source && setInterval(() => {}, 1000)", "`setInterval`"),
        ("window.addEventListener('resize', () => {})", "a listener on `window`"),
        ("addEventListener('resize', () => {})", "a listener on `window`"),
        ("document.body.addEventListener('click', () => {}, true)", "a listener on `document.body`"),
        (
            "const { body } = document; body.addEventListener('click', () => {}, { passive: true })",
            "a listener on `document.body`",
        ),
        (
            "const on = () => {}; document.addEventListener('a', on); document.removeEventListener('b', on)",
            "a listener on `document`",
        ),
        ("matchMedia('(width < 9px)').addEventListener('change', () => {})", "a listener on `matchMedia(…)`"),
        ("h.state.busy.listen(() => {})", "`host.state.busy.listen`"),
        ("const { busy } = h.state; busy.subscribe(() => {})", "`host.state.busy.subscribe`"),
        ("h.onEvent('message.delta', () => {})", "`host.onEvent`"),
        ("const stop = h.state.busy.listen(() => {})", "`host.state.busy.listen`"),
        ("useEffect(() => { setInterval(() => {}, 9000) }, [])", "`setInterval`"),
    ],
)
def test_flags_what_nothing_ends(body: str, what: str) -> None:
    (message,) = messages("HP506", body, before="import { useEffect } from 'react'\n")
    assert message.startswith(what)


@pytest.mark.parametrize(
    "body",
    [
        "const timer = setInterval(() => {}, 1000); c.onDispose(() => clearInterval(timer))",
        "let timer; timer = setInterval(() => {}, 1000); c.onDispose(() => window.clearInterval(timer))",
        "const kept = useRef(0); kept.current = setInterval(() => {}, 1000); "
        "c.onDispose(() => clearInterval(kept.current))",
        "c.setInterval(() => {}, 1000)",
        "useEffect(() => { const t = setInterval(() => {}, 1); return () => clearInterval(t) }, [])",
        "const on = () => {}; window.addEventListener('x', on); c.onDispose(() => window.removeEventListener('x', on))",
        "c.addEventListener(window, 'resize', () => {})",
        "const stop = new AbortController(); addEventListener('x', () => {}, "
        "{ signal: stop.signal }); c.onDispose(() => stop.abort())",
        "document.addEventListener('visibilitychange', () => {}, { once: true })",
        "const options = c.storage.get('options'); window.addEventListener('x', () => {}, options)",
        "const box = document.createElement('div'); box.addEventListener('click', () => {})",
        "document.getElementById('demo-box').addEventListener('click', () => {})",
        "const ref = useRef(null); useEffect(() => { ref.current.addEventListener('click', () => {}) }, [])",
        "for (const type of ['a', 'b']) addEventListener(type, on); "
        "function on() {} c.onDispose(() => removeEventListener('a', on))",
        "c.onDispose(h.state.busy.listen(() => {}))",
        "const stop = h.state.busy.listen(() => {}); c.onDispose(stop)",
        "useEffect(() => h.state.busy.listen(() => {}), [])",
        "const stops = []; stops.push(h.onEvent('*', () => {})); c.onDispose(() => stops.forEach((stop) => stop()))",
        "c.onEvent('*', () => {})",
        "const $mine = sdk.atom(0); $mine.listen(() => {})",
        "setTimeout(() => {}, 1000)",
        "const setInterval = () => {}; setInterval()",
    ],
)
def test_leaves_alone_what_ends_with_the_plugin(body: str) -> None:
    assert messages("HP506", body, before="import { useEffect } from 'react'\n") == []


def test_the_hint_fits_the_place() -> None:
    before = "import { useEffect } from 'react'\n"
    (inside,) = findings("HP506", within("useEffect(() => { h.state.busy.listen(() => {}) }, [])", before=before))
    (outside,) = findings("HP506", within("h.state.busy.listen(() => {})"))
    assert (
        inside.hint
        == "Return the clean-up from the effect: `const stop = host.state.busy.listen(…); return () => stop()`."
    )
    assert outside.hint == "Tell how it ends: `const stop = host.state.busy.listen(…); ctx.onDispose(() => stop())`."
