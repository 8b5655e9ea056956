"""The module never finishes evaluating.

A top-level `await` was still pending after all timers had fired, and nothing outside could call the module back: it
had asked the app for nothing, listened to nothing, watched nothing and was not looking for anything again and again
(all that is HP405: only the app can answer). The same is said of a plain delay beyond the app's own deadline of 10
seconds. The plugin never registers.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP402",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="""await new Promise(() => {})
export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }
""",
    good="export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }\n",
)
