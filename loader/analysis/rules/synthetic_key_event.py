"""A made-up key press that is sent to the app in order to trigger one of its shortcuts.

The user may have another binding, another keyboard or none at all; the app may take the same keys for something else
tomorrow, and a plugin's key press reaches whatever has the focus. `ctx.runAction` names what shall happen. Events for
elements of your own that stay there (`bubbles` not set) are nobody else's business.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node, object_of
from loader.analysis.syntax.assignments import member_name, member_owner
from loader.analysis.syntax.elements import value_under
from loader.analysis.syntax.texts import alternatives, constant, known_text

_KEY_TYPES = frozenset({"keydown", "keyup", "keypress"})
_EVENT_CLASSES = frozenset({"global.Event", "global.CustomEvent", "global.UIEvent"})
_APPS_OWN = frozenset(
    {
        "global.window",
        "global.globalThis",
        "global.self",
        "global.document",
        "global.document.body",
        "global.document.documentElement",
        "global.document.activeElement",
        "global.document.defaultView",
    }
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for call in module.calls:
        if call.is_new or len(call.arguments) != 1:
            continue
        if call.path != "global.dispatchEvent" and member_name(module, call.callee) != "dispatchEvent":
            continue
        event = _key_event(module, call.arguments[0])
        if event is None:
            continue
        target = member_owner(module, call.callee)
        if target is None or _is_apps_own(module, target) or _bubbles(module, event):
            yield Finding(
                module.head_span(call.node),
                "a made-up key press is sent to the app: it does what these keys mean there today, if anything",
                "Name what shall happen: `ctx.runAction?.('view.showBrowser')`; `ctx.listActions?.()` tells all ids.",
            )


def _key_event(module: Module, argument: Node) -> Node | None:
    """The construction of a key event, directly or through a constant."""
    tree = module.tree
    node: Node | None = tree.unwrapped(argument)
    if node is not None and tree.kind(node) == "identifier":
        node = constant(module, node)
    if node is None or tree.kind(node) != "new_expression":
        return None
    inside = tree.children(node)
    path = module.path(inside[0])
    if path == "global.KeyboardEvent":
        return node
    arguments = tree.children(inside[-1]) if len(inside) > 1 else []
    if path in _EVENT_CLASSES and arguments and known_text(module, arguments[0]) in _KEY_TYPES:
        return node
    return None


def _is_apps_own(module: Module, target: Node) -> bool:
    return any(module.path(one) in _APPS_OWN for one in alternatives(module, target))


def _bubbles(module: Module, event: Node) -> bool:
    """Whether the event climbs up to the window, where the app listens."""
    tree = module.tree
    inside = tree.children(event)
    arguments = tree.children(inside[-1]) if len(inside) > 1 else []
    if len(arguments) < 2:
        return False
    value = value_under(object_of(tree, module.scopes, arguments[1]), "bubbles")
    return value is not None and tree.kind(tree.unwrapped(value)) == "true"


RULE = Rule(
    "HP601",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', metaKey: true }))
    ctx.register({ id: 'open', area: 'palette', data: { id: 'demo:open', label: 'Open the browser', run } })
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => {
      const result = ctx.runAction?.('view.showBrowser')
      if (result && !result.ok) console.warn(result.error)
    }
    ctx.register({ id: 'open', area: 'palette', data: { id: 'demo:open', label: 'Open the browser', run } })
  }
}
""",
)
