"""The schema's version, or the host API asked for, is not 1.

There is version 1 of manifests and documents, and host API 1. Anything else takes the plugin from the phone's list, or
the document from the screen.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP708",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 2,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
