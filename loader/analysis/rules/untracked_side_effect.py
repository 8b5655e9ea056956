"""A timer, listener or subscription that nothing ever ends.

When a plugin is reloaded or switched off, the app ends what it knows of: contributions, what `ctx.*` started, and what
`ctx.onDispose` was told. A bare `setInterval`, `window.addEventListener` or `host.state.busy.listen` goes on, one more
with every reload, and keeps the old code alive. Inside an effect of React, returning the clean-up is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node
from loader.analysis.syntax.plugin_object import object_of
from loader.analysis.syntax.repeats import enclosing_function
from loader.analysis.syntax.texts import known_text
from loader.analysis.syntax.values import is_discarded

# What lives as long as the window does: listeners on an element of one's own go with the element, and an element that
# is looked up may well be one.
_LONG_LIVED = re.compile(
    r"global(?:\.document(?:\.(?:body|documentElement|head|fonts))?"
    r"|\.visualViewport|\.navigator(?:\.\w+)*|\.matchMedia\(\)|\.screen(?:\.\w+)*|\.speechSynthesis)?"
)
_SUBSCRIPTIONS = re.compile(
    r"sdk\.host\.(?:onEvent|settings\.subscribe"
    r"|(?:state\.\w+|pluginDecisions|paneVisibility\(\))\.(?:listen|subscribe))"
    r"|ctx\.pet\.visible\.(?:listen|subscribe)|sdk\.\$accentOverride\.(?:listen|subscribe)"
)
_EFFECTS = frozenset({"react.useEffect", "react.useLayoutEffect", "react.useInsertionEffect"})
_WORDS = (b"setInterval", b"addEventListener", b"onEvent", b"listen", b"subscribe")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    data = module.tree.data
    if not any(word in data for word in _WORDS):
        return
    clears = b"clearInterval" in data or b"clearTimeout" in data
    removed: frozenset[str | None] | None = None
    for call in module.calls:
        path = call.path
        if path is None:
            continue
        if path == "global.setInterval":
            if _is_lost(module, call.node) or not clears:
                yield _finding(module, call, "`setInterval`", "const timer = setInterval(…)", "clearInterval(timer)")
        elif path.endswith(".addEventListener") and _LONG_LIVED.fullmatch(path.removesuffix(".addEventListener")):
            if removed is None:
                removed = _removed_types(module)
            if not _is_removed(module, call, removed):
                yield _finding(
                    module,
                    call,
                    f"a listener on `{_target(path)}`",
                    f"{_target(path)}.addEventListener(type, listener)",
                    f"{_target(path)}.removeEventListener(type, listener)",
                )
        elif _SUBSCRIPTIONS.fullmatch(path) and _is_lost(module, call.node):
            shown = path.removeprefix("sdk.")
            yield _finding(module, call, f"`{shown}`", f"const stop = {shown}(…)", "stop()")


def _finding(module: Module, call: Call, what: str, start: str, end: str) -> Finding:
    if _in_effect(module, call.node):
        hint = f"Return the clean-up from the effect: `{start}; return () => {end}`."
    else:
        hint = f"Tell how it ends: `{start}; ctx.onDispose(() => {end})`."
    return Finding(module.head_span(call.node), f"{what} is never ended: it goes on after the plugin is gone", hint)


def _target(path: str) -> str:
    return (
        path.removesuffix(".addEventListener").removeprefix("global.").replace("global", "window").replace("()", "(…)")
    )


def _in_effect(module: Module, node: Node) -> bool:
    function = enclosing_function(module, node)
    if function is None:
        return False
    arguments = module.tree.parents[function]
    if module.tree.kind(arguments) != "arguments":
        return False
    callee = module.resolver.callee(module.tree.parents[arguments])
    return callee is not None and module.path(callee) in _EFFECTS


def _is_lost(module: Module, node: Node) -> bool:
    """Whether the handle that ends it is thrown away, or kept under a name that nobody reads."""
    if is_discarded(module, node):
        return True
    tree = module.tree
    parent = tree.parents[node]
    if tree.kind(parent) not in ("variable_declarator", "assignment_expression"):
        return False
    target = tree.children(parent)[0]
    binding = module.binding(target) if tree.kind(target) == "identifier" else None
    if binding is None or any(reference.reads for reference in binding.references):
        return False
    # `return (timer = setInterval(…))` hands it on.
    return tree.kind(parent) == "variable_declarator" or is_discarded(module, parent)


def _removed_types(module: Module) -> frozenset[str | None]:
    """The event types of every `removeEventListener`, None for one that cannot be known."""
    if b"removeEventListener" not in module.tree.data:
        return frozenset()
    tree = module.tree
    found: set[str | None] = set()
    for call in module.calls:
        callee = tree.unwrapped(call.callee)
        name = tree.children(callee)[-1] if tree.kind(callee) == "member_expression" else callee
        if tree.raw(name) == "removeEventListener":
            found.add(known_text(module, call.arguments[0]) if call.arguments else None)
    return frozenset(found)


def _is_removed(module: Module, call: Call, removed: frozenset[str | None]) -> bool:
    tree = module.tree
    event = known_text(module, call.arguments[0]) if call.arguments else None
    if None in removed or event in removed or (event is None and removed):
        return True
    if len(call.arguments) < 3:
        return False
    options = tree.unwrapped(call.arguments[2])
    if tree.kind(options) in ("true", "false"):
        return False
    known = object_of(tree, module.scopes, options)
    return not known.closed or "signal" in known.properties or "once" in known.properties


RULE = Rule(
    "HP506",
    __doc__,
    check=check,
    bad="""import { atom } from '@hermes/plugin-sdk'
const $now = atom(0)
export default { id: 'demo', register() { setInterval(() => $now.set(Date.now()), 1000) } }
""",
    good="""import { atom } from '@hermes/plugin-sdk'
const $now = atom(0)
export default {
  id: 'demo',
  register(ctx) {
    const timer = setInterval(() => $now.set(Date.now()), 1000)
    ctx.onDispose(() => clearInterval(timer))
  }
}
""",
)
