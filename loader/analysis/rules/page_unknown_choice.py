"""A style, tone, size, direction or motion that does not exist.

Choices are written in upper case with underscores, `SLIDE_VERTICAL`, and case counts. One wrong choice makes the phone
refuse the whole document.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP707",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "group", "id": "all", "direction": "row", "children": []}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "group", "id": "all", "direction": "ROW", "children": []}}]}
""",
)
