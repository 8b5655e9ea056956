"""A control that waits for `host.state.gateway`.

That is the state of the socket (`idle`, `connecting`, `open` …): it says nothing about whether the agent works, is
`open` all the time and never `busy`. Whether the focused chat is at work says `host.state.busy`, whether its answer has
begun `host.state.awaitingResponse`, and `host.state.busyBySession` knows it of every chat. Showing that the connection
is lost, or asking again once it is back, is what `host.state.gateway` is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.state_values import state_values
from loader.analysis.syntax.texts import known_text
from loader.nouns import Severity

_GATEWAY = "sdk.host.state.gateway"
_COMPARISONS = frozenset({"===", "!==", "==", "!="})
# What the socket never is.
_TURN_WORDS = frozenset(
    {"busy", "working", "running", "thinking", "streaming", "generating", "processing", "responding", "loading"}
)
# What a socket may well be: a control that waits for it may mean just that.
_CONNECTION_WORDS = frozenset(
    {"open", "connected", "connecting", "closed", "closing", "disconnected", "error", "ready"}
)
_BUSY_NAME = re.compile(
    r"(?:is|agent|chat|turn)?_?(?:busy|working|running|thinking|streaming|generating|responding)", re.IGNORECASE
)
_GATES = frozenset({"disabled", "isDisabled", "aria-disabled", "aria-busy", "readOnly", "loading", "busy"})
_PASSED_ON = ("parenthesized_expression", "unary_expression", "binary_expression", "ternary_expression")
_HINT = "Use `host.state.busy` (the focused chat works), `host.state.awaitingResponse` or `host.state.busyBySession`."


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    if b"gateway" not in module.tree.data:
        return
    said: set[Node] = set()
    for value in state_values(module):
        if value.path != _GATEWAY:
            continue
        uses = [value.node] if value.how != "callback" else []
        uses += [reference.node for reference in value.references]
        for use in uses:
            for node, message, severity in _faults(module, use):
                if node not in said:
                    said.add(node)
                    yield Finding(module.head_span(node), message, _HINT, severity=severity)


def _faults(module: Module, use: Node) -> Iterator[tuple[Node, str, Severity | None]]:
    tree = module.tree
    word, compared = _compared_with(module, use)
    if word in _TURN_WORDS:
        yield compared, f"`host.state.gateway` is never `{word}`: it is the state of the socket, not of the turn", None
        return
    for top in _ends(module, use):
        parent = tree.parents[top]
        kind = tree.kind(parent)
        if kind == "variable_declarator":
            name = tree.children(parent)[0]
            if tree.kind(name) == "identifier" and top != use and _BUSY_NAME.fullmatch(tree.name(name)):
                yield (
                    parent,
                    f"`{tree.name(name)}` is taken from `host.state.gateway`, which knows nothing of the turn",
                    None,
                )
                return
        elif kind == "pair" and tree.children(parent)[1] == top:
            key = tree.children(parent)[0]
            gate = tree.literal(key) if tree.kind(key) == "string" else tree.name(key)
            if gate in _GATES and not (word in _CONNECTION_WORDS and _is_one_of_several(module, top)):
                message = f"`{gate}` waits for `host.state.gateway`: that is the socket, which no turn changes"
                yield parent, message, "info" if word in _CONNECTION_WORDS else None
                return


def _is_one_of_several(module: Module, top: Node) -> bool:
    """``busy || gateway !== 'open'``: whoever has another signal for being busy means the connection by this one."""
    return module.tree.kind(top) == "binary_expression" and module.tree.token(top, "operator") in ("&&", "||", "??")


def _compared_with(module: Module, use: Node) -> tuple[str | None, Node]:
    """The text that a value is compared with, and the comparison."""
    tree = module.tree
    node, parent = use, tree.parents[use]
    while tree.kind(parent) == "parenthesized_expression":
        node, parent = parent, tree.parents[parent]
    if tree.kind(parent) != "binary_expression" or tree.token(parent, "operator") not in _COMPARISONS:
        return None, use
    left, right = tree.children(parent)[:2]
    return known_text(module, right if left == node else left), parent


def _ends(module: Module, use: Node) -> Iterator[Node]:
    """The whole expression that a value is part of, and those that the name it is given is part of."""
    tree = module.tree
    waiting = [use]
    for depth in range(8):
        if not waiting:
            return
        node = waiting.pop()
        while tree.kind(tree.parents[node]) in _PASSED_ON:
            node = tree.parents[node]
        yield node
        parent = tree.parents[node]
        if tree.kind(parent) == "variable_declarator" and depth < 2:
            target = tree.children(parent)[0]
            binding = module.binding(target) if tree.kind(target) == "identifier" else None
            if binding is not None and node != use:
                waiting += [reference.node for reference in binding.references][:6]


RULE = Rule(
    "HP512",
    __doc__,
    check=check,
    bad="""import { Button, host, useValue } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
function Go() {
  const gateway = useValue(host.state.gateway)
  return jsx(Button, { disabled: gateway !== 'idle', children: 'Go' })
}
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'go', area: 'statusBar.left', render: () => jsx(Go, {}) }) }
}
""",
    good="""import { Button, host, useValue } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
function Go() {
  const busy = useValue(host.state.busy)
  return jsx(Button, { disabled: busy, children: 'Go' })
}
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'go', area: 'statusBar.left', render: () => jsx(Go, {}) }) }
}
""",
)
