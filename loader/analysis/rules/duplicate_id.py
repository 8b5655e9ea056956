"""Two plugins claim one id, or a copy on disk claims the id of a plugin that the app ships.

One owner runs: the standalone door before packages, then name order, the same on every start. The other is shown as
shadowed and takes over when the owner goes. What the app bundles always wins over a copy on disk.
"""

from __future__ import annotations

from loader.analysis.rule import Rule
from loader.codes import finding
from loader.nouns import Diagnostic, Span


def duplicate_id(identity: str, owner: str, *, span: Span | None = None) -> Diagnostic:
    """The finding for the one that does not own the id; ``owner`` says where the owner lies."""
    return finding(
        "HP305",
        f"duplicate id `{identity[:80]}`: it belongs to {owner}",
        span=span,
        hint="Remove one of the two, or give this one another id and folder.",
    )


def bundled_id(identity: str, *, span: Span | None = None) -> Diagnostic:
    """The finding for a copy on disk of a plugin that ships with the app."""
    return finding(
        "HP305",
        f"`{identity[:80]}` ships with the app: this copy on disk is stale and does not run",
        span=span,
        hint="Remove the copy, or give your own version another id and folder.",
    )


RULE = Rule(
    "HP305",
    __doc__,
    found_by="inventory",
    shown_by_text=False,
    bad="desktop-plugins/clock/plugin.js and desktop-plugins/clock-2/plugin.js both export id 'clock'\n",
    good="desktop-plugins/clock/plugin.js exports id 'clock', desktop-plugins/clock-2/plugin.js exports id 'clock-2'\n",
)
