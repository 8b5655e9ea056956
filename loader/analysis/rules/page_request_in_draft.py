"""A draft's action asks a backend.

What an agent drafts is drawn, and reaches nothing: the store refuses a `request` anywhere in the document, even where
no element reads it. Pages that call a backend come with an installed plugin.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP714",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"plugin_id": "today", "title": "Today",
 "document": {"schemaVersion": 1,
  "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
             "content": {"type": "button", "id": "go", "label": {"type": "literal", "value": "Go"},
               "action": {"id": "go", "request": {"path": "save"}}}}]}}
""",
    good="""\
{"plugin_id": "today", "title": "Today",
 "document": {"schemaVersion": 1,
  "initialState": {"done": {"type": "boolean", "value": false}},
  "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
             "content": {"type": "toggle", "id": "done", "binding": "done",
             "label": {"type": "literal", "value": "Done"}}}]}}
""",
)
