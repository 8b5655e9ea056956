"""Something in a manifest or draft that does nothing on a host of today.

A surface other than `page` is never shown, a capability other than `plugin.api.write` grants nothing, polling is held
between 5 and 300 seconds, and of two contributions with one id the second opens the first.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP736",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="""\
{"schema_version": 1, "id": "weather",
 "contributions": [{"id": "today", "title": "Today", "document": {"path": "pages/today"}, "surface": "widget"}]}
""",
    good="""\
{"schema_version": 1, "id": "weather",
 "contributions": [{"id": "today", "title": "Today", "document": {"path": "pages/today"}}]}
""",
)
