"""Good code that leaves out what a rule looks at: nothing is said of it, and nothing breaks."""

import pytest

from tests.analysis.compiling import check

LINES = [
    # Calls without what is looked at
    "clearInterval(setInterval(tick))",
    "clearInterval(setInterval(globalThis.tick, 60000))",
    "clearInterval(setInterval(tick, value))",
    "fetch()",
    "new URL()",
    "new WebSocket",
    "globalThis.eval?.length",
    "document.createElement()",
    "document.querySelector()",
    "new KeyboardEvent('keydown')",
    "el.setAttribute()",
    "el.setAttribute('title')",
    "el.style.setProperty('color')",
    "el.addEventListener()",
    "window.postMessage()",
    "host.request()",
    "ctx.rest()",
    "ctx.socket()",
    "ctx.pet.say()",
    "ctx.register?.length",
    "useEffect()",
    "useEffect(() => {})",
    "useState()",
    "useCallback()",
    "useMemo(make, [])",
    "useMemo(make)",
    "useRef()",
    "return jsx()",
    "return jsx('div')",
    "return jsx(View)",
    "return jsx(View, null)",
    "return jsx(View, props)",
    "return jsx('div', { ...props })",
    "return jsx('div', { style: { ...styles } })",
    "return jsx('div', { style: styles })",
    "return jsx('div', { style })",
    "createElement()",
    "Object.assign()",
    "Object.defineProperty()",
    "Promise.resolve().then()",
    "[1].map()",
    "rows.map(row => row)",
    "Function.length",
    "el.innerHTML",
    "el.style.cssText = text",
    "with_(value)(more)",
    "(0, call)()",
    "new (class {})()",
    "(await thing).value",
    "(((ctx)))",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_tells_nothing_is_told_nothing_of(line: str) -> None:
    names = "tick, el, View, props, styles, style, make, rows, text, with_, value, more, call, thing, createElement"
    text = (
        "import { host } from '@hermes/plugin-sdk'\n"
        "import { useState, useEffect, useCallback, useMemo, useRef } from 'react'\n"
        "import { jsx } from 'react/jsx-runtime'\n"
        f"export async function play({{ ctx, {names} }}) {{\n  {line}\n}}\n"
        "export default { id: 'demo', register(ctx) {\n"
        "  void [host, ctx, useState, useEffect, useCallback, useMemo, useRef, jsx]\n} }\n"
    )
    assert [(found.code, found.message) for found in check(text).findings] == []
