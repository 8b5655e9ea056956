"""A clean-up function threw at unload. The others still ran."""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP410",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="ctx.onDispose(() => socket.close()) where socket may be undefined\n",
    good="ctx.onDispose(() => socket?.close())\n",
)
