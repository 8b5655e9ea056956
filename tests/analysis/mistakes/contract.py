"""What the plugin says of itself: its default export, its id, its register function."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import Mistake, whole

_SDK = "import { host } from '@hermes/plugin-sdk'\n\n"
_REGISTER = "  register(ctx) {\n    host.notify({ kind: 'info', message: ctx.source })\n  }\n"

CONTRACT: tuple[Mistake, ...] = (
    whole(
        "plugin-never-exported",
        f"{_SDK}const plugin = {{\n  id: 'demo',\n{_REGISTER}}}\n",
        3,
        "HP301",
        ("export default plugin",),
    ),
    whole(
        "exported-by-name",
        f"{_SDK}export const plugin = {{\n  id: 'demo',\n{_REGISTER}}}\n",
        3,
        "HP301",
        ("export default plugin",),
    ),
    whole(
        "only-a-register-function",
        f"{_SDK}export function register(ctx) {{\n  host.notify({{ kind: 'info', message: ctx.source }})\n}}\n",
        3,
        "HP301",
        ("default export", "register }"),
    ),
    whole(
        "default-export-is-a-function",
        f"{_SDK}export default function demo(ctx) {{\n  host.notify({{ kind: 'info', message: ctx.source }})\n}}\n",
        3,
        "HP302",
        ("function", "register"),
    ),
    whole(
        "default-export-is-a-list",
        f"{_SDK}export default [\n  {{ id: 'demo', register(ctx) {{ ctx.onDispose(host.logout) }} }}\n]\n",
        3,
        "HP302",
        ("array",),
    ),
    whole(
        "component-as-default-export",
        "import { jsx } from 'react/jsx-runtime'\n\nexport const id = 'demo'\n"
        "export default () => jsx('p', { children: id })\n",
        4,
        "HP302",
        ("function",),
    ),
    whole(
        "no-register",
        "import { jsx } from 'react/jsx-runtime'\n\nexport default {\n  id: 'demo',\n  name: 'Demo',\n"
        "  render: () => jsx('p', { children: 'hi' })\n}\n",
        3,
        "HP302",
        ("register",),
    ),
    whole(
        "activate-instead-of-register",
        f"{_SDK}export default {{\n  id: 'demo',\n  activate(ctx) {{\n"
        "    host.notify({ kind: 'info', message: ctx.source })\n  }\n}\n",
        3,
        "HP302",
        ("activate", "rename"),
    ),
    whole("no-id", f"{_SDK}export default {{\n  name: 'Demo',\n{_REGISTER}}}\n", 3, "HP302", ("id",)),
    whole("id-is-a-number", f"{_SDK}export default {{\n  id: 42,\n{_REGISTER}}}\n", 4, "HP302", ("id", "number")),
    whole(
        "register-is-no-function",
        "export default {\n  id: 'demo',\n  register: true\n}\n",
        3,
        "HP302",
        ("register", "function"),
    ),
    whole(
        "id-with-spaces",
        f"{_SDK}export default {{\n  name: 'My Plugin',\n  id: 'My Plugin',\n{_REGISTER}}}\n",
        5,
        "HP304",
        ("my-plugin",),
    ),
    whole(
        "id-leads-outside",
        f"{_SDK}export default {{\n  id: '../../outside',\n{_REGISTER}}}\n",
        4,
        "HP304",
        ("outside",),
    ),
    whole("id-of-a-device", f"{_SDK}export default {{\n  id: 'con',\n{_REGISTER}}}\n", 4, "HP304", ("con-plugin",)),
    replace(
        whole(
            "id-of-another-folder",
            f"{_SDK}export default {{\n  id: 'other-plugin',\n{_REGISTER}}}\n",
            4,
            "HP303",
            ("other-plugin",),
        ),
        severity="info",
    ),
    replace(
        whole(
            "buttons-without-register",
            "export default {\n  id: 'demo',\n  name: 'Demo',\n"
            "  titlebarButtons: [{ id: 'go', label: 'Go', action: 'view.showBrowser' }]\n}\n",
            4,
            "HP306",
            ("register",),
        ),
        severity="warning",
    ),
)
