"""What makes a finding the same finding after the file has changed around it: its rule and the words it stands on.

Never the line's number, and not the message where there is a place: messages count and compare.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from loader.checking.checked import CheckedFile
from loader.nouns import Diagnostic

_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Of a bundle's one line only what stands around the finding: else every edit would make all of it new.
_LONGEST_LINE = 400
_AROUND = 120


def fingerprints(file: CheckedFile) -> Iterator[tuple[Diagnostic, str]]:
    """Each finding with its fingerprint (32 hex digits), unique within the file: equal ones are told apart by order."""
    lines = _LINE_END.split(file.text or "")
    seen: Counter[tuple[str, str]] = Counter()
    for found in file.diagnostics:
        words = (found.code, _words(found, lines))
        yield found, hashlib.sha256("\0".join((*words, str(seen[words]))).encode("utf-8", "replace")).hexdigest()[:32]
        seen[words] += 1


def _words(found: Diagnostic, lines: list[str]) -> str:
    span = found.span
    if span is None or not 0 < span.line <= len(lines):
        return _NUMBER.sub("#", found.message)
    line = lines[span.line - 1]
    if len(line) > _LONGEST_LINE:
        # Columns count UTF-16 units, so this may be off by some letters: always by the same ones.
        line = line[max(span.column - _AROUND, 0) : span.column + _AROUND]
    return " ".join(line.split())
