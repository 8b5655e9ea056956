"""A binding or condition names a key that `initialState` lacks.

It reads as null until an input writes it, so a text shows its fallback and a condition is false. Mostly it is a
misspelled key.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP732",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "binding", "key": "sky"}}}]}
""",
    good="""\
{"schemaVersion": 1,
 "initialState": {"sky": {"type": "string", "value": "clear"}},
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "binding", "key": "sky"}}}]}
""",
)
