"""One mistake is told once, though the rules read it and the rehearsal ran into it. Pure.

Who mends a file reads the first line and stops: a second one about the same slip costs a look, and the two share out
what one of them should say. The rehearsal knows what becomes of a mistake, the rules know its exact place and the way
out. Decided last, of what is going to be shown: what was ignored or not asked for takes nothing else away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from loader.nouns import Diagnostic, Span

_THROWN = frozenset({"HP401", "HP403", "HP406"})
_NOT_DEFINED = re.compile(r"ReferenceError: '?(?P<name>[\w$]+)'? is not defined\Z")
_GUESS = re.compile(r"Did you mean `(?P<name>[\w$]+)`\?\Z")
_READ = {"HP501": "`{name}` ", "HP207": "{name} is not defined"}
# How the rule (HP506) and the rehearsal (HP409) call the same thing.
_NEVER_ENDED = (
    ("a timer is still alive", "`setInterval` "),
    ("a listener is still alive", "a listener on "),
    ("a subscription is still alive", "`"),
)


def told_once(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings in their order, those of one cause as one."""
    found = list(findings)
    if len(found) < 2:
        return tuple(found)
    for merge in (_undefined_names, _never_ended, _thrown_again, _meant):
        found = merge(found)
    return tuple(found)


def _undefined_names(findings: list[Diagnostic]) -> list[Diagnostic]:
    """A name that is not defined: what failed by it stays, with the place and the way out of what was read."""
    gone: set[int] = set()
    told: dict[int, Diagnostic] = {}
    for number, thrown in enumerate(findings):
        name = _NOT_DEFINED.search(thrown.message) if thrown.code in _THROWN else None
        if name is None or thrown.span is None:
            continue
        read = [
            at
            for at, other in enumerate(findings)
            if other.code in _READ and other.message.startswith(_READ[other.code].format(name=name["name"]))
        ]
        only = read[0] if len(read) == 1 else None
        at = next((one for one in read if _on_one_line(findings[one].span, thrown.span)), only)
        if at is None:
            continue
        cause = findings[at]
        told[number] = replace(thrown, span=cause.span, hint=cause.hint, fix=cause.fix)
        # One import mends every use of the name; a slip has to be mended wherever it stands.
        gone |= {one for one in read if one == at or (cause.fix and findings[one].fix == cause.fix)}
    return [told.get(at, found) for at, found in enumerate(findings) if at not in gone]


def _never_ended(findings: list[Diagnostic]) -> list[Diagnostic]:
    """What nothing ends and is still alive after unload: the rule has the whole call, and says how to end it."""

    def read(leak: Diagnostic) -> bool:
        words = next((read for lived, read in _NEVER_ENDED if leak.message.startswith(lived)), None)
        return words is not None and any(
            rule.code == "HP506" and rule.message.startswith(words) and _is_inside(leak.span, rule.span)
            for rule in findings
        )

    return [found for found in findings if found.code != "HP409" or not read(found)]


def _thrown_again(findings: list[Diagnostic]) -> list[Diagnostic]:
    """What a stub complains of before it throws it at the plugin."""

    def again(problem: Diagnostic) -> bool:
        return any(
            thrown is not problem
            and thrown.code in _THROWN
            and thrown.span == problem.span
            and thrown.message.endswith(f": {problem.message}")
            for thrown in findings
        )

    return [found for found in findings if found.code != "HP406" or not again(found)]


def _meant(findings: list[Diagnostic]) -> list[Diagnostic]:
    """An import that nothing uses because its use is misspelt: to take it away would be wrong."""
    meant = {match["name"] for found in findings if found.hint and (match := _GUESS.match(found.hint))}
    return [
        found
        for found in findings
        if found.code != "HP509" or found.message.partition(" is imported")[0].strip("`") not in meant
    ]


def _on_one_line(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one.line == other.line


def _is_inside(inner: Span | None, outer: Span | None) -> bool:
    if inner is None or outer is None:
        return False
    start, begins, ends = (
        (inner.line, inner.column),
        (outer.line, outer.column),
        (outer.end_line, outer.end_column),
    )
    return begins <= start < ends
