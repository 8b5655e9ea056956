"""Two elements have the same id.

Ids of elements are unique over all pages of a document, not only within one. The phone refuses the whole document.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP710",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "group", "id": "all", "children": [
              {"type": "divider", "id": "line"}, {"type": "divider", "id": "line"}]}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "group", "id": "all", "children": [
              {"type": "divider", "id": "line"}, {"type": "divider", "id": "end"}]}}]}
""",
)
