import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("const s = document.createElement('script'); s.src = c.source", "a script element is made"),
        ("const { document: d } = window; d.createElement('SCRIPT')", "a script element is made"),
        ("const s = document.createElement('script'); s.type = 'module'", "a script element is made"),
        ("el('script', { children: 'go()' })", "a script element is rendered"),
        ("createElement('script', { type: 'text/javascript' })", "a script element is rendered"),
        ("const html = '<b>x</b><script>go()</script>'; h.box.innerHTML = html", "markup with a script"),
        ('h.box.innerHTML += `<script src="${c.source}"></script>`', "markup with a script"),
        ("h.box.insertAdjacentHTML('beforeend', '<script>go()</script>')", "markup with a script"),
        ("el('div', { dangerouslySetInnerHTML: { __html: '<script>go()</script>' } })", "markup with a script"),
        ("h.box.outerHTML = '<img src=x onerror=\"go()\">'", "an event handler"),
        ("document.write('<p>hi</p>')", "`document.write` writes"),
        ("document.createRange().createContextualFragment('<script>go()</script>')", "markup with a script"),
    ],
)
def test_flags_scripts_put_into_the_page(body: str, what: str) -> None:
    (message,) = messages("HP612", body)
    assert what in message


@pytest.mark.parametrize(
    "body",
    [
        "document.createElement('style')",
        "const s = document.createElement('script'); s.type = 'application/json'",
        "el('script', { type: 'application/ld+json', children: '{}' })",
        "el('iframe', { sandbox: 'allow-scripts', srcDoc: '<script>go()</script>' })",
        "h.box.innerHTML = '<p class=\"one\">description</p>'",
        "h.box.innerHTML = '<script></script>'",
        "h.box.innerHTML = c.source",
        "el('p', { children: 'write <script> to run code' })",
        "el('div', { dangerouslySetInnerHTML: { __html: c.storage.get('html') } })",
        "const note = 'document.write'; c.storage.set(note, '<script>')",
        "h.box.innerHTML = '<a href=\"#on\">once = on</a>'",
        "const own = { write() {} }; own.write('<script>')",
    ],
)
def test_leaves_data_frames_and_plain_markup_alone(body: str) -> None:
    assert messages("HP612", body) == []
