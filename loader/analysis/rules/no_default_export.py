"""The file has no default export, so the app finds no plugin in it.

Nothing appears and nothing is said: the most common silent failure. The message says what is exported instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.commonjs import commonjs_uses
from loader.analysis.syntax import Module, Node
from loader.nouns import Span

_IIFE = re.compile(
    rb"""(?:["']use strict["'];?\s*)?(?:(?:var|let|const)\s+[\w$]+\s*=\s*)?"""
    rb"""[!;+]?\(\s*(?:\(\)\s*=>|function\b|\([\w$,\s]*\)\s*=>)"""
)
_FOR_A_SCRIPT_TAG = (
    "This was built for a script tag: build it as a module (`esbuild --bundle --format=esm`, `output.format: 'es'`)."
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    exports = module.record.exports
    if any(exported.exported == "default" for exported in exports):
        return
    # `export *` hands on everything but a default; CommonJS has its own, better finding.
    if commonjs_uses(module):
        return
    names = [exported.exported for exported in exports if exported.exported != "*"]
    like = _plugin_like(module)
    if names:
        shown = ", ".join(f"`{name}`" for name in names[:5]) + (" …" if len(names) > 5 else "")
        first = exports[0]
        message = f"no default export: the app finds no plugin here (exported by name: {shown})"
        hint = f"Add `export default {like}`." if like is not None else _shape(names)
        yield Finding(module.span(first.node), message, hint)
    elif like is not None:
        binding = module.scopes.scopes[0].names[like]
        yield Finding(
            module.span(binding.nodes[0]),
            f"no default export: `{like}` looks like the plugin but is not exported",
            f"Add `export default {like}`.",
        )
    elif not _is_closed_script(module) and (at := _plugin_object(module)) is not None:
        yield Finding(
            module.head_span(at),
            "no default export: this object looks like the plugin but is not exported",
            "Write `export default` and this object.",
        )
    else:
        end = module.tree.positions.place(len(module.tree.data.rstrip()))
        yield Finding(
            Span(end[0], max(end[1] - 1, 1), *end) if end[1] > 1 else Span(end[0], 1, end[0], 1),
            "no default export: the app finds no plugin here",
            _FOR_A_SCRIPT_TAG
            if _is_closed_script(module)
            else "End the file with `export default { id: '…', register(ctx) { … } }`.",
        )


def _plugin_object(module: Module) -> Node | None:
    """The one object with an id and a register function, wherever it goes: `registerPlugin({…})`, `window.x = {…}`."""
    found = [
        node
        for node in module.tree.of_kind("object")
        if {"id", "register"} <= {module.tree.raw(key) for key in _keys(module, node)}
    ]
    return found[0] if len(found) == 1 else None


def _keys(module: Module, literal: Node) -> Iterator[Node]:
    for child in module.tree.children(literal):
        if module.tree.kind(child) in ("pair", "method_definition"):
            yield from module.tree.children(child)[:1]


def _is_closed_script(module: Module) -> bool:
    """Whether all code stands in a function that is called at once, as bundlers write it for a script tag."""
    tree = module.tree
    if module.record.static:
        return False
    text = tree.data.lstrip()[:200]
    return _IIFE.match(text) is not None


def _shape(names: list[str]) -> str:
    """How to end the file with what it has: `register` and `id` are often there, only not in one object."""
    identity = "id" if "id" in names else "id: 'my-plugin'"
    register = "register" if "register" in names else "register(ctx) { … }"
    return f"End the file with `export default {{ {identity}, {register} }}`."


def _plugin_like(module: Module) -> str | None:
    """A top-level name whose object has a register function."""
    tree = module.tree
    for name, binding in module.scopes.scopes[0].names.items():
        write = binding.writes[0] if len(binding.writes) == 1 else None
        if write is None or write.value is None or tree.kind(write.value) != "object":
            continue
        if any(tree.raw(key) == "register" for key in _keys(module, write.value)):
            return name
    return None


RULE = Rule(
    "HP301",
    __doc__,
    check=check,
    bad="""import { host } from '@hermes/plugin-sdk'
export const plugin = { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: ctx.source }) } }
""",
    good="""import { host } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: ctx.source }) } }
""",
)
