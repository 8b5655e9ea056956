"""The pet's bubble used as a log: a line that does not fit, or lines in a loop or a short interval.

The bubble shows one short line for a few seconds. A longer line is cut, lines that come faster than they can be read
push each other out, and beyond ten calls in ten seconds the app drops them. Say the outcome once; what people should
be able to read again belongs in a pane or a notification. Source: docs/policy.md, "ctx.pet.say".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node, object_of
from loader.analysis.syntax.assignments import member_name
from loader.analysis.syntax.elements import value_under
from loader.analysis.syntax.repeats import (
    WAYS_OUT,
    always_reached,
    enclosing_function,
    enclosing_loop,
    holds,
    intervals,
)
from loader.analysis.syntax.texts import known_text, pieces

LINE_LIMIT = 120
"""Characters of a line that the app shows; a test holds it against the policy's own number."""

_SHORT_MS = 10_000
_EACH = frozenset({"forEach", "map", "flatMap"})
# Nobody reads more; without a bound a hostile file has each of its calls look through all of it.
_CALLS_LIMIT = 200


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for call in module.calls_to("ctx.pet.say")[:_CALLS_LIMIT]:
        if not call.arguments:
            continue
        length = sum(_characters(piece) for piece in pieces(module, call.arguments[0]) if piece is not None)
        if length > LINE_LIMIT:
            yield Finding(
                module.head_span(call.arguments[0]),
                f"a line of {length} characters for the pet: the bubble cuts it at {LINE_LIMIT}",
                "Say the outcome in a few words; give the rest to `host.notify({ kind: 'info', message })` or a pane.",
            )
            continue
        where = _repeated(module, call)
        if where is not None:
            yield Finding(
                module.head_span(call.node),
                f"`pet.say` in {where}: each line pushes out the last one before it can be read",
                "Say one line when the work is done: `ctx.pet?.say('12 files checked', { id: 'check' })`. "
                "Show a running log in a pane.",
            )


def _characters(text: str) -> int:
    """Characters without what joins or colours the one before: never more than the app counts."""
    joined = sum(1 for pair in itertools.pairwise(text) if "\u200d" in pair)
    marks = sum(1 for letter in text if "\ufe00" <= letter <= "\ufe0f" or "\u0300" <= letter <= "\u036f")
    return len(text) - joined - marks


def _repeated(module: Module, call: Call) -> str | None:
    """The words for what repeats a call for certain, None when nothing does."""
    loop = enclosing_loop(module, call.node)
    if loop is not None:
        ends = holds(module, loop, WAYS_OUT)
        return None if ends or _has_id(module, call) or not always_reached(module, call.node, loop) else "a loop"
    function = enclosing_function(module, call.node)
    if function is None or not always_reached(module, call.node, function):
        return None
    for interval in intervals(module):
        if interval.function == function and interval.period_ms is not None and interval.period_ms < _SHORT_MS:
            return f"an interval of {interval.period_ms:g} ms"
    return "a loop" if _is_each(module, function) and not _has_id(module, call) else None


def _is_each(module: Module, function: Node) -> bool:
    """Whether a function is what `list.forEach` calls."""
    tree = module.tree
    arguments = tree.parents[function]
    if tree.kind(arguments) != "arguments" or tree.children(arguments)[0] != function:
        return False
    return member_name(module, tree.children(tree.parents[arguments])[0]) in _EACH


def _has_id(module: Module, call: Call) -> bool:
    """Whether the line always has the same id: then the next one replaces it, which is progress and no log."""
    if len(call.arguments) < 2:
        return False
    identity = value_under(object_of(module.tree, module.scopes, call.arguments[1]), "id")
    return identity is not None and known_text(module, identity) is not None


RULE = Rule(
    "HP513",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => {
      for (const file of ctx.storage.get('files', [])) ctx.pet?.say?.(`checked ${file}`)
    }
    ctx.register({ id: 'check', area: 'palette', data: { id: 'demo:check', label: 'Check files', run } })
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const run = () => {
      ctx.pet?.say?.(`${ctx.storage.get('files', []).length} files checked`, { id: 'check' })
    }
    ctx.register({ id: 'check', area: 'palette', data: { id: 'demo:check', label: 'Check files', run } })
  }
}
""",
)
