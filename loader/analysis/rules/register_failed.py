"""`register()` threw or rejected in the rehearsal.

The stack is mapped to the file. It is evidence, not proof (the sandbox is not the app's engine), so it warns; the
report of a real shell replaces it.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP401",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="export default { id: 'demo', register(ctx) { ctx.nothing.here() } }\n",
    good="export default { id: 'demo', register(ctx) { ctx.nothing?.here?.() } }\n",
)
