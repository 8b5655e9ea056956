"""More than fits: pages, elements, children, state, letters, or a number out of its range.

32 pages, 500 elements, 100 children of a group, 250 entries of state, 16,000 UTF-16 units of text, an input of 1 to
2,000, progress from 0 to 1, an aspect ratio from 0.25 to 4. The phone refuses what has more.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP711",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 40}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 0.4}}]}
""",
)
