"""There is no element, text, value or condition of this type.

A host draws the elements it has and nothing else: group, card, text, badge, button, text_input, toggle, progress,
image, divider, spacer. An unknown one makes the phone refuse the whole document.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP706",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "web_view", "id": "line"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
