"""A contribution that its area cannot use.

An unknown area, or a payload without what the area needs (placement, path, codicon, label, run, theme). The app drops
it without a word.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP407",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="ctx.register({ id: 'p', area: 'pane' })\n",
    good="ctx.register({ id: 'p', area: PANES_AREA, title: 'P', render, data: { placement: 'right' } })\n",
)
