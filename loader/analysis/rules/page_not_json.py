"""The text is no JSON.

A page document or manifest is one JSON object: double quotes, no comments, no comma before a closing bracket. The phone
says nothing of it: the plugin is not listed, or the page stays empty.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP701",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"}, "content":
            {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}],}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content":
            {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
