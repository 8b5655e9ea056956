"""The module threw while it was evaluated, before `register` could be called.

Work at module level runs at every start; move it into `register`, where a failure is the plugin's own.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP403",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="""const width = document.querySelector('#none').clientWidth
export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }
""",
    good="export default { id: 'demo', register() { const width = document.querySelector('#none')?.clientWidth } }\n",
)
