"""A fixed address on the internet from which the plugin fetches, or shows, something.

Every user's app then calls on that server, with the user's address and at times that tell what they do, and whoever
owns the name decides what comes back. The app may block it, too. Ask through your plugin's own backend with `ctx.rest`,
put pictures into the file as `data:` addresses, and open pages with `ctx.os.openExternal`. Addresses of this machine,
links that the user follows, and addresses that the user entered are not meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node
from loader.analysis.syntax.assignments import member_assignments, member_name, member_owner
from loader.analysis.syntax.elements import Element, elements, value_under
from loader.analysis.syntax.plugin_object import object_of
from loader.analysis.syntax.texts import alternatives, constant, known_text, leading_text, pieces

_REMOTE = re.compile(r"\s*(?:(?:https?|wss?):)?//(?:[^/?#@\s]*@)?(?P<host>\[[0-9a-f:.]+\]|[^/?#:\\\s]+)", re.IGNORECASE)
_HERE = re.compile(r"(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[(?:::1|::)\]", re.IGNORECASE)
_CSS_ADDRESS = re.compile(
    r"""(?:@import\s+|\burl\(\s*)["']?\s*(?P<url>(?:https?:)?//[^"')\s;]{1,2000})""", re.IGNORECASE
)
_FETCHERS = frozenset({"global.fetch", "global.navigator.sendBeacon", "global.importScripts"})
_BUILT = frozenset({"global.Request", "global.WebSocket", "global.EventSource"})
_HOPS_LIMIT = 8
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
# A page in an iframe is not here: it is shown for its own sake, and cannot reach out of its frame.
_MEDIA = {
    "img": ("src", "srcSet"), "image": ("href", "xlinkHref"), "source": ("src", "srcSet"), "video": ("src", "poster"),
    "audio": ("src",), "track": ("src",), "link": ("href",), "script": ("src",), "use": ("href", "xlinkHref"),
}  # fmt: skip
_MEDIA_MEMBERS = frozenset({"src", "srcset", "poster"})
_DATA_HINT = (
    "Ask through your plugin's backend: `await ctx.rest('/weather')`; the server side is the place for other machines."
)
_SHOWN_HINT = (
    "Put the picture or style into the file (`data:image/svg+xml,…`), or fetch it through your backend with `ctx.rest`."
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for call in module.calls:
        found = _asked(module, call)
        if found is not None:
            node, host, name = found
            yield Finding(
                module.head_span(node), f"`{name}` calls on {host}, a machine of its own on the internet", _DATA_HINT
            )
    for element in elements(module):
        for node, host, what in _shown(module, element):
            yield Finding(module.head_span(node), f"{what} is loaded from {host} whenever it is shown", _SHOWN_HINT)
    for assignment in member_assignments(module):
        target = _kind_of_target(module, assignment.owner, assignment.name)
        if target is None:
            continue
        value = assignment.value
        remote = _css(module, value) if target == "a style" else _remote(module, value)
        if remote is not None:
            yield Finding(
                module.head_span(value), f"{target} is loaded from {remote} whenever it is shown", _SHOWN_HINT
            )


# ---------------------------------------------------------------- requests


def _asked(module: Module, call: Call) -> tuple[Node, str, str] | None:
    """The address that a call fetches from, its host, and the name of what fetches."""
    path = call.path or ""
    name = path.rpartition(".")[2]
    arguments = call.arguments
    if not arguments:
        return None
    address = arguments[0]
    if not call.is_new and member_name(module, call.callee) == "open" and len(arguments) > 1:
        if (known_text(module, arguments[0]) or "").upper() not in _METHODS:
            return None
        address, name = arguments[1], "XMLHttpRequest"
    elif not (path in _BUILT and call.is_new) and not (path in _FETCHERS and not call.is_new):
        return None
    host = _remote(module, address)
    return None if host is None else (address, host, name)


def _remote(module: Module, node: Node) -> str | None:
    """The host of a remote address that an expression is, or may be."""
    tree = module.tree
    for one in alternatives(module, node):
        at = constant(module, one) or one
        if tree.kind(at) == "new_expression":
            inside = tree.children(at)
            arguments = tree.children(inside[-1])
            if module.path(inside[0]) not in ("global.URL", "global.Request") or not arguments:
                continue
            at = arguments[-1]
        host = _host(leading_text(module, at))
        if host is not None:
            return host
    return None


def _host(address: str) -> str | None:
    match = _REMOTE.match(address[:2000])
    return None if match is None or _HERE.fullmatch(match["host"]) else f"`{match['host'][:80]}`"


# ---------------------------------------------------------------- what is shown


def _shown(module: Module, element: Element) -> Iterator[tuple[Node, str, str]]:
    tag = (element.tag or "").lower()
    from_sdk = element.component is not None and element.component.startswith("sdk.")
    for name in _MEDIA.get(tag, ("src",) if from_sdk else ()):
        value = element.prop(name)
        host = None if value is None else _remote(module, value)
        if value is not None and host is not None:
            yield value, host, f"`{name}` of `{element.tag or (element.component or '').removeprefix('sdk.')}`"
    style = object_of(module.tree, module.scopes, element.prop("style"))
    for one in style.properties.values():
        host = None if one.value is None or one.form != "value" else _css(module, one.value)
        if one.value is not None and host is not None:
            yield one.value, host, f"the style's `{one.key}`"
    if tag == "style":
        html = element.prop("dangerouslySetInnerHTML")
        inner = None if html is None else value_under(object_of(module.tree, module.scopes, html), "__html")
        for text in (element.prop("children"), inner, *element.children):
            host = None if text is None else _css(module, text)
            if text is not None and host is not None:
                yield text, host, "a part of the style sheet"


def _css(module: Module, node: Node) -> str | None:
    """The host of the first remote address in a style's text."""
    text = "".join("" if piece is None else piece for piece in pieces(module, node))
    for match in _CSS_ADDRESS.finditer(text):
        host = _host(match["url"])
        if host is not None:
            return host
    return None


def _kind_of_target(module: Module, owner: Node, name: str | None) -> str | None:
    """What an assignment gives an address to: a picture, a style; None for everything else."""
    tree = module.tree
    owner = tree.unwrapped(owner)
    if member_name(module, owner) == "style" and member_owner(module, owner) is not None:
        return "a style"
    made = _made(module, owner)
    if made is None:
        return None
    if tree.kind(made) == "new_expression":
        built = module.path(tree.children(made)[0]) in ("global.Image", "global.Audio")
        return "what it shows" if built and name in _MEDIA_MEMBERS else None
    arguments = tree.children(tree.children(made)[-1])
    tag = (known_text(module, arguments[0]) or "").lower() if arguments else ""
    if tag == "style" and name in ("textContent", "innerHTML", "innerText"):
        return "a style"
    wanted = {one.lower() for one in _MEDIA.get(tag, ())}
    return f"`{name}` of `{tag}`" if name is not None and name.lower() in wanted else None


def _made(module: Module, owner: Node) -> Node | None:
    """The `new …` or `document.createElement(…)` that a name stands for, through other names."""
    at: Node | None = owner
    for _ in range(_HOPS_LIMIT):
        at = None if at is None else constant(module, at)
        if at is None:
            return None
        at = module.tree.unwrapped(at)
        kind = module.tree.kind(at)
        if kind == "new_expression":
            return at
        if kind == "call_expression":
            return at if module.path(at) == "global.document.createElement()" else None
    return None


RULE = Rule(
    "HP615",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const run = async () => ctx.storage.set('weather', await (await fetch('https://api.example.com/weather')).json())
    ctx.register({ id: 'load', area: 'palette', data: { id: 'demo:load', label: 'Load the weather', run } })
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const run = async () => ctx.storage.set('weather', await ctx.rest('/weather'))
    ctx.register({ id: 'load', area: 'palette', data: { id: 'demo:load', label: 'Load the weather', run } })
  }
}
""",
)
