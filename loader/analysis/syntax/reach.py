"""What a function comes to call: the calls written in it and in the local functions that it calls."""

from __future__ import annotations

from bisect import bisect_left

from loader.analysis.syntax.module import Call, Module, Node
from loader.analysis.syntax.values import function_behind

# A callback that needs more functions than this is no callback that a text can follow.
_FUNCTIONS_LIMIT = 40
_CALLS_LIMIT = 2_000


def reached_calls(module: Module, function: Node) -> tuple[Call, ...]:
    """All calls that running a function may lead to, as far as names show it; functions written inside it count."""
    calls = module.calls
    seen: set[Node] = set()
    waiting = [function]
    found: dict[Node, Call] = {}
    while waiting and len(seen) < _FUNCTIONS_LIMIT and len(found) < _CALLS_LIMIT:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        first = bisect_left(calls, one, key=_place)
        last = bisect_left(calls, module.tree.ends[one], first, key=_place)
        for call in calls[first:last]:
            found[call.node] = call
            if module.tree.kind(call.callee) == "identifier":
                behind = function_behind(module, call.callee)
                if behind is not None:
                    waiting.append(behind)
    return tuple(found[node] for node in sorted(found))


def _place(call: Call) -> Node:
    return call.node
