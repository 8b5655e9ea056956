"""A page that no contribution opens, or a contribution without its page.

A page is shown when its id is the contribution's, and there is no way from one page to another. A contribution without
a page shows a blank screen: an error where the contributions are known. A draft has one: its own id.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP733",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}},
           {"id": "today", "title": {"type": "literal", "value": "More"},
            "content": {"type": "divider", "id": "rule"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}},
           {"id": "more", "title": {"type": "literal", "value": "More"},
            "content": {"type": "divider", "id": "rule"}}]}
""",
)
