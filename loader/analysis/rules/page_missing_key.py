"""A key is missing that has no default.

The phone refuses the whole document; of a manifest, one contribution without its title takes the whole plugin from the
list. Spellings count: documents are in camelCase, manifests in snake_case.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP704",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "text", "id": "line", "text": {"type": "literal", "value": "Sunny."}}}]}
""",
)
