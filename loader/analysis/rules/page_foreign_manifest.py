"""The manifest's id is not the one under which the plugin is listed.

The phone drops the plugin without a word: a manifest speaks for the plugin that serves it and for no other.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP716",
    __doc__,
    found_by="pages",
    shown_by_text=False,
    bad='the catalogue lists "weather", whose manifest says "id": "climate"\n',
    good='the catalogue lists "weather", whose manifest says "id": "weather"\n',
)
