"""Regular expressions with the `v` flag: the sandbox's engine takes whatever they hold, the app's is strict.

esprima knows their grammar as V8 does (3,300 patterns, no difference); it is asked for those literals alone, so that
nobody else pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from loader.analysis.judge import Judgement
from loader.analysis.syntax import Module, Parsed
from loader.codes import finding
from loader.nouns import Diagnostic

_FLAGS = re.compile(rb"/[dgimsy]*v[dgimsy]*(?![\w$])")
_MOST = 1_000
_SHOWN = 60


def wrong_set_pattern(module: Module, judge: Callable[[str], Judgement]) -> Diagnostic | None:
    """A finding for the first one that the app's engine would refuse; None where there is none, as nearly always."""
    literals = _literals(module.parsed)
    if not literals or judge(_alone(*literals)).accepted is not False:
        return None
    wrong = next((one for one in literals if judge(_alone(one)).accepted is False), None)
    # The tree may take a division for a pattern; who reads the whole text knows better, where it is short enough.
    if wrong is None or judge(module.text).accepted:
        return None
    start = literals[wrong]
    shown = wrong if len(wrong) <= _SHOWN else f"{wrong[:_SHOWN]}…"
    return finding(
        "HP101",
        f"this regular expression is not valid with the `v` flag: {shown}",
        span=module.tree.positions.span(start, start + len(wrong.encode())),
        hint="Inside `[…]` the flag wants `( ) [ ] { } / - |` written with a backslash, as in `[\\(]`, "
        "and no doubled signs such as `&&` between single letters; the flag `u` is laxer.",
    )


def _literals(parsed: Parsed) -> dict[str, int]:
    """Each such literal and where it first begins."""
    found: dict[str, int] = {}
    for match in _FLAGS.finditer(parsed.data):
        flags = parsed.around(match.start() + 1, match.end())
        literal = flags.parent if flags is not None and flags.type == "regex_flags" else None
        if literal is not None and len(found) < _MOST:
            written = parsed.data[literal.start_byte : literal.end_byte].decode("utf-8", "replace")
            found.setdefault(written, literal.start_byte)
    return found


def _alone(*literals: str) -> str:
    return "".join(f"({one});\n" for one in literals)
