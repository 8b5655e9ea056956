"""A number or boolean in quotes, or half a letter.

The phone's decoder takes quoted numbers and booleans as what they say; other hosts do not. A lone half of a surrogate
pair is drawn as a replacement sign.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP734",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": "0.4"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "progress", "id": "bar", "value": 0.4}}]}
""",
)
