"""A key that nothing reads.

The phone skips it without a word and takes the default instead. Mostly it is another spelling of a key that exists:
documents are in camelCase (`visibleWhen`), manifests in snake_case (`poll_seconds`).
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP731",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "initialState": {"more": {"type": "boolean", "value": true}},
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "divider", "id": "line", "visible_when": {"type": "truthy", "key": "more"}}}]}
""",
    good="""\
{"schemaVersion": 1,
 "initialState": {"more": {"type": "boolean", "value": true}},
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "divider", "id": "line", "visibleWhen": {"type": "truthy", "key": "more"}}}]}
""",
)
