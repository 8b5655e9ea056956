"""plugin.js is a link that leads out of the plugin's folder.

An installed package must bring its own bytes. In the standalone door a link to a file of the same user is allowed,
since authors link their build output, and the row says so.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP005",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="plugins/clock/desktop/plugin.js -> /etc/passwd\n",
    good="desktop-plugins/clock/plugin.js -> ~/src/clock/dist/plugin.js (your own file: shown as info)\n",
)
