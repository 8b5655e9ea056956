"""An object has the same key twice.

The last one counts. What stands in the first is lost without a word.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP735",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 0.1, "value": 0.4}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 0.4}}]}
""",
)
