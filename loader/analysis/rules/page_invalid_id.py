"""An id, key, binding or asset is no identifier.

Identifiers are 1 to 128 ASCII letters, digits, `.`, `_` and `-`, the first a letter or digit; in drafts at most 64, in
lower case. Addresses, paths and data do not fit: a page names what it means, the host finds it.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP709",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "divider", "id": "my line"}}]}
""",
    good="""\
{"schemaVersion": 1,
 "pages": [{"id": "today", "title": {"type": "literal", "value": "Today"},
            "content": {"type": "divider", "id": "my-line"}}]}
""",
)
