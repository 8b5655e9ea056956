"""plugin.js is larger than 512 KiB.

It loads. Parsing it costs the window time at every start and every save: minify the bundle, and keep data out of it.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP003",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="a plugin.js of 900 KiB that bundles a charting library with its source map\n",
    good="the same minified, without the source map\n",
)
