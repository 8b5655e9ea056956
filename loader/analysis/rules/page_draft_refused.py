"""A draft's id, title or description does not fit.

An id is 1 to 64 of `a-z 0-9 . _ -` (blanks around it and case do not count), and not `git`, which is the host's own.
The title has 1 to 120 letters, the description at most 1,000.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP715",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"plugin_id": "git", "title": "Today",
 "document": {"schemaVersion": 1,
  "pages": [{"id": "git", "title": {"type": "literal", "value": "Today"},
             "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}}
""",
    good="""\
{"plugin_id": "today", "title": "Today",
 "document": {"schemaVersion": 1,
  "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
             "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}}
""",
)
