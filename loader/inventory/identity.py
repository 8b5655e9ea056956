"""Which id a plugin goes by, and the findings that depend on the folder it lies in.

Pure. A verdict depends on the text alone; these findings do not, so they are made anew for each folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from loader.codes import finding
from loader.nouns import Candidate, Diagnostic, Identity
from loader.settings import IdMismatch

# The id is a folder name, a storage key, an event source and a URL segment at once (diagnostics.md, HP304).
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_WINDOWS_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"com{digit}" for digit in range(1, 10)), *(f"lpt{digit}" for digit in range(1, 10)))
)
_SHOWN_CHARACTERS = 80


def is_valid_id(value: object) -> bool:
    """Whether this may be a plugin's id: `[a-z0-9][a-z0-9_-]{0,63}` and no name of a Windows device."""
    return isinstance(value, str) and _SLUG.fullmatch(value) is not None and value not in _WINDOWS_DEVICES


def effective_id(candidate: Candidate, identity: Identity) -> str:
    """The exported id if it is a valid one, else the folder's name (which need not be valid)."""
    exported = identity.exported_id
    return exported if exported is not None and is_valid_id(exported) else candidate.folder


def folder_findings(
    candidate: Candidate,
    identity: Identity,
    *,
    id_mismatch: IdMismatch = "error",
    in_home: bool = True,
    already: Iterable[str] = (),
) -> tuple[Diagnostic, ...]:
    """What is wrong between the exported id and the folder: nothing, one HP304 or one HP303.

    ``already`` holds the codes that the text alone got: the same complaint is not made twice.
    ``in_home`` is false in a checkout or in CI, where the folder's name says little: HP303 is an info there.
    """
    codes = frozenset(already)
    exported = identity.exported_id
    if exported is None:
        return ()
    if not is_valid_id(exported):
        return () if "HP304" in codes else (_invalid_id(exported),)
    if exported == candidate.folder:
        return ()
    ways_out = f"Rename the folder to '{exported}' or export the id '{shown(candidate.folder)}'."
    if not is_valid_id(candidate.folder):
        ways_out = f"Rename the folder to '{exported}'."
    return (
        finding(
            "HP303",
            f"The folder is called '{shown(candidate.folder)}', but the plugin exports the id '{exported}'.",
            span=identity.id_span,
            hint=ways_out,
            severity=("error" if id_mismatch == "error" else "warning") if in_home else "info",
        ),
    )


def unnamed_finding(candidate: Candidate) -> Diagnostic:
    """For a plugin whose exported id nobody could read and whose folder cannot stand in for it."""
    return finding(
        "HP304",
        f"The folder's name '{shown(candidate.folder)}' stands in for the id, but it is not a valid one.",
        hint=_RULE,
    )


def duplicate_finding(plugin_id: str, owner_key: str, owner_path: str) -> Diagnostic:
    """HP305 for the one that has to wait; names who owns the id."""
    return finding(
        "HP305",
        f"The id '{plugin_id}' belongs to {owner_key} ({owner_path}), so this copy does not run.",
        hint="Remove one of the two, or give this one another id and folder.",
    )


def bundled_finding(plugin_id: str) -> Diagnostic:
    """HP305 for a copy on disk of what the app itself brings along."""
    return finding(
        "HP305",
        f"The id '{plugin_id}' ships with the app, so this stale copy on disk does not run.",
        hint="Remove the copy; the app's own one is running.",
    )


def shown(text: str) -> str:
    """A name from outside, short enough for one line and without anything that moves the cursor."""
    escaped = text[:_SHOWN_CHARACTERS].encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return escaped if len(escaped) <= _SHOWN_CHARACTERS else escaped[: _SHOWN_CHARACTERS - 1] + "…"


_RULE = "An id is 1 to 64 of a-z, 0-9, - and _, begins with a letter or digit, and is no Windows device name."


def _invalid_id(exported: str) -> Diagnostic:
    return finding("HP304", f"'{shown(exported)}' cannot be a plugin's id.", hint=_RULE)
