"""Files that load, and whose register function, contributions or components then fail."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import Mistake, whole


def _plugin(name: str, body: str, line: int, code: str, names: tuple[str, ...] = (), before: str = "") -> Mistake:
    """``body`` is the inside of register, ``before`` stands above the plugin; ``line`` counts in both together."""
    imports = "".join(
        line + "\n"
        for word, line in (
            ("useEffect", "import { useEffect } from 'react'"),
            ("useState", "import { useState } from 'react'"),
            ("jsx(", "import { jsx } from 'react/jsx-runtime'"),
        )
        if word in before + body
    )
    head = f"{imports}\n{before}"
    text = f"{head}export default {{\n  id: 'demo',\n  register(ctx) {{\n{body}  }}\n}}\n"
    offset = head.count("\n") + 3 if not before else imports.count("\n") + 1
    return replace(whole(name, text, line + offset, code, names), severity="warning")


_PANE = "    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', data: { placement: 'right' }, render: Pane })\n"


def _component(name: str, lines: str, line: int, code: str, names: tuple[str, ...] = ()) -> Mistake:
    return _plugin(name, _PANE.replace("render: Pane", "render: () => jsx(Pane, {})"), line, code, names, lines)


RENDERING: tuple[Mistake, ...] = (
    _plugin("invented-context-method", "    ctx.registerPane({ id: 'pane' })\n", 1, "HP401", ("registerPane",)),
    _plugin("misspelt-context-method", "    ctx.registr({ id: 'pane', area: 'panes' })\n", 1, "HP401", ("registr",)),
    _plugin(
        "element-looked-up-in-register",
        "    const box = document.getElementById('demo-box')\n    box.textContent = 'hi'\n",
        2,
        "HP401",
        ("null",),
    ),
    replace(
        whole(
            "work-at-import",
            "const box = document.getElementById('demo-box')\nbox.textContent = 'hi'\n\n"
            "export default {\n  id: 'demo',\n  register(ctx) {\n    ctx.onDispose(() => box.remove())\n  }\n}\n",
            2,
            "HP403",
            ("null",),
        ),
        severity="warning",
    ),
    _plugin(
        "unknown-area",
        "    ctx.register({ id: 'chip', area: 'statusbar.right', render: () => jsx('span', { children: 'hi' }) })\n",
        1,
        "HP407",
        ("statusBar.right",),
    ),
    _plugin(
        "pane-without-placement",
        "    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', render: () => jsx('p', { children: 'hi' }) })\n",
        1,
        "HP407",
        ("placement",),
    ),
    _plugin(
        "route-without-slash",
        "    ctx.register({\n      id: 'page',\n      area: 'routes',\n      data: { path: 'demo' },\n"
        "      render: () => jsx('p', { children: 'hi' })\n    })\n",
        1,
        "HP407",
        ("path",),
    ),
    _plugin(
        "command-without-run",
        "    ctx.register({ id: 'go', area: 'palette', data: { id: 'demo:go', label: 'Go' } })\n",
        1,
        "HP407",
        ("run",),
    ),
    _plugin(
        "unknown-codicon",
        "    const data = { path: '/demo', label: 'Demo', codicon: 'no-such' }\n"
        "    ctx.register({ id: 'nav', area: 'sidebar.nav', data })\n",
        2,
        "HP407",
        ("no-such",),
    ),
    _plugin(
        "same-id-twice",
        "    const render = () => jsx('span', { children: 'hi' })\n"
        "    ctx.register({ id: 'chip', area: 'statusBar.left', render })\n"
        "    ctx.register({ id: 'chip', area: 'statusBar.right', render })\n",
        3,
        "HP408",
        ("chip",),
    ),
    replace(
        whole(
            "hook-not-imported",
            "import { jsx } from 'react/jsx-runtime'\n\nfunction Pane() {\n  const [count] = useState(0)\n"
            "  return jsx('p', { children: count })\n}\n\nexport default {\n  id: 'demo',\n  register(ctx) {\n"
            + _PANE.replace("render: Pane", "render: () => jsx(Pane, {})")
            + "  }\n}\n",
            4,
            "HP406",
            ("useState", "react"),
        ),
        severity="warning",
    ),
    replace(
        whole(
            "jsx-not-imported",
            "export default {\n  id: 'demo',\n  register(ctx) {\n"
            "    const render = () => jsx('p', { children: 'hi' })\n"
            "    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', data: { placement: 'right' }, render })\n"
            "  }\n}\n",
            4,
            "HP406",
            ("jsx", "react/jsx-runtime"),
        ),
        severity="warning",
    ),
    _plugin(
        "misspelt-own-function",
        "    const run = (shown) => shown && stopp()\n"
        "    ctx.register({ id: 'run', area: 'palette', data: { id: 'demo:run', label: 'Run', run } })\n",
        8,
        "HP501",
        ("stopp", "stop"),
        "function stop() {\n  return 1\n}\n\n",
    ),
    _component(
        "hook-behind-a-condition",
        "function Pane() {\n  const [open, setOpen] = useState(false)\n  useEffect(() => setOpen(true), [])\n"
        "  if (open) {\n    useState(0)\n  }\n  return jsx('p', { children: String(open) })\n}\n\n",
        5,
        "HP406",
        ("hook",),
    ),
    _component(
        "object-as-child",
        "function Pane() {\n  const [user] = useState({ name: 'a' })\n  return jsx('p', { children: user })\n}\n\n",
        3,
        "HP406",
        ("object",),
    ),
    _component(
        "value-not-there-yet",
        "function Pane() {\n  const [list] = useState()\n"
        "  return jsx('p', { children: list.map((one) => one) })\n}\n\n",
        3,
        "HP406",
        ("undefined",),
    ),
    _component(
        "component-returns-nothing-known",
        "function Pane() {\n  return jsx(Missing.Part, {})\n}\n\nconst Missing = {}\n\n",
        2,
        "HP406",
        ("undefined",),
    ),
    _plugin(
        "hook-in-register",
        "    const [count] = useState(0)\n    ctx.onDispose(() => count)\n",
        1,
        "HP401",
        ("hook",),
    ),
    _plugin(
        "clean-up-throws",
        "    ctx.onDispose(() => {\n      window.demoTimer.stop()\n    })\n",
        2,
        "HP410",
    ),
    # ---- what React throws at, or leaves out without a word
    _component(
        "jsx-without-props", "function Pane() {\n  return jsx('hr', null)\n}\n\n", 2, "HP406", ("jsx('p', {})",)
    ),
    _component(
        "children-behind-the-props",
        "function Pane() {\n  return jsx('p', {}, jsx('b', { children: 'hi' }))\n}\n\n",
        2,
        "HP406",
        ("children", "key"),
    ),
    _component(
        "style-as-text", "function Pane() {\n  return jsx('p', { style: 'top: 0' })\n}\n\n", 2, "HP406", ("style: {",)
    ),
    _component(
        "component-that-is-async",
        "async function Pane() {\n  return jsx('p', { children: 'hi' })\n}\n\n",
        1,
        "HP406",
        ("async component", "useQuery"),
    ),
    _component(
        "effect-that-is-async",
        "function Pane() {\n  useEffect(async () => {}, [])\n  return jsx('p', { children: 'hi' })\n}\n\n",
        1,
        "HP406",
        ("a promise", "async function load"),
    ),
    _component(
        "state-set-while-drawing",
        "function Pane() {\n  const [count, setCount] = useState(0)\n"
        "  return jsx('button', { onClick: setCount(count + 1), children: count })\n}\n\n",
        1,
        "HP406",
        ("Pane sets state", "onClick: () =>"),
    ),
    _component(
        "promise-that-nobody-waited-for",
        "const items = fetch('/items')\n\nfunction Pane() {\n"
        "  return jsx('p', { children: items.map((item) => item.name).join() })\n}\n\n",
        4,
        "HP406",
        ("items.map", "a promise"),
    ),
    _plugin(
        "component-in-place-of-render",
        _PANE.replace("render: Pane", "component: Pane"),
        6,
        "HP407",
        ("`component`", "render: () => jsx(Pane, {})"),
        "const Pane = () => jsx('p', {})\n\n",
    ),
    _plugin(
        "area-by-another-name", "    ctx.register({ id: 'chip', slot: 'panes' })\n", 1, "HP407", ("`slot`", "`area`")
    ),
    _plugin(
        "area-beside-the-object",
        "    ctx.register('panes', { render: () => null })\n",
        1,
        "HP407",
        ("one object",),
    ),
    _component(
        "handler-called-at-once",
        "const save = () => 'saved'\n\nfunction Pane() {\n  return jsx('button', { onClick: save() })\n}\n\n",
        4,
        "HP406",
        ("onClick", "no function", "onClick: () =>"),
    ),
    _component(
        "component-in-quotes",
        "function Part() {\n  return null\n}\n\nfunction Pane() {\n  return jsx('Part', { Part })\n}\n\n",
        6,
        "HP406",
        ("jsx('Part'", "without quotes"),
    ),
    _component(
        "component-that-is-called",
        "const Part = () => jsx('p', {})\n\nfunction Pane() {\n  return jsx(Part(), {})\n}\n\n",
        4,
        "HP406",
        ("element", "jsx(Panel, {})"),
    ),
    _component(
        "node-of-the-document",
        "function Pane() {\n  return jsx('p', { children: document.createElement('b') })\n}\n\n",
        2,
        "HP406",
        ("a DOM node", "ref"),
    ),
    _plugin(
        "one-where-a-list-belongs", "    ctx.registerMany({ id: 'chip' })\n", 1, "HP401", ("a list", "registerMany([")
    ),
    _plugin("context-by-another-name", "    context.storage.set('on', true)\n", 1, "HP401", ("`ctx`",)),
    _plugin(
        "icon-of-another-set",
        "    const data = { label: 'X', codicon: 'HomeIcon', onSelect() {} }\n"
        "    ctx.register({ id: 'nav', area: 'sidebar.nav', data })\n",
        2,
        "HP407",
        ("HomeIcon", "'home'"),
    ),
)
