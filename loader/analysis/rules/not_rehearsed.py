"""The rehearsal could not be played, and says what stopped it.

A browser feature that the stubs lack, syntax newer than the sandbox's engine, or a wait for the host at import. It is
never a refusal: the static check has passed.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP405",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="import value from a browser feature that the sandbox does not have\n",
    good="nothing to mend: the plugin loads\n",
)
