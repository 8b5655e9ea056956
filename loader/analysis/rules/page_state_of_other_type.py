"""An input is bound to state of another type.

A text input shows strings only, a toggle is on only at true, a bar moves only by numbers. The first edit replaces the
value by one of the right type.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP737",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "initialState": {"on": {"type": "string", "value": "true"}},
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "toggle", "id": "on", "binding": "on", "label": {"type": "literal", "value": "On"}}}]}
""",
    good="""\
{"schemaVersion": 1,
 "initialState": {"on": {"type": "boolean", "value": true}},
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "toggle", "id": "on", "binding": "on", "label": {"type": "literal", "value": "On"}}}]}
""",
)
