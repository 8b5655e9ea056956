"""An import that waits for what only a browser does is no import that never finishes."""

from __future__ import annotations

import pytest

from tests.analysis.rehearsal.playing import play_text

PLUGIN = "\nexport default { id: 'demo', register(ctx) {} }\n"
MADE = "const made = (name) => { const it = document.createElement(name); document.body.append(it); return it }\n"


@pytest.mark.parametrize(
    ("wait", "named"),
    [
        ("made('iframe').onload = done", "<iframe>.onload"),
        ("made('iframe').addEventListener('load', done)", "listener <iframe> 'load'"),
        ("const frame = document.createElement('iframe'); frame.onload = done; made('div').append(frame)", "<iframe>"),
        ("made('div').onanimationend = done", "<div>.onanimationend"),
        ("made('details').addEventListener('toggle', done)", "listener <details> 'toggle'"),
        (
            "const root = made('div').attachShadow({ mode: 'open' }); root.innerHTML = '<slot></slot>';"
            " root.querySelector('slot').onslotchange = done",
            "<slot>.onslotchange",
        ),
        ("document.documentElement.onpointerenter = done", "<html>.onpointerenter"),
    ],
)
def test_what_an_element_of_the_page_would_tell_is_the_apps_to_answer(wait: str, named: str) -> None:
    played = play_text(f"{MADE}await new Promise((done) => {{ {wait} }}){PLUGIN}")
    assert {one.code for one in played.findings} == {"HP405"}
    assert any(named in one.message for one in played.findings)


@pytest.mark.parametrize(
    "wait",
    [
        "made('div')",
        "document.createElement('iframe').addEventListener('load', done)",
        "new EventTarget().addEventListener('x', done)",
        "const it = made('div'); it.onclick = done; it.onclick = null",
        "const it = made('div'); it.addEventListener('x', done); it.removeEventListener('x', done)",
    ],
)
def test_what_nothing_in_the_page_can_tell_never_finishes(wait: str) -> None:
    played = play_text(f"{MADE}await new Promise((done) => {{ {wait} }}){PLUGIN}")
    assert [one.code for one in played.findings] == ["HP402"]


def test_a_page_of_many_nodes_is_looked_through_as_far_as_it_goes() -> None:
    fill = "for (let n = 0; n < 6000; n += 1) made('p')\n"
    played = play_text(f"{MADE}{fill}await new Promise((done) => {{}}){PLUGIN}")
    assert [one.code for one in played.findings] == ["HP402"]
