"""An element that is made and thrown away, where it was meant to be returned.

`() => { jsx('p', {}) }` draws nothing: the braces are a function's body, and nothing in it is returned. React takes
that for "show nothing" and says no word. Either the braces are one too many, or a `return` is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.names import short
from loader.analysis.syntax.values import is_discarded

_MAKERS = ("jsx.jsx", "jsx.jsxs", "react.createElement")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for call in module.calls_to(*_MAKERS):
        if is_discarded(module, call.node):
            name = short(module.tree.raw(call.callee))
            yield Finding(
                module.head_span(call.node),
                f"what `{name}` makes here is thrown away: nothing of it is drawn",
                f"Return it: `return {name}(…)`, or leave out the braces of the arrow function around it.",
            )


RULE = Rule(
    "HP517",
    __doc__,
    check=check,
    bad="""import { jsx } from 'react/jsx-runtime'
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'chip', area: 'statusBar.left', render: () => { jsx('span', { children: 'hi' }) } })
  }
}
""",
    good="""import { jsx } from 'react/jsx-runtime'
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'chip', area: 'statusBar.left', render: () => jsx('span', { children: 'hi' }) })
  }
}
""",
)
