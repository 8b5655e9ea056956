"""The analysis ran out of time or memory before it could tell.

The message says what ran out. It is not kept: the next save or `hermes-desktop reload` tries again. Smaller files and
shorter lines help.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP106",
    __doc__,
    found_by="pool",
    shown_by_text=False,
    bad="twelve megabytes of minified code in one plugin.js\n",
    good="the same without the libraries that it does not use\n",
)
