"""A path that leads nowhere within the plugin, or a method that is not sent.

Paths are relative to the plugin's own routes and are not decoded: no query, fragment, percent sign, backslash, empty
segment, `.` or `..`. The phone finds out when the page is opened or the button pressed. A path spelled `/api/…` it
takes below the plugin's own routes: a warning here.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP713",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "button", "id": "go", "label": {"type": "literal", "value": "Go"},
              "action": {"id": "go", "request": {"path": "../config"}}}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "button", "id": "go", "label": {"type": "literal", "value": "Go"},
              "action": {"id": "go", "request": {"path": "alerts/save"}}}}]}
""",
)
