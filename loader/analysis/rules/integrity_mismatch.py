"""The bytes of plugin.js are not those that the pinned or declared hash names.

Nothing of them runs, and the revision that ran before is unloaded too. The message says when the hash would fit with
other line ends or without a byte order mark: then an editor or git changed the file, nobody else.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP010",
    __doc__,
    found_by="integrity",
    shown_by_text=False,
    bad="pinned sha256-…A=, the file has sha256-…B=\n",
    good="`hermes-desktop pin demo` after you have looked at the change\n",
)
