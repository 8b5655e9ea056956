"""Names of an archive's members: which may become files, as what, and which are left out. Pure.

A name must mean the same on every system that the package may be installed on. What one of them would fold, strip or
take for something else is refused, not mended: an archive made by a packer never needs it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias
from urllib.parse import unquote

from loader.packages.limits import LIMITS, Limits
from loader.packages.refused import Invalid

Parts: TypeAlias = tuple[str, ...]

# Of the archives themselves.
ARCHIVE_ENDINGS = (".tar", ".tar.gz", ".tgz", ".zip")

# Cc controls, Cf formats that some file systems ignore, Cs what was no UTF-8, Zl and Zp line ends.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", "conin$", "conout$", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10)))
)
# Letters that no reader sees, which are none of the categories above.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ONLY_DOTS = re.compile(r"[. ]*\Z")

# Where something came from is the host's own record; of the same names in a package the app would believe every word.
_PROVENANCE = frozenset({".hermes-package.json", ".hermes-catalog.json", ".install-metadata.json"})
# Dependencies and caches of a checkout, and what macOS and version control leave; no part of any plugin runs from them.
_LEFT_OUT = _PROVENANCE | frozenset(
    {"__macosx", ".ds_store", ".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".pytest_cache"}
)


def parts_of(name: str, limits: Limits = LIMITS) -> Parts:
    """The parts of a relative name; empty for the top folder itself (``./``).

    Raises:
        Invalid: the name cannot be installed; says which rule it breaks.
    """
    reason = _wrong_as_a_whole(name, limits)
    if reason is not None:
        raise Invalid(reason, name)
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if len(parts) > limits.depth:
        raise Invalid(f"it lies more than {limits.depth} folders deep", name)
    for part in parts:
        reason = _wrong_part(part, limits)
        if reason is not None:
            raise Invalid(reason, name)
    return parts


def is_left_out(parts: Parts) -> bool:
    """Whether a member is passed over: AppleDouble sidecars (``._name``) and what no plugin needs."""
    return any(part.startswith("._") or part.casefold() in _LEFT_OUT for part in parts)


def folded(parts: Parts) -> Parts:
    """The same for names that some file system, or any reader, takes for one: case, Unicode form, ends in dots or
    blanks, letters drawn in another variant."""
    return tuple(_fold(part) for part in parts)


def _fold(part: str) -> str:
    # Twice: case folding may give letters that another normal form writes differently.
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _VARIANTS.sub("", part)).casefold())
    return once.rstrip(". ")


def _wrong_as_a_whole(name: str, limits: Limits) -> str | None:
    if not name:
        return "the name is empty"
    for letter in name:
        category = unicodedata.category(letter)
        if category == "Cs":
            return "the name is no UTF-8"
        if category in _UNSAFE_CATEGORIES or letter in _UNSEEN:
            return f"the name holds the control character U+{ord(letter):04X}"
    if len(name.encode("utf-8")) > limits.name_bytes:
        return f"the name is longer than {limits.name_bytes} bytes"
    if "\\" in name:
        return "the name holds a backslash, which parts folders on Windows"
    if name.startswith("/"):
        return "the name is absolute"
    return None


def _wrong_part(part: str, limits: Limits) -> str | None:
    if len(part.encode("utf-8")) > limits.part_bytes:
        return f"a part of the name is longer than {limits.part_bytes} bytes"
    if ":" in part:
        return "the name holds a colon: a drive letter or a hidden stream on Windows"
    # Whoever decodes or normalises the name later must not find another one.
    for spelled in {part, unicodedata.normalize("NFKC", part), unicodedata.normalize("NFKC", _unquoted(part))}:
        if _ONLY_DOTS.match(spelled):
            return "the name leads out of its folder ('..')"
        if spelled != part and ("/" in spelled or "\\" in spelled or ":" in spelled or "\0" in spelled):
            return "the name hides a separator"
    if part != part.rstrip(". ") or part != part.lstrip(" "):
        return "a part of the name ends in a dot or a blank, or begins with one, which Windows takes away"
    if _fold(part).partition(".")[0].rstrip() in _DEVICES:
        return "the name is that of a Windows device"
    return None


def _unquoted(part: str) -> str:
    for _ in range(3):
        decoded = unquote(part)
        if decoded == part:
            break
        part = decoded
    return part
