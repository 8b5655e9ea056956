"""The exported id and the folder's name differ.

The app knows a plugin by its id, its backend, storage and switches by its folder: with two names one half answers and
the other is not found. Inside a home's door it is refused (the setting `id_mismatch = "warn"` loads it under its
exported id); in a checkout or in CI it is a note. The folder of a package's desktop half is the package's.
"""

from __future__ import annotations

from loader.analysis.rule import Rule
from loader.codes import finding
from loader.nouns import Diagnostic, Severity, Span


def id_folder_mismatch(
    exported_id: str, folder: str, *, severity: Severity = "error", span: Span | None = None
) -> Diagnostic | None:
    """The finding when the names differ, None when they are the same. ``folder`` is the name that counts as id."""
    if exported_id == folder:
        return None
    return finding(
        "HP303",
        f"the plugin calls itself `{exported_id[:80]}`, its folder is `{folder[:80]}`",
        span=span,
        hint=f"Rename the folder to `{exported_id[:80]}`, or write `id: '{folder[:80]}'`.",
        severity=severity,
    )


RULE = Rule(
    "HP303",
    __doc__,
    found_by="inventory",
    shown_by_text=False,
    bad="desktop-plugins/word-count/plugin.js: export default { id: 'wordcount', register(ctx) {} }\n",
    good="desktop-plugins/word-count/plugin.js: export default { id: 'word-count', register(ctx) {} }\n",
)
