"""Attributes (`with { type: 'json' }`) or a phase (`import defer`, `import source`) on an allowed module.

The app's modules are plain scripts: with a type attribute the engine refuses them, and a phase import asks for
something that they are not. Without the addition the import works. An empty `with {}` says nothing and is let through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.nouns import ALLOWED_SPECIFIERS, Edit, Fix

_EMPTY = re.compile(rb"^\s*,?\s*(?:with\s*)?(?:\{\s*(?:with\s*:\s*\{\s*\}\s*)?\}|undefined)\s*,?\s*$")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    tree = module.tree
    for request in module.record.requests:
        if request.attributes is None or request.specifier not in ALLOWED_SPECIFIERS:
            continue
        start, end = request.attributes
        if _EMPTY.match(tree.data[start:end]):
            continue
        literal_end = tree.stops[request.node]
        offset = tree.positions.offset
        fix = None
        if request.kind != "dynamic":
            fix = Fix("Remove the attributes", (Edit(offset(literal_end), offset(end), ""),))
        yield Finding(
            tree.positions.span(start, end),
            f"import attributes on `{request.specifier}`: the app's modules take none",
            f"Write `'{request.specifier}'` without `with {{…}}`.",
            fix,
        )


RULE = Rule(
    "HP209",
    __doc__,
    check=check,
    bad="""import { useState } from 'react' with { type: 'json' }
export default { id: 'demo', register(ctx) { ctx.onDispose(() => useState) } }
""",
    good="""import { useState } from 'react'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => useState) } }
""",
)
