"""plugin.js is missing, may not be read, or is no regular file.

A directory, FIFO, socket or device in its place is never opened: reading one could wait for ever.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP001",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="desktop-plugins/demo/plugin.js is a folder\n",
    good="desktop-plugins/demo/plugin.js is a file that you may read\n",
)
