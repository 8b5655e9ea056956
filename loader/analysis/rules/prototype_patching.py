"""A built-in that everybody shares is changed: a prototype, `window.fetch`, `console.log`.

The app and all plugins live in one page. A method put on `Array.prototype` shows up in their loops, a replaced `fetch`
carries their requests, and after the plugin is unloaded the change stays. Write a function of your own and call that.
Filling in what is missing (`Array.prototype.at ??= …`, or behind a test for it) changes nothing in the app and is not
meant, nor are the prototypes of your own classes.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rehearsal.browser_names import BROWSER_NAMES
from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.assignments import member_assignments, member_name, member_owner
from loader.analysis.syntax.guards import paths_tested
from loader.analysis.syntax.texts import known_text

_CHANGERS = frozenset(
    f"global.{owner}.{name}"
    for owner, names in {
        "Object": ("assign", "defineProperty", "defineProperties", "setPrototypeOf"),
        "Reflect": ("defineProperty", "set", "setPrototypeOf", "deleteProperty"),
    }.items()
    for name in names
)
# Objects whose members are nobody's to replace; those of `window`, `document` and `history` are named one by one,
# since most of their members are there to be set.
_SHARED_OBJECTS = frozenset(
    {"Array", "JSON", "Math", "Number", "Object", "Promise", "Reflect", "String", "Symbol", "console", "crypto"}
)
_SHARED_FUNCTIONS = frozenset(
    {
        "EventSource", "IntersectionObserver", "MutationObserver", "Promise", "ResizeObserver", "WebSocket",
        "XMLHttpRequest", "addEventListener", "cancelAnimationFrame", "clearInterval", "clearTimeout",
        "dispatchEvent", "fetch", "getComputedStyle", "matchMedia", "open", "postMessage", "queueMicrotask",
        "removeEventListener", "requestAnimationFrame", "setInterval", "setTimeout", "structuredClone",
        "document.addEventListener", "document.createElement", "document.getElementById", "document.querySelector",
        "document.querySelectorAll", "document.removeEventListener", "history.pushState", "history.replaceState",
        "performance.now",
    }
)  # fmt: skip
_WINDOWS = frozenset({"global.window", "global.globalThis", "global.self"})
_HINT = "Write a function of your own and call it: `const last = (list) => list[list.length - 1]`."


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    changes = list(_changes(module))
    if not changes:
        return
    tested = paths_tested(module)
    for node, path in changes:
        if path not in tested:
            shown = path.removeprefix("global.")[:80]
            yield Finding(module.head_span(node), f"`{shown}` is changed for the app and for all plugins", _HINT)


def _changes(module: Module) -> Iterator[tuple[Node, str]]:
    """Each change: where, and the path of what is changed."""
    tree = module.tree
    for assignment in member_assignments(module):
        owner, path = module.path(assignment.owner), module.path(assignment.target)
        if owner is not None and _is_prototype(owner):
            yield assignment.node, f"{owner}.{assignment.name or '[…]'}"
        elif path is not None and _is_shared(path):
            yield assignment.node, path
    for call in module.calls:
        owner = module.path(call.arguments[0]) if call.path in _CHANGERS and call.arguments else None
        if owner is None:
            continue
        name = known_text(module, call.arguments[1]) if len(call.arguments) > 1 else None
        path = f"global.{name}" if owner in _WINDOWS else f"{owner}.{name}"
        if _is_prototype(owner):
            yield call.node, owner if name is None else path
        elif name is not None and _is_shared(path):
            yield call.node, path
    for node in tree.of_kind("unary_expression"):
        target = tree.unwrapped(tree.children(node)[0]) if tree.token(node, "operator") == "delete" else None
        of_what = None if target is None else member_owner(module, target)
        owner = None if of_what is None else module.path(of_what)
        if target is not None and owner is not None and _is_prototype(owner):
            yield node, f"{owner}.{member_name(module, target) or '[…]'}"


def _is_prototype(path: str) -> bool:
    root, _, rest = path.partition(".")
    name, _, last = rest.partition(".")
    return root == "global" and last == "prototype" and name in BROWSER_NAMES


def _is_shared(path: str) -> bool:
    root, _, rest = path.partition(".")
    owner, _, name = rest.partition(".")
    if root != "global":
        return False
    return rest in _SHARED_FUNCTIONS or (owner in _SHARED_OBJECTS and name not in ("", "prototype") and "." not in name)


RULE = Rule(
    "HP613",
    __doc__,
    check=check,
    bad="""Array.prototype.last = function () { return this[this.length - 1] }
export default {
  id: 'demo',
  register(ctx) {
    ctx.storage.set('newest', ctx.storage.get('list', []).last())
  }
}
""",
    good="""const last = (list) => list[list.length - 1]
export default {
  id: 'demo',
  register(ctx) {
    ctx.storage.set('newest', last(ctx.storage.get('list', [])))
  }
}
""",
)
