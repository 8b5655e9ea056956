"""The document is larger than 524,288 bytes.

No draft may be so large (an error there); a phone would take it, and load it again at every poll. What is larger than
four mebibytes, or holds more than 100,000 JSON values, is not read at all: an error too.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP702",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad="a document of 600 KB: one literal text for each line of a log\n",
    good="the last fifty lines, and a button that asks for the next\n",
)
