"""plugin.js is larger than 16 MiB, the app's own cap.

It is never cut: half a file would give a strange error, or even load.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP002",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="a plugin.js of 20 MiB with a data set inside\n",
    good="the data fetched with ctx.rest from the plugin's own backend\n",
)
