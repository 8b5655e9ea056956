"""Evaluation or `register()` used more time or memory than any window should lose to one plugin.

In the app this would freeze or kill the window. `hermes-desktop allow-heavy ID` lets one revision pass.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP404",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="""while (true) {}
export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }
""",
    good="export default { id: 'demo', register(ctx) { ctx.setInterval?.(() => {}, 5000) } }\n",
)
