"""Code nested so deeply that the app's own engine gives up on it.

No person writes this. A generator does: build such data in a loop, or parse it from JSON.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP105",
    __doc__,
    found_by="syntax",
    shown_by_text=False,
    bad="export default [[[[ … ten thousand levels … ]]]]\n",
    good="const data = JSON.parse('…')\n",
)
