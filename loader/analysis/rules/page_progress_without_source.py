"""A progress bar that says neither its value nor where it comes from.

It needs `value`, `valueBinding` or both; then a bound number wins. The phone refuses the whole document.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP712",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 0.4}}]}
""",
)
