"""Files that run, in a way that will hurt their users, the app or other plugins."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import Mistake, whole


def _body(
    name: str, body: str, line: int, code: str, names: tuple[str, ...] = (), severity: str = "warning", head: str = ""
) -> Mistake:
    """``body`` is the inside of register, ``head`` the imports; ``line`` counts in the body."""
    text = f"{head}export default {{\n  id: 'demo',\n  register(ctx) {{\n{body}  }}\n}}\n"
    return replace(whole(name, text, line + 3 + head.count("\n"), code, names), severity=severity)


_JSX = "import { jsx } from 'react/jsx-runtime'\n"
_HOST = "import { host } from '@hermes/plugin-sdk'\n"
_PANE = "    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', data: { placement: 'right' }, render })\n"

_LOOK = "    if (result && !result.ok) console.warn(result.error)\n"
_RUN = "    ctx.register({ id: 'run', area: 'palette', data: { id: 'demo:run', label: 'Run', run } })\n"

HABITS: tuple[Mistake, ...] = (
    _body(
        "fixed-colour",
        "    const render = () => jsx('p', { style: { color: '#ff0000' }, children: 'hi' })\n" + _PANE,
        1,
        "HP502",
        ("#ff0000", "var(--"),
        head=_JSX,
    ),
    _body(
        "polls-ten-times-a-second",
        "    ctx.setInterval?.(async () => {\n      ctx.storage.set('jobs', await ctx.rest('/jobs'))\n    }, 100)\n",
        1,
        "HP503",
        ("100",),
    ),
    _body(
        "socket-alone",
        "    ctx.onDispose(ctx.socket('/live', (message) => ctx.storage.set('last', message)))\n",
        1,
        "HP504",
        ("socket",),
    ),
    _body(
        "canvas-of-one-size",
        "    const draw = (canvas) => canvas?.getContext('2d').fillRect(0, 0, canvas.width, canvas.height)\n"
        "    const render = () => jsx('canvas', { ref: draw, style: { width: '100%' } })\n" + _PANE,
        2,
        "HP505",
        ("ResizeObserver",),
        head=_JSX,
    ),
    _body(
        "unknown-action",
        "    const result = ctx.runAction?.('view.showBrowsr')\n" + _LOOK,
        1,
        "HP507",
        ("view.showBrowser",),
    ),
    _body(
        "action-that-plugins-may-not-run",
        "    const result = ctx.runAction?.('composer.send')\n" + _LOOK,
        1,
        "HP507",
        ("composer.send",),
    ),
    _body(
        "newer-member-taken-for-granted",
        "    ctx.pet.say('hello')\n",
        1,
        "HP508",
        ("ctx.pet",),
    ),
    replace(
        whole(
            "import-never-used",
            "import { host, atom } from '@hermes/plugin-sdk'\n\nexport default {\n  id: 'demo',\n  register(ctx) {\n"
            "    host.notify({ kind: 'info', message: ctx.source })\n  }\n}\n",
            1,
            "HP509",
            ("atom",),
        ),
        severity="info",
    ),
    _body(
        "refusal-thrown-away",
        "    ctx.runAction?.('view.showBrowser')\n",
        1,
        "HP510",
        ("runAction", "ok"),
        severity="info",
    ),
    _body(
        "handler-with-yesterdays-value",
        "    const render = () => {\n      const left = useValue($left)\n"
        "      return jsx('button', { onClick: () => setTimeout(() => $left.set(left - 1), 1000), children: left })\n"
        "    }\n" + _PANE,
        3,
        "HP511",
        ("left", "$left.get()"),
        head="import { atom, useValue } from '@hermes/plugin-sdk'\n" + _JSX + "\nconst $left = atom(9)\n\n",
    ),
    _body(
        "busy-by-the-gateway",
        "    const render = () => {\n      const gateway = useValue(host.state.gateway)\n"
        "      return jsx('button', { disabled: gateway !== 'open', children: 'Go' })\n    }\n" + _PANE,
        3,
        "HP512",
        ("host.state.busy",),
        severity="info",
        head="import { host, useValue } from '@hermes/plugin-sdk'\n" + _JSX,
    ),
    _body(
        "pet-reads-a-log",
        "    for (const job of ctx.storage.get('jobs', [])) {\n      ctx.pet?.say?.(`job ${job}`)\n    }\n",
        2,
        "HP513",
        ("loop",),
        severity="info",
    ),
    _body(
        "sdk-of-the-dashboard",
        "    const SDK = window.__HERMES_PLUGIN_SDK__\n    ctx.onDispose(() => SDK)\n",
        1,
        "HP514",
        ("dashboard", "@hermes/plugin-sdk"),
    ),
    _body(
        "command-without-the-plugins-id",
        "    const run = () => ctx.storage.set('on', true)\n"
        "    ctx.register({ id: 'go', area: 'palette', data: { id: 'refresh', label: 'Refresh', run } })\n",
        2,
        "HP515",
        ("demo:refresh",),
        severity="info",
    ),
    _body(
        "element-that-is-not-returned",
        "    const render = () => {\n      jsx('p', { children: 'hi' })\n    }\n" + _PANE,
        2,
        "HP517",
        ("thrown away", "return jsx("),
        head=_JSX,
    ),
    _body(
        "whole-path-of-the-backend",
        "    const run = async () => ctx.storage.set('x', await ctx.rest('/api/plugins/demo/items'))\n" + _RUN,
        1,
        "HP516",
        ("/api/plugins/<id>", "ctx.rest('/items')"),
    ),
    _body(
        "backend-asked-by-fetch",
        "    const run = async () => ctx.storage.set('x', await (await fetch('/api/plugins/demo/items')).json())\n"
        + _RUN,
        1,
        "HP516",
        ("fetch", "ctx.rest('/items')"),
    ),
    _body(
        "presses-the-apps-keys",
        "    const run = () =>\n      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'b' }))\n" + _RUN,
        2,
        "HP601",
        ("ctx.runAction",),
    ),
    _body(
        "opens-links-through-the-bridge",
        "    const run = () => window.hermesDesktop?.openExternal('https://example.com')\n" + _RUN,
        1,
        "HP602",
        ("ctx.os.openExternal",),
    ),
    _body(
        "writes-the-apps-settings",
        "    const run = () => localStorage.setItem('hermes.desktop.theme', 'dark')\n" + _RUN,
        1,
        "HP602",
        ("ctx.storage",),
    ),
    _body(
        "looks-into-the-apps-markup",
        "    const run = () => document.querySelector('[data-slot=\"composer-input\"]')\n" + _RUN,
        1,
        "HP602",
        ("ctx.register",),
    ),
    _body(
        "evaluates-text",
        "    const answer = eval(ctx.storage.get('formula', '1 + 1'))\n    ctx.storage.set('answer', answer)\n",
        1,
        "HP611",
        ("eval",),
    ),
    _body(
        "adds-a-script",
        "    const run = () => {\n      const script = document.createElement('script')\n"
        "      document.head.append(script)\n    }\n" + _RUN,
        2,
        "HP612",
        ("script",),
    ),
    replace(
        whole(
            "patches-arrays",
            "Array.prototype.last = function () {\n  return this[this.length - 1]\n}\n\n"
            "export default {\n  id: 'demo',\n  register(ctx) {\n    ctx.storage.set('new', [1, 2].last())\n  }\n}\n",
            1,
            "HP613",
            ("Array.prototype.last",),
        ),
        severity="warning",
    ),
    _body(
        "turned-around-text",
        "    const role = ctx.storage.get('role', 'user\u202e')\n    ctx.storage.set('admin', role === 'admin')\n",
        1,
        "HP614",
        ("U+202E",),
    ),
    _body(
        "picture-from-the-web",
        "    const render = () => jsx('img', { src: 'https://example.com/logo.png', alt: '' })\n" + _PANE,
        1,
        "HP615",
        ("example.com", "data:"),
        head=_JSX,
    ),
    _body(
        "asks-a-server-directly",
        "    const run = async () => ctx.storage.set('x', await (await fetch('https://api.example.com/x')).json())\n"
        + _RUN,
        1,
        "HP615",
        ("api.example.com", "ctx.rest"),
    ),
)
