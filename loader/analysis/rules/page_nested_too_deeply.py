"""Elements stand deeper than 16 levels, or conditions deeper than 64.

The content of a page is level 1, and each group and card adds one. The phone refuses the whole document. It sets no
limit to conditions and to JSON as such; we do (64, 256 levels), since whoever draws them goes down that far.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

_LEVELS = 17
_NESTED = (
    "".join(f'{{"type": "card", "id": "c{level}", "child":\n' for level in range(_LEVELS))
    + '{"type": "divider", "id": "line"}'
    + "}" * _LEVELS
)
_HEAD = '{"schemaVersion": 1, "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"}, "content":\n'

RULE = Rule(
    "HP703",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad=f"{_HEAD}{_NESTED}}}]}}\n",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
