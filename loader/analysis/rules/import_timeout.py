"""The module never finishes evaluating.

A top-level `await` was still pending after all timers had fired, and nothing outside was asked. The app waits for it as
long: the plugin never registers.
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
