"""`ctx.socket` and nothing that asks by itself.

Where the app is signed in to a remote gateway, `ctx.socket` does nothing: no message ever comes, and no error either.
Elsewhere messages are lost while it reconnects. What the socket makes fast, a slow poll keeps true: any interval,
repeated timeout or `refetchInterval` in the file counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject

_TIMERS = ("global.setInterval", "ctx.setInterval", "global.setTimeout", "ctx.setTimeout", "sdk.createBudgetedLoop")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    if b"socket" not in module.tree.data:
        return
    sockets = module.calls_to("ctx.socket")
    if not sockets or module.calls_to(*_TIMERS) or module.keyed("refetchInterval"):
        return
    yield Finding(
        module.head_span(sockets[0].node),
        "`ctx.socket` stays silent on remote gateways with a sign-in, and nothing here asks without it",
        "Poll slowly as well: `useQuery({ queryKey, queryFn: () => ctx.rest('/…'), refetchInterval: 15_000 })`.",
    )


RULE = Rule(
    "HP504",
    __doc__,
    check=check,
    bad="""import { atom } from '@hermes/plugin-sdk'
const $last = atom(null)
export default { id: 'demo', register(ctx) { ctx.socket('/events', message => $last.set(message)) } }
""",
    good="""import { atom } from '@hermes/plugin-sdk'
const $last = atom(null)
export default {
  id: 'demo',
  register(ctx) {
    ctx.socket('/events', message => $last.set(message))
    const timer = setInterval(async () => $last.set(await ctx.rest('/last')), 15_000)
    ctx.onDispose(() => clearInterval(timer))
  }
}
""",
)
