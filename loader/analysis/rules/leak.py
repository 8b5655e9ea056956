"""Something is still alive after the plugin was unloaded: a listener, timer, socket or contribution.

Each reload adds another one. Use `ctx.setInterval`, `ctx.addEventListener` or `ctx.onDispose`.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP409",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="register() { setInterval(tick, 5000) }\n",
    good="register(ctx) { const t = setInterval(tick, 5000); ctx.onDispose(() => clearInterval(t)) }\n",
)
