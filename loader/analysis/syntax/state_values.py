"""Values taken from the app's state and from atoms: ``const busy = useValue(host.state.busy)``.

An atom is read in three ways: by the hook ``useValue`` while rendering, by ``.get()`` at once, and by the callback of
``.listen`` and ``.subscribe``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.analysis.syntax.module import Module, Node
from loader.analysis.syntax.scopes import Binding, Reference
from loader.analysis.syntax.values import function_behind

# A person uses a value a few times; the bound keeps what a program made from growing quadratic.
_USES_LIMIT = 500
How: TypeAlias = Literal["hook", "get", "callback"]


@dataclass(frozen=True, slots=True)
class StateValue:
    """One reading of an atom. ``atom`` is the expression that stands for it, ``path`` its path if it has one.

    ``node`` is the reading itself (the call; for a callback its parameter), ``binding`` the constant name that holds
    nothing but that value, None where it goes elsewhere.
    """

    how: How
    node: Node
    atom: Node
    path: str | None
    binding: Binding | None

    @property
    def references(self) -> tuple[Reference, ...]:
        """The uses of the name that holds it, the first few hundred."""
        return () if self.binding is None else tuple(self.binding.references[:_USES_LIMIT])


def state_values(module: Module) -> Iterator[StateValue]:
    """Every reading of an atom that the text shows."""
    tree = module.tree
    for call in module.calls:
        path = call.path
        if path == "sdk.useValue":
            if call.arguments:
                atom = tree.unwrapped(call.arguments[0])
                yield StateValue("hook", call.node, atom, module.path(atom), _holder(module, call.node))
            continue
        callee = tree.unwrapped(call.callee)
        if tree.kind(callee) != "member_expression":
            continue
        inside = tree.children(callee)
        name = tree.name(inside[-1])
        if name == "get" and not call.arguments:
            yield StateValue("get", call.node, inside[0], module.path(inside[0]), _holder(module, call.node))
        elif name in ("listen", "subscribe") and path is not None and path.startswith("sdk.host.state."):
            function = function_behind(module, call.arguments[0]) if call.arguments else None
            parameters = [] if function is None else module.scopes.parameters(function)
            if parameters and tree.kind(parameters[0]) == "identifier":
                binding = module.binding(parameters[0])
                yield StateValue("callback", parameters[0], inside[0], module.path(inside[0]), binding)


def _holder(module: Module, node: Node) -> Binding | None:
    """The name that a declaration gives the value, if it gets no other."""
    tree = module.tree
    parent = tree.parents[node]
    while tree.kind(parent) == "parenthesized_expression":
        node, parent = parent, tree.parents[parent]
    if tree.kind(parent) != "variable_declarator":
        return None
    target = tree.children(parent)[0]
    binding = module.binding(target) if tree.kind(target) == "identifier" and target != node else None
    return binding if binding is not None and len(binding.writes) == 1 else None
