import pytest

from loader.nouns import Span
from tests.analysis.finding import findings, messages, within


def colors(body: str, before: str = "") -> list[str]:
    return [message.split("`")[1] for message in messages("HP502", body, before=before)]


@pytest.mark.parametrize(
    ("body", "color"),
    [
        ("el('p', { style: { color: '#fff' } })", "#fff"),
        ("createElement('p', { style: { backgroundColor: `rgb(10 20 30)` } })", "rgb(10 20 30)"),
        ("el('p', { style: { border: '1px solid Gray' } })", "Gray"),
        ("const row = { color: 'red' }; el('p', { style: row })", "red"),
        ("const row = { color: 'red' }; el('p', { style: { ...row, margin: 0 } })", "red"),
        ("const INK = '#123456'; el('p', { style: { color: INK } })", "#123456"),
        ("const styles = { row: { color: 'red' } }; el('p', { style: styles.row })", "red"),
        ("el('p', { style: c.source ? { color: 'tomato' } : undefined })", "tomato"),
        ("el('p', { style: { color: c.source ? 'hsl(10 20% 30%)' : 'var(--ui-accent)' } })", "hsl(10 20% 30%)"),
        ("el('p', { style: { background: `linear-gradient(${c.source}, #abcdef80)` } })", "#abcdef80"),
        ("const row = (on) => ({ color: 'red' }); el('p', { style: row(true) })", "red"),
        ("function row() { return { color: 'red' } } el('p', { style: row() })", "red"),
        ("const style = { color: 'red' }; el('p', { style })", "red"),
        ("const p = document.createElement('p'); p.style.color = 'white'; c.onDispose(p)", "white"),
        ("const p = document.body; p.style.setProperty('background-color', '#000')", "#000"),
        ("el('p', { style: { 'background-color': 'black' } })", "black"),
        ("el('p', { className: 'p-1 text-[#ff0000]' })", "#ff0000"),
        ("el('p', { style: { boxShadow: '0 0 0 2px #3b82f6' } })", "#3b82f6"),
        ("el('style', { children: '.demo { margin: 0; color: #fff }' })", "#fff"),
        (
            "const CSS = `.demo a:hover { background: ${c.source}; border-color: red; }`; "
            "createElement('style', null, CSS)",
            "red",
        ),
        ("el('style', { dangerouslySetInnerHTML: { __html: 'p { outline-color: teal }' } })", "teal"),
        ("const s = document.createElement('style'); s.textContent = `.demo{background-color:#000}`", "#000"),
    ],
)
def test_flags_a_colour_written_out(body: str, color: str) -> None:
    assert colors(body) == [color]


@pytest.mark.parametrize(
    "body",
    [
        "el('p', { style: { color: 'var(--ui-text-secondary)' } })",
        "el('p', { style: { color: 'var(--mine, #fff)', background: 'none', border: 0 } })",
        "el('p', { style: { color: 'currentColor', background: 'transparent', borderColor: 'inherit' } })",
        "el('p', { style: { background: 'color-mix(in srgb, var(--ui-accent) 20%, white)' } })",
        "el('p', { style: { color: 'rgb(from var(--ui-accent) r g b / 50%)' } })",
        "el('p', { style: { boxShadow: '0 1px 4px rgba(0, 0, 0, 0.3)', background: 'rgb(0 0 0 / 40%)' } })",
        "const color = c.storage.get('color', '#fff'); el('p', { style: { color } })",
        "el('p', { style: { color: `#${c.source}`, background: `rgb(${c.source})` } })",
        "c.register({ id: 't', area: 'themes', data: { "
        "name: 't', colors: { background: '#101010', border: 'red' } } })",
        "el('circle', { fill: '#fff', stroke: 'red' })",
        "el('a', { href: '#abc', title: 'red', children: '#fff' })",
        "const g = el('canvas', {}).getContext('2d'); g.fillStyle = '#fff'",
        "const swatches = ['#fff', '#000']; c.onDispose(swatches)",
        "el('p', { style: { fontFamily: 'Linen', animation: 'red 1s', background: 'url(red.png#abc)' } })",
        "el('p', { className: 'bg-[#fff] dark:bg-[#000]' })",
        "el('p', { className: 'text-(--ui-accent,#4f9cf9) w-[10px]' })",
        "el('p', { style: { '--mine': '#fff' } })",
        "const label = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }); c.onDispose(label)",
        "const p = c.storage; p.color = 'red'",
        "el('style', { children: '.red { color: var(--ui-accent, #fff); --mine: #fff }' })",
        "el('style', { children: '@media (prefers-color-scheme: dark) { p { color: #fff } } p { color: #000 }' })",
        "el('style', { children: '.demo.dark p { color: #fff } .demo p { color: black }' })",
        "const p = document.createElement('p'); p.textContent = 'p { color: #fff }'",
        "el('pre', { children: 'p { color: #fff }' })",
    ],
)
def test_leaves_alone_what_follows_the_theme_or_is_no_style(body: str) -> None:
    assert colors(body) == []


def test_the_place_is_the_colour() -> None:
    (found,) = findings("HP502", within("const é = '😀'; el('p', { style: { border: '1px solid #ccc' }, title: é })"))
    assert found.span == Span(7, 55, 7, 59)


def test_a_style_used_twice_is_said_once() -> None:
    assert len(colors("const s = { color: 'red' }; el('p', { style: s }); el('b', { style: s })")) == 1


def test_the_hint_names_a_variable_for_the_place() -> None:
    hints = [
        one.hint or ""
        for one in findings(
            "HP502", within("el('p', { style: { color: 'red', borderColor: 'red', background: 'red' } })")
        )
    ]
    assert [word in hint for word, hint in zip(("text", "stroke", "color-mix"), hints, strict=True)] == [True] * 3


def test_the_place_is_right_behind_what_takes_more_than_a_byte() -> None:
    (found,) = findings("HP502", within("el('p', { style: { border: `${c.pick('😀é')}px solid #ccc` } })"))
    assert found.span == Span(7, 54, 7, 58)
