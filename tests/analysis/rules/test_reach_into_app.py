import pytest

from tests.analysis.finding import findings, messages, within


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("window.hermesDesktop.openExternal('x')", "`window.hermesDesktop.openExternal` is the app's own bridge"),
        ("const { api } = globalThis.hermesDesktop; api()", "`window.hermesDesktop` is the app's own bridge"),
        ("hermesDesktop?.notify?.('x')", "`window.hermesDesktop.notify` is the app's own bridge"),
        ("window.hermesDesktop && window.hermesDesktop.zoom()", "`window.hermesDesktop.zoom`"),
        ("localStorage.getItem('hermes.desktop.theme')", "`localStorage` entries under `hermes.desktop.`"),
        ("const { localStorage: l } = window; l.setItem(`hermes.desktop.${c.source}`, '1')", "`localStorage` entries"),
        ("delete localStorage['hermes.desktop.theme']", "entries under `hermes.desktop.`"),
        ("Object.keys(localStorage).filter((k) => k.startsWith('hermes.desktop.'))", "entries under"),
        ("localStorage.clear()", "`localStorage.clear()` wipes"),
        ("Object.keys(c.node).find((k) => k.startsWith('__reactFiber$'))", "React's internals are looked for"),
        ("const key = '$x'; c.node['__reactProps' + key]", "React's internals"),
        ("for (const k in c.node) if (/^__reactFiber/.test(k)) c.onDispose(k)", "React's internals"),
        ("document.querySelector('.titlebar-tools button')", "`.titlebar-tools button` looks for markup"),
        ("document.querySelectorAll('[data-slot=\"composer-input\"]')", "looks for markup"),
        ("document.getElementsByClassName('sidebar')", "`.sidebar` looks for markup"),
        ("document.querySelector('textarea')", "`textarea` looks for markup"),
        ("document.documentElement.style.setProperty('--ui-accent', 'red')", "`--ui-accent` is the app's own variable"),
    ],
)
def test_flags_what_belongs_to_the_app(body: str, what: str) -> None:
    (message,) = messages("HP602", body)
    assert what in message


@pytest.mark.parametrize(
    "body",
    [
        "if (typeof window.hermesDesktop === 'undefined') c.onDispose(() => {})",
        "if ('hermesDesktop' in window) c.onDispose(() => {})",
        "const hermesDesktop = { open() {} }; hermesDesktop.open()",
        "localStorage.getItem('demo.theme'); localStorage.removeItem('hermes.demo')",
        "const cache = new Map(); cache.clear(); c.storage.clear?.()",
        "const internalKey = '__reactFiber$' + Math.random(); c.onDispose(internalKey)",
        "el('div', { className: 'board-root' }); document.querySelector('.board-root > button')",
        "const s = document.body; s.dataset.demoStyle = ''; document.querySelector('[data-demo-style]')",
        "document.querySelector('body'); document.querySelector('html, head > style'); document.querySelector(':root')",
        "document.getElementById('demo-layer'); document.querySelector('#demo-layer')",
        "document.querySelector(c.storage.get('selector'))",
        "const root = useRef(null); root.current.querySelector('.titlebar-tools')",
        "document.body.append(document.createElement('a')); document.addEventListener('keydown', () => {})",
        "document.documentElement.style.setProperty('--demo-gap', '4px')",
        "const r = useRef(null); r.current.style.setProperty('--ui-accent', 'red')",
        "getComputedStyle(document.documentElement).getPropertyValue('--ui-accent')",
        "document.title; document.visibilityState; document.documentElement.classList.contains('dark')",
    ],
)
def test_leaves_the_plugins_own_alone(body: str) -> None:
    assert messages("HP602", body) == []


def test_the_way_out_fits_the_member() -> None:
    (found,) = findings("HP602", within("window.hermesDesktop.openExternal('x')"))
    assert found.hint == "Use `ctx.os.openExternal(url)`."
