"""An `import()` whose module name is worked out at run time.

What cannot be read cannot be checked, and shells that rewrite module names have nothing to rewrite. Write the name as
a literal (a template without `${}` counts as one). Where the name only chooses among the allowed three, import them
and choose among the results.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    positions = subject.module.tree.positions
    for one in subject.imports:
        if one.kind == "dynamic" and one.specifier is None:
            written = " ".join(positions.text_of(one.span, limit_bytes=400).split())
            shown = written if len(written) <= 60 else written[:57] + "…"
            yield Finding(
                one.span,
                f"`import({shown})`: the module's name is computed, so nobody can tell what it loads",
                "Write the name as a literal: `import('react')`.",
            )


RULE = Rule(
    "HP203",
    __doc__,
    check=check,
    bad="""const name = ['node', 'fs'].join(':')
export default { id: 'demo', async register(ctx) { const m = await import(name); ctx.onDispose(() => m) } }
""",
    good="""export default { id: 'demo', async register() { const m = await import(`react`); m.version } }
""",
)
