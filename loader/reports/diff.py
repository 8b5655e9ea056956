"""What `--diff` prints: a unified diff that `git apply` and `patch -p1` take, of texts that differ in a few places."""

from __future__ import annotations

import difflib
from pathlib import PurePath

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, before: str, after: str) -> str:
    """Empty for equal texts. Lines end with LF as they do for Git; a CR belongs to its line."""
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    # Only the stretch that differs is compared, with its context: comparing is slow, and fixes are small.
    same = _common(old, new)
    ending = _common(old[same:][::-1], new[same:][::-1])
    start, keep = max(same - _CONTEXT, 0), max(ending - _CONTEXT, 0)
    hunks = difflib.unified_diff(old[start : len(old) - keep], new[start : len(new) - keep], n=_CONTEXT)
    shown = PurePath(path).as_posix().lstrip("/")
    out = [f"--- a/{shown}\n", f"+++ b/{shown}\n"]
    for line in list(hunks)[2:]:
        if line.startswith("@@"):
            out.append(_moved(line, start))
            continue
        out.append(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}")
    return "".join(out)


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _common(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _moved(head: str, lines: int) -> str:
    """``@@ -1,2 +1,3 @@`` of a part, counted from the beginning of the whole text."""
    old, new = head.split()[1:3]
    return f"@@ {_shifted(old, lines)} {_shifted(new, lines)} @@\n"


def _shifted(place: str, lines: int) -> str:
    number, comma, count = place[1:].partition(",")
    return f"{place[0]}{int(number) + lines}{comma}{count}"
