"""A value of an atom that is older than the code that uses it.

A function keeps the values of the moment it was made. What `useValue($atom)` gave while rendering is that render's
value for ever: in a timer, a subscription, an effect or callback whose dependencies leave it out, in the next state
(`$count.set(count + 1)`), or when a handler decides by `busy` whether to send. `$atom.get()` reads the value of now.
The same goes for `const profile = host.state.profile.get()` in `register`: it is read once. Plain handlers that pass on
what the user saw are left alone, or get an info where it is the app's own state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.names import short
from loader.analysis.syntax import Module, Node, Reference
from loader.analysis.syntax.repeats import enclosing_function
from loader.analysis.syntax.resolve import FUNCTION_KINDS
from loader.analysis.syntax.state_values import StateValue, state_values
from loader.nouns import Severity

_LATE = re.compile(
    r"(?:global|ctx)\.set(?:Interval|Timeout)|global\.requestAnimationFrame|global\.queueMicrotask"
    r"|ctx\.(?:socket|onEvent|onDispose|addEventListener)|sdk\.host\.(?:onEvent|settings\.subscribe)"
    r"|.*\.(?:listen|subscribe|addEventListener)"
)
_HOOKS = frozenset({"react.useEffect", "react.useLayoutEffect", "react.useCallback", "react.useMemo"})
_HANDLER = re.compile(r"on[A-Z]\w*|run")
_ONCE = re.compile(r"initial|first|start|last|prev|before|old|saved|was[A-Z]", re.IGNORECASE)
# Deciding by these whether to send is how a message goes out twice.
_TURN = frozenset({"sdk.host.state.busy", "sdk.host.state.awaitingResponse", "sdk.host.state.busyBySession"})


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    data = module.tree.data
    if b"useValue" not in data and b".get(" not in data:
        return
    for value in state_values(module):
        if value.how == "hook":
            yield from _from_render(module, value)
        elif value.how == "get" and (value.path or "").startswith("sdk.host.state."):
            yield from _from_start(module, value)


def _from_render(module: Module, value: StateValue) -> Iterator[Finding]:
    component = enclosing_function(module, value.node)
    for reference in value.references:
        if not reference.reads:
            continue
        found = _fault(module, value, reference, component)
        if found is not None:
            where, severity = found
            name = short(reference.name)
            yield Finding(
                module.span(reference.node),
                f"`{name}` is the value of a render that may be over {where}",
                f"Read it there: `{_shown(module, value)}.get()`.",
                severity=severity,
            )
            # One finding a value: the others have the same cure.
            return


def _fault(
    module: Module, value: StateValue, reference: Reference, component: Node | None
) -> tuple[str, Severity | None] | None:
    """Where a use is too late, in words, and the severity where it is not the usual one."""
    tree = module.tree
    node = reference.node
    if _is_nested(module, node, component) and _sets_same(module, value, node, component):
        return "when the next value is worked out from it", None
    late = handled = False
    for function in _functions_around(module, node, component):
        parent = tree.parents[function]
        if tree.kind(parent) == "arguments":
            call = tree.parents[parent]
            callee = module.resolver.callee(call) if tree.kind(call) == "call_expression" else None
            path = module.path(callee) if callee is not None else None
            if path in _HOOKS:
                if _depends(module, parent, function, reference):
                    return None
                if path == "react.useMemo":
                    return None
                return "when this runs: the dependencies leave it out", None
            late = late or (path is not None and bool(_LATE.fullmatch(path)))
        handled = handled or _is_handler(module, function)
    if late:
        return "when this runs", None
    if handled and value.path in _TURN:
        return "when the handler runs", None
    if handled and (value.path or "").startswith("sdk.host.state."):
        return "when the handler runs", "info"
    return None


def _from_start(module: Module, value: StateValue) -> Iterator[Finding]:
    """``const profile = host.state.profile.get()`` at the top or in `register`, used later."""
    made_in = enclosing_function(module, value.node)
    if made_in is not None and made_in not in module.register_functions:
        return
    for reference in value.references:
        if _ONCE.search(reference.name):
            return
        if reference.reads and any(
            _runs_later(module, function) for function in _functions_around(module, reference.node, made_in)
        ):
            yield Finding(
                module.span(reference.node),
                f"`{short(reference.name)}` was read once, when the plugin started: by now it may be another",
                f"Read it there: `{_shown(module, value)}.get()`.",
            )
            return


def _functions_around(module: Module, node: Node, outermost: Node | None) -> Iterator[Node]:
    """The functions between a node and the one that the value was read in, innermost first."""
    for outer in module.ancestors(node):
        if outer == outermost:
            return
        if module.tree.kind(outer) in FUNCTION_KINDS:
            yield outer


def _is_nested(module: Module, node: Node, component: Node | None) -> bool:
    return next(_functions_around(module, node, component), None) is not None


def _sets_same(module: Module, value: StateValue, node: Node, component: Node | None) -> bool:
    """Whether a use stands in the argument of ``.set`` of the atom that it was read from."""
    tree = module.tree
    atom = module.binding(value.atom) if tree.kind(value.atom) == "identifier" else None
    if atom is None:
        return False
    for outer in module.ancestors(node):
        if outer == component:
            return False
        if tree.kind(outer) != "arguments":
            continue
        callee = tree.unwrapped(tree.children(tree.parents[outer])[0])
        if tree.kind(callee) == "member_expression":
            owner, name = tree.children(callee)[0], tree.children(callee)[-1]
            if tree.raw(name) == "set" and tree.kind(owner) == "identifier" and module.binding(owner) is atom:
                return True
    return False


def _depends(module: Module, arguments: Node, function: Node, reference: Reference) -> bool:
    """Whether a hook runs anew when the value changes: its list of dependencies names it, or is none that is known."""
    tree = module.tree
    inside = tree.children(arguments)
    if inside[0] != function or len(inside) < 2 or tree.kind(inside[1]) != "array":
        return True
    listed = range(inside[1], tree.ends[inside[1]])
    return any(one.node in listed for one in (reference.binding.references if reference.binding is not None else ()))


def _is_handler(module: Module, function: Node) -> bool:
    """``onClick: () => …``, ``onClick() { … }``, or a function whose name is given to such a property."""
    tree = module.tree
    if _handles(module, function):
        return True
    parent = tree.parents[function]
    if tree.kind(function) == "function_declaration":
        name: Node | None = tree.field(function, "name")
    elif tree.kind(parent) == "variable_declarator":
        name = tree.children(parent)[0]
    else:
        return False
    binding = module.binding(name) if name is not None else None
    return binding is not None and any(_handles(module, one.node) for one in binding.references)


def _handles(module: Module, node: Node) -> bool:
    tree = module.tree
    kind = tree.kind(node)
    if kind == "method_definition":
        key = tree.field(node, "name")
    elif kind == "shorthand_property_identifier":
        key = node
    else:
        parent = tree.parents[node]
        inside = tree.children(parent) if tree.kind(parent) == "pair" else []
        key = inside[0] if len(inside) == 2 and inside[1] == node else None
    return key is not None and bool(_HANDLER.fullmatch(tree.raw(key)))


def _runs_later(module: Module, function: Node) -> bool:
    tree = module.tree
    if _is_handler(module, function):
        return True
    parent = tree.parents[function]
    if tree.kind(parent) == "pair":
        return tree.raw(tree.children(parent)[0]) == "render"
    if tree.kind(parent) != "arguments":
        return False
    callee = (
        module.resolver.callee(tree.parents[parent]) if tree.kind(tree.parents[parent]) == "call_expression" else None
    )
    path = module.path(callee) if callee is not None else None
    return path is not None and path != "ctx.onDispose" and bool(_LATE.fullmatch(path))


def _shown(module: Module, value: StateValue) -> str:
    if value.path is not None and value.path.startswith("sdk.host.state."):
        return value.path.removeprefix("sdk.")
    text = module.tree.raw(value.atom)
    return text if len(text) <= 60 and "\n" not in text else "$atom"


RULE = Rule(
    "HP511",
    __doc__,
    check=check,
    bad="""import { Button, atom, useValue } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
const $count = atom(0)
function Count() {
  const count = useValue($count)
  return jsx(Button, { onClick: () => $count.set(count + 1), children: String(count) })
}
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'count', area: 'statusBar.left', render: () => jsx(Count, {}) }) }
}
""",
    good="""import { Button, atom, useValue } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
const $count = atom(0)
function Count() {
  const count = useValue($count)
  return jsx(Button, { onClick: () => $count.set($count.get() + 1), children: String(count) })
}
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'count', area: 'statusBar.left', render: () => jsx(Count, {}) }) }
}
""",
)
