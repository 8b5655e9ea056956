"""Two contributions with the same local id.

The second replaces the first, which is seldom meant.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP408",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="ctx.register({ id: 'a', … }); ctx.register({ id: 'a', … })\n",
    good="ctx.register({ id: 'a', … }); ctx.register({ id: 'b', … })\n",
)
