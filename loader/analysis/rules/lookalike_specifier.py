"""A module name whose letters print like an allowed one but are others.

A Cyrillic `а` in `reаct` cannot be seen, loads nothing today and something else the day it is registered. The message
shows the code point of the first foreign letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.specifiers import code_point, lookalike


def check(subject: Subject) -> Iterator[Finding]:
    for one in subject.imports:
        found = lookalike(one.specifier) if one.specifier is not None else None
        if found is not None:
            meant, letter = found
            yield Finding(
                one.span,
                f"`{one.specifier}` is not `{meant}`: it holds the letter {code_point(letter)}",
                f"Type `{meant}` anew with plain letters, and ask where this text came from.",
            )


RULE = Rule(
    "HP208",
    __doc__,
    check=check,
    bad="""import { useState } from 're\u0430ct'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => useState) } }
""",
    good="""import { useState } from 'react'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => useState) } }
""",
)
