"""An `import()` of anything but the three modules that the app provides.

A dynamic import fails later than a static one, at the moment when the user presses the button. It is no door to
packages, files or addresses either; the same three names count.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.specifiers import near_miss, respelled, shown
from loader.analysis.rules.unsupported_import import is_refused


def check(subject: Subject) -> Iterator[Finding]:
    for one in subject.imports:
        if one.kind == "dynamic" and is_refused(one):
            specifier = one.specifier or ""
            miss = near_miss(specifier)
            message = f"`import()` of {shown(specifier)}: it is none of the three modules that the app provides"
            yield Finding(one.span, message, miss.hint, respelled(one, miss))


RULE = Rule(
    "HP202",
    __doc__,
    check=check,
    bad="""export default { id: 'demo', async register(ctx) { const m = await import('d3'); ctx.onDispose(() => m) } }
""",
    good="""export default { id: 'demo', async register() { const m = await import('react'); m.version } }
""",
)
