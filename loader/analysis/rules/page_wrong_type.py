"""A value is of another type than its key takes.

Texts, state and conditions are objects with a `type`, never bare strings, numbers or booleans. `null` is taken only
where leaving the key out means the same.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP705",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": "Sunny."}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
