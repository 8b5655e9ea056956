import pytest

from tests.analysis.finding import messages

BEFORE = "const API = 'https://api.example.com'\nconst API_V2 = `${API}/v2`\n"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("fetch('https://api.example.com/x')", "`fetch` calls on `api.example.com`"),
        ("fetch(`${API_V2}/users/${c.source}`)", "`fetch` calls on `api.example.com`"),
        ("const get = window.fetch; get(API + '/x')", "`fetch` calls on"),
        ("fetch(new URL('/x', API))", "`fetch` calls on"),
        ("fetch(c.source ? API : '/x')", "`fetch` calls on"),
        ("new WebSocket('wss://live.example.com')", "`WebSocket` calls on `live.example.com`"),
        ("new EventSource(API)", "`EventSource` calls on"),
        ("navigator.sendBeacon('//stats.example.com/hit')", "`sendBeacon` calls on `stats.example.com`"),
        ("const x = new XMLHttpRequest(); x.open('GET', API)", "`XMLHttpRequest` calls on"),
        ("el('img', { src: 'https://example.com/a.png' })", "`src` of `img` is loaded from `example.com`"),
        ("createElement('video', { poster: `${API}/p.jpg` })", "`poster` of `video`"),
        ("el('div', { style: { backgroundImage: 'url(https://example.com/a.png)' } })", "`backgroundImage` is loaded"),
        ("el('style', { children: '@import url(https://fonts.example.com/css);' })", "the style sheet is loaded"),
        ("const i = new Image(); i.src = API", "is loaded from"),
        ("const l = document.createElement('link'); l.href = API", "`href` of `link`"),
        ("const a = document.createElement('img'); const b = a; b.src = API", "`src` of `img`"),
        ("const s = document.createElement('style'); s.textContent = '@import \"https://a.example/x.css\"'", "a style"),
        ("h.box.style.background = `url('https://a.example/x.png')`", "a style is loaded from `a.example`"),
    ],
)
def test_flags_fixed_addresses_on_the_internet(body: str, what: str) -> None:
    (message,) = messages("HP615", body, before=BEFORE)
    assert what in message


@pytest.mark.parametrize(
    "body",
    [
        "fetch('http://localhost:8080/x'); fetch('http://127.0.0.1:9119'); fetch('http://[::1]:80/')",
        "new WebSocket('ws://localhost:9222/devtools')",
        "fetch('/api/x'); fetch('data:text/plain,x'); fetch('blob:https://example.com/1')",
        "fetch(c.storage.get('url')); fetch(`http://${c.storage.get('host')}/x`)",
        "c.os.openExternal('https://example.com')",
        "el('a', { href: 'https://example.com', children: 'docs' })",
        "el('svg', { xmlns: 'http://www.w3.org/2000/svg' })",
        "document.createElementNS('http://www.w3.org/2000/svg', 'svg')",
        "el('iframe', { src: 'https://example.com' })",
        "const a = document.createElement('a'); a.href = 'https://example.com'",
        "el('img', { src: 'data:image/png;base64,AAAA', alt: 'https://example.com' })",
        "const fetch = (x) => x; fetch('https://example.com')",
        "const own = { open() {} }; own.open('https://example.com'); window.open('https://example.com', '_blank')",
        "new URL('https://example.com'); c.storage.set('home', 'https://example.com')",
        "const a = document.querySelector('img'); const b = a; b.src = 'https://example.com/a.png'",
        "el('input', { placeholder: 'https://example.com/a.png' })",
    ],
)
def test_leaves_this_machine_links_and_the_users_addresses_alone(body: str) -> None:
    assert messages("HP615", body) == []
