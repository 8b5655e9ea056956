"""A `hermes-ignore` comment that silences nothing.

The finding was mended, the comment stands on another line than the finding, the code is no code, or it is one of the
errors that no comment can silence. What stays behind would hide the next finding of that code. Where an error keeps
rules from looking, or the rehearsal did not run, comments about what they would have found are left alone.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP520",
    __doc__,
    found_by="comments",
    shown_by_text=False,
    bad="""// hermes-ignore HP502: the logo's own colour
const LOGO = 'var(--ui-accent)'
""",
    good="""// hermes-ignore HP502: the logo's own colour
const LOGO = '#ff6b00'
""",
)
