"""A static import or re-export of anything but the three modules that the app provides.

The app links `@hermes/plugin-sdk`, `react` and `react/jsx-runtime` and nothing else: any other name fails before a
line of the plugin runs, be it a package, a sibling file, an address or a name that only looks right. Names count to
the letter after escapes are decoded, so `'\\u0072eact'` is `react` and `'React'` is not.
Source: docs/authors.md, "What a plugin may import".
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.specifiers import lookalike, near_miss, respelled, shown
from loader.nouns import ALLOWED_SPECIFIERS, ImportRef

# More names than this do not help anybody, and a hostile file could hold a hundred thousand.
_NAMED_TOGETHER = 20


def check(subject: Subject) -> Iterator[Finding]:
    refused = [one for one in subject.imports if one.kind != "dynamic" and is_refused(one)]
    for number, one in enumerate(refused):
        specifier = one.specifier or ""
        verb = "re-exported" if one.kind == "reexport" else "imported"
        message = f"{shown(specifier)} cannot be {verb}: it is none of the three modules that the app provides"
        if number == 0 and len(refused) > 1:
            others = [shown(other.specifier or "") for other in refused[1 : _NAMED_TOGETHER + 1]]
            more = "" if len(refused) <= _NAMED_TOGETHER + 1 else f" and {len(refused) - _NAMED_TOGETHER - 1} more"
            message += f" (refused further down: {', '.join(others)}{more})"
        miss = near_miss(specifier)
        yield Finding(one.span, message, miss.hint, respelled(one, miss))


def is_refused(one: ImportRef) -> bool:
    """Whether a known specifier is outside the three; lookalikes have a rule of their own."""
    return one.specifier is not None and one.specifier not in ALLOWED_SPECIFIERS and lookalike(one.specifier) is None


RULE = Rule(
    "HP201",
    __doc__,
    check=check,
    bad="""import debounce from 'lodash/debounce'
export default { id: 'demo', register(ctx) { debounce(() => ctx.source, 50) } }
""",
    good="""import { useState } from 'react'
const debounce = (run, ms) => { let timer; return () => { clearTimeout(timer); timer = setTimeout(run, ms) } }
export default { id: 'demo', register(ctx) { debounce(() => ctx.source, 50); useState } }
""",
)
