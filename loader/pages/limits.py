"""Every number and name of host API 1, and what an identifier and a length are."""

from __future__ import annotations

import re
import struct

SCHEMA_VERSION = 1
HOST_API = 1

PAGES_LIMIT = 32
ELEMENTS_LIMIT = 500
DEPTH_LIMIT = 16
CHILDREN_LIMIT = 100
TEXT_LIMIT_UNITS = 16_000
STATE_LIMIT = 250
INPUT_LIMIT_UNITS = 2_000
ASPECT_MIN = 0.25
ASPECT_MAX = 4.0
IDENTIFIER_LIMIT = 128
INT_MIN = -(2**31)
INT_MAX = 2**31 - 1

# The phone bounds neither; whoever evaluates a condition recursively must.
CONDITION_DEPTH_LIMIT = 64
DOCUMENT_LIMIT_BYTES = 4 * 1024 * 1024

DRAFT_DOCUMENT_LIMIT_BYTES = 524_288
DRAFT_IDENTIFIER_LIMIT = 64
TITLE_LIMIT = 120
DESCRIPTION_LIMIT = 1_000
RESERVED_ID = "git"

POLL_MIN_S = 5
POLL_MAX_S = 300

WRITE_CAPABILITY = "plugin.api.write"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", re.ASCII)
DRAFT_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII)


def is_identifier(text: str) -> bool:
    """1 to 128 ASCII letters, digits, ``.``, ``_``, ``-``, the first a letter or digit."""
    return IDENTIFIER.fullmatch(text) is not None


def is_draft_identifier(text: str) -> bool:
    """1 to 64 of the same, in lower case."""
    return DRAFT_IDENTIFIER.fullmatch(text) is not None


def units(text: str) -> int:
    """The length as the phone counts it: UTF-16 code units."""
    return len(text) + sum(letter > "\uffff" for letter in text) if not text.isascii() else len(text)


def as_float32(value: float) -> float:
    """The number that a 32-bit float keeps; infinite when it keeps none."""
    try:
        kept: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return kept


def poll_interval_s(wanted: int | None) -> int | None:
    """How often an open page is asked for anew, in seconds; None: never."""
    return None if wanted is None else min(max(wanted, POLL_MIN_S), POLL_MAX_S)
