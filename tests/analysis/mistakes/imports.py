"""What a plugin may not import, or imports under a name that is not there."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import TAIL, Mistake, whole

_JSX = "import { jsx } from 'react/jsx-runtime'\n"


def _importing(name: str, line: str, code: str, names: tuple[str, ...] = (), use: str = "") -> Mistake:
    """A wrong import on line 2, and a line of code that uses it."""
    return whole(name, f"{_JSX}{line}\n{use}{TAIL}", 2, code, names)


IMPORTS: tuple[Mistake, ...] = (
    _importing(
        "npm-package", "import axios from 'axios'", "HP201", ("axios",), "export const get = (url) => axios.get(url)\n"
    ),
    _importing(
        "file-beside-it", "import { format } from './format.js'", "HP201", ("./format.js",), "export const f = format\n"
    ),
    _importing(
        "address-on-the-web",
        "import confetti from 'https://esm.sh/canvas-confetti'",
        "HP201",
        ("esm.sh",),
        "export const party = () => confetti()\n",
    ),
    _importing(
        "node-module",
        "import fs from 'node:fs'",
        "HP201",
        ("node:fs",),
        "export const read = () => fs.readFileSync('x')\n",
    ),
    _importing(
        "sdk-in-wrong-case",
        "import { host } from '@Hermes/plugin-sdk'",
        "HP201",
        ("@hermes/plugin-sdk",),
        "export const say = () => host.notify({ kind: 'info', message: 'a' })\n",
    ),
    _importing(
        "sdk-under-another-name",
        "import { host } from 'hermes-plugin-sdk'",
        "HP201",
        ("@hermes/plugin-sdk",),
        "export const say = () => host.notify({ kind: 'info', message: 'a' })\n",
    ),
    _importing(
        "react-dom",
        "import { createPortal } from 'react-dom'",
        "HP201",
        ("react-dom",),
        "export const portal = (child) => createPortal(child, document.body)\n",
    ),
    _importing(
        "jsx-dev-runtime",
        "import { jsxDEV } from 'react/jsx-dev-runtime'",
        "HP201",
        ("react/jsx-runtime",),
        "export const node = () => jsxDEV('p', {})\n",
    ),
    _importing("style-sheet", "import './style.css'", "HP201", ("./style.css", "style:")),
    _importing(
        "json-file-beside-it",
        "import strings from './strings.json' with { type: 'json' }",
        "HP201",
        ("./strings.json", "object"),
        "export const title = () => strings.title\n",
    ),
    _importing("re-export", "export * from './parts.js'", "HP201", ("./parts.js",)),
    whole(
        "dynamic-npm-package",
        f"{_JSX}export async function chart() {{\n  const d3 = await import('d3')\n  return d3\n}}\n{TAIL}",
        3,
        "HP202",
        ("d3",),
    ),
    whole(
        "dynamic-file-beside-it",
        f"{_JSX}export const lazy = () => import('./lazy.js')\n{TAIL}",
        2,
        "HP202",
        ("./lazy.js",),
    ),
    whole(
        "dynamic-name-from-a-variable",
        f"{_JSX}export const load = (name) =>\n  import(name)\n{TAIL}",
        3,
        "HP203",
    ),
    _importing(
        "cyrillic-letter",
        "import { useState } from 're\u0430ct'",
        "HP208",
        ("U+0430",),
        "export const use = () => useState(0)\n",
    ),
    _importing(
        "attributes-on-react",
        "import { useState } from 'react' with { type: 'javascript' }",
        "HP209",
        ("with",),
        "export const use = () => useState(0)\n",
    ),
    whole(
        "require-everything",
        "const { host } = require('@hermes/plugin-sdk')\n\nmodule.exports = {\n  id: 'demo',\n  register(ctx) {\n"
        "    host.notify({ kind: 'info', message: ctx.source })\n  }\n}\n",
        1,
        "HP207",
        ("require", "import"),
    ),
    whole(
        "module-exports",
        "import { host } from '@hermes/plugin-sdk'\n\nmodule.exports = {\n  id: 'demo',\n  register(ctx) {\n"
        "    host.notify({ kind: 'info', message: ctx.source })\n  }\n}\n",
        3,
        "HP207",
        ("module.exports", "export default"),
    ),
    _importing(
        "type-among-values",
        "import { host, PluginContext } from '@hermes/plugin-sdk'",
        "HP205",
        ("PluginContext",),
        "export const is = (ctx) => ctx instanceof PluginContext && host.state.busy.get()\n",
    ),
    _importing(
        "hook-from-the-sdk",
        "import { useState, host } from '@hermes/plugin-sdk'",
        "HP204",
        ("useState", "`react`"),
        "export const use = () => useState(host)\n",
    ),
    _importing(
        "misspelt-sdk-name",
        "import { STATUSBAR_AREA } from '@hermes/plugin-sdk'",
        "HP204",
        ("STATUSBAR_AREAS",),
        "export const area = () => STATUSBAR_AREA.right\n",
    ),
    _importing(
        "invented-sdk-name",
        "import { openWindow } from '@hermes/plugin-sdk'",
        "HP204",
        ("openWindow",),
        "export const open = () => openWindow('a')\n",
    ),
    whole(
        "jsx-from-react",
        f"import {{ jsx }} from 'react'\n{TAIL}",
        1,
        "HP204",
        ("jsx", "react/jsx-runtime"),
    ),
    replace(
        _importing(
            "name-of-newer-apps",
            "import { SETTINGS_PLUGINS_AREA } from '@hermes/plugin-sdk'",
            "HP206",
            ("SETTINGS_PLUGINS_AREA",),
            "export const area = () => SETTINGS_PLUGINS_AREA\n",
        ),
        severity="warning",
    ),
)
