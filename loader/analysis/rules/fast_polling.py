"""Asking the gateway or a backend more often than every two seconds.

Every plugin shares one connection with the chat: a fast poll slows all of them down and drains the battery, also while
nobody looks. Ask every few seconds (`refetchInterval: 15_000` in `useQuery`), and let events tell of what is urgent:
`host.onEvent`, `ctx.socket`. An interval that only draws or counts may be as fast as it likes.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node
from loader.analysis.syntax.reach import reached_calls
from loader.analysis.syntax.repeats import intervals
from loader.analysis.syntax.texts import known_number
from loader.analysis.syntax.values import function_behind

FASTEST_MS = 2_000
_TIMEOUTS = ("global.setTimeout", "ctx.setTimeout")
_REQUESTS = ("sdk.host.request", "sdk.host.requestProfile", "ctx.rest")
# Reading the clock inside the callback means that it decides itself how often it asks.
_CLOCKS = frozenset({"global.Date.now", "global.performance.now"})
_HINT = (
    "Ask every few seconds (`useQuery({ …, refetchInterval: 15_000 })`), or wait to be told: `host.onEvent`, "
    "`ctx.socket`."
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for interval in intervals(module):
        period = interval.period_ms
        if period is not None and period < FASTEST_MS:
            function = function_behind(module, interval.call.arguments[0])
            asked = _asks(module, function)
            if asked is not None:
                yield _finding(module, interval.call.node, asked, period)
    for call in module.calls_to(*_TIMEOUTS):
        if len(call.arguments) < 2:
            continue
        period = known_number(module, call.arguments[1])
        function = function_behind(module, call.arguments[0])
        # A timeout that its own callback sets again is an interval.
        if period is None or period >= FASTEST_MS or function is None or not _sets_again(module, call, function):
            continue
        asked = _asks(module, function)
        if asked is not None:
            yield _finding(module, call.node, asked, period)
    yield from _queries(module)


def _queries(module: Module) -> Iterator[Finding]:
    """``useQuery({ queryFn: () => host.request(…), refetchInterval: 500 })``."""
    for keyed in module.keyed("refetchInterval"):
        period = known_number(module, keyed.value)
        if period is None or not 0 < period < FASTEST_MS:
            continue
        for query in module.keyed("queryFn"):
            if query.owner == keyed.owner:
                asked = _asks(module, function_behind(module, query.value))
                if asked is not None:
                    yield _finding(module, keyed.key, asked, period)


def _asks(module: Module, function: Node | None) -> str | None:
    """What a callback asks, as an author would write it; None when it asks nothing or keeps time itself."""
    if function is None:
        return None
    calls = reached_calls(module, function)
    if any(call.path in _CLOCKS for call in calls):
        return None
    asked = next((call.path for call in calls if call.path in _REQUESTS), None)
    return None if asked is None else asked.removeprefix("sdk.")


def _sets_again(module: Module, call: Call, function: Node) -> bool:
    return module.is_inside(call.node, function) or any(
        one.node == call.node for one in reached_calls(module, function)
    )


def _finding(module: Module, node: Node, asked: str, period_ms: float) -> Finding:
    return Finding(
        module.head_span(node),
        f"`{asked}` is asked every {period_ms:g} ms; {FASTEST_MS} ms is the least that the shared connection bears",
        _HINT,
    )


RULE = Rule(
    "HP503",
    __doc__,
    check=check,
    bad="""import { atom } from '@hermes/plugin-sdk'
const $count = atom(0)
export default {
  id: 'demo',
  register(ctx) {
    const timer = setInterval(async () => $count.set((await ctx.rest('/count')).count), 500)
    ctx.onDispose(() => clearInterval(timer))
  }
}
""",
    good="""import { atom } from '@hermes/plugin-sdk'
const $count = atom(0)
export default {
  id: 'demo',
  register(ctx) {
    const timer = setInterval(async () => $count.set((await ctx.rest('/count')).count), 15_000)
    ctx.onDispose(() => clearInterval(timer))
  }
}
""",
)
