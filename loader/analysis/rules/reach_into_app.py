"""Reaching into the app: its markup, React's internals, `window.hermesDesktop`, its entries in `localStorage`.

None of these is a promise. Class names and the tree change with any release, the bridge of the window is the app's own,
and writing the app's settings behind its back can leave it unable to start. The SDK has a door for what plugins need:
areas for places in the window, `host.state` for what goes on, `ctx.os`, `ctx.rest` and `ctx.storage` for the rest.
Elements of your own, found by a name that the file itself gives them, are yours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.assignments import member_name
from loader.analysis.syntax.selectors import foreign_selectors
from loader.analysis.syntax.texts import known_text, leading_text

_BRIDGE = "hermesDesktop"
_BRIDGE_HINTS = {
    "openExternal": "Use `ctx.os.openExternal(url)`.",
    "notify": "Use `ctx.os.notify({ title, body })`.",
    "revealPath": "Use `ctx.os.revealPath(path)`.",
    "showItemInFolder": "Use `ctx.os.revealPath(path)`.",
    "getConnection": "Ask the backend with `ctx.rest('/path')`; the app adds address and token.",
    "api": "Ask the backend with `ctx.rest('/path')`, the gateway with `host.request(…)`.",
}
_BRIDGE_HINT = "Use `ctx.os`, `ctx.rest`, `host.request` or an action: `ctx.runAction?.('…')`."
_STORES = ("global.localStorage", "global.sessionStorage")
_KEY_METHODS = frozenset({"getItem", "setItem", "removeItem"})
_APP_KEYS = "hermes.desktop."
_REACT_KEYS = re.compile(r"__react(?:Fiber|Props|Container|InternalInstance|EventHandlers)\b")
_LOOKS = frozenset({"startsWith", "includes", "indexOf", "match", "test", "search"})
_STYLE_SETTERS = (
    "global.document.documentElement.style.setProperty",
    "global.document.body.style.setProperty",
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    yield from _bridge(module)
    yield from _storage(module)
    yield from _react(module)
    for call in module.calls_to(*_STYLE_SETTERS):
        name = known_text(module, call.arguments[0]) if call.arguments else None
        if name in subject.surface.theme_variables:
            yield Finding(
                module.head_span(call.node),
                f"`{name}` is the app's own variable: setting it on the page fights with the user's theme",
                "Register a theme: `ctx.register({ area: THEMES_AREA, data: { name, label, colors } })`.",
            )
    for node, selector in foreign_selectors(module):
        yield Finding(
            module.head_span(node),
            f"`{selector[:80]}` looks for markup that this plugin does not make: the app's changes with any release",
            "Put your element into an area (`ctx.register({ area, render })`) and reach it with `useRef`.",
        )


def _bridge(module: Module) -> Iterator[Finding]:
    """One finding a line: `window.hermesDesktop && window.hermesDesktop.zoom` is one use."""
    uses = [one.node for one in module.free_references if one.name == _BRIDGE]
    uses += [node for node, path in module.members if path == f"global.{_BRIDGE}" and not module.in_typeof(node)]
    by_line: dict[int, tuple[Node, str | None]] = {}
    for node in sorted(uses):
        above = module.tree.parents[node]
        used = member_name(module, above) if module.tree.children(above)[:1] == [node] else None
        line = module.span(node).line
        if line not in by_line or (used is not None and by_line[line][1] is None):
            by_line[line] = (node, used)
    for node, used in by_line.values():
        shown = f"window.{_BRIDGE}.{used}" if used else f"window.{_BRIDGE}"
        yield Finding(
            module.span(node),
            f"`{shown}` is the app's own bridge and no part of the SDK",
            _BRIDGE_HINTS.get(used or "", _BRIDGE_HINT),
        )


def _storage(module: Module) -> Iterator[Finding]:
    hint = "Keep your own data with `ctx.storage.set(key, value)`; settings of the app belong to the user."
    for call in module.calls:
        owner, _, method = (call.path or "").rpartition(".")
        if owner in _STORES:
            name = owner.removeprefix("global.")
            if method in _KEY_METHODS and call.arguments and _is_app_key(module, call.arguments[0]):
                yield Finding(module.head_span(call.node), f"`{name}` entries under `{_APP_KEYS}` are the app's", hint)
            elif method == "clear":
                yield Finding(
                    module.head_span(call.node),
                    f"`{name}.clear()` wipes the app's settings and other plugins' data",
                    hint,
                )
        elif (
            call.arguments
            and member_name(module, call.callee) == "startsWith"
            and _is_app_key(module, call.arguments[0])
        ):
            yield Finding(module.head_span(call.node), f"entries under `{_APP_KEYS}` are the app's", hint)
    for node, path in module.members:
        if path.startswith(tuple(f"{store}.{_APP_KEYS}" for store in _STORES)):
            yield Finding(module.span(node), f"entries under `{_APP_KEYS}` are the app's", hint)


def _is_app_key(module: Module, node: Node) -> bool:
    return leading_text(module, node).startswith(_APP_KEYS)


def _react(module: Module) -> Iterator[Finding]:
    """Keys by which React finds its own data on an element, looked for or used."""
    tree = module.tree
    for node in tree.of_kind("string", "template_string", "regex"):
        text = tree.raw(node) if tree.kind(node) == "regex" else tree.literal(node)
        if text is None or len(text) > 200 or not _REACT_KEYS.search(text) or not _is_looked_for(module, node):
            continue
        yield Finding(
            module.span(node),
            "React's internals are looked for on an element: they differ in every release",
            "Read the state that you want from `host.state`, or keep your own in a ref or an atom.",
        )


def _is_looked_for(module: Module, node: Node) -> bool:
    tree = module.tree
    parent = tree.parents[node]
    if tree.kind(parent) == "binary_expression" and tree.token(parent, "operator") == "+":
        node, parent = parent, tree.parents[parent]
    if tree.kind(parent) == "subscript_expression":
        return tree.children(parent)[-1] == node
    if tree.kind(parent) == "arguments":
        return member_name(module, tree.children(tree.parents[parent])[0]) in _LOOKS
    return tree.kind(parent) == "member_expression" and member_name(module, parent) in _LOOKS


RULE = Rule(
    "HP602",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => window.hermesDesktop.openExternal('https://example.com')
    ctx.register({ id: 'docs', area: 'palette', data: { id: 'demo:docs', label: 'Open the docs', run } })
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => ctx.os.openExternal('https://example.com')
    ctx.register({ id: 'docs', area: 'palette', data: { id: 'demo:docs', label: 'Open the docs', run } })
  }
}
""",
)
