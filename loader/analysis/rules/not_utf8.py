"""The file is not UTF-8.

UTF-16 and UTF-32 (a PowerShell redirect writes UTF-16) and zero bytes are refused, since the app would read letters
that nobody wrote. Other invalid bytes are a warning: they are read as U+FFFD, as the app does.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP004",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="plugin.js written by `echo … > plugin.js` in Windows PowerShell (UTF-16)\n",
    good="the same saved as UTF-8\n",
)
