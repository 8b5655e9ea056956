"""The answer of `ctx.runAction` is thrown away.

It never throws: an action that is refused, unknown or unavailable just now comes back as
`{ ok: false, reason, error }`, and whoever pressed the button sees nothing happen. Say it:
`host.notify({ kind: 'warning', message: result.error })`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.values import is_discarded, returned_from

# Who calls these handlers does not look at what they return.
_HANDLER = re.compile(r"on[A-Z]\w*|run")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    if b"runAction" not in module.tree.data:
        return
    for call in module.calls_to("ctx.runAction"):
        if is_discarded(module, call.node) or _ends_in_handler(module, call.node):
            yield Finding(
                module.head_span(call.node),
                "the answer of `ctx.runAction` is thrown away: a refusal would go unseen",
                "Keep it: `const result = ctx.runAction?.(…)`, and "
                "`if (result && !result.ok) host.notify({ kind: 'warning', message: result.error })`.",
            )


def _ends_in_handler(module: Module, node: Node) -> bool:
    """``onClick: () => ctx.runAction('…')``."""
    tree = module.tree
    function = returned_from(module, node)
    if function is None:
        return False
    parent = tree.parents[function]
    key = tree.children(parent)[0] if tree.kind(parent) == "pair" else None
    return key is not None and tree.kind(key) == "property_identifier" and bool(_HANDLER.fullmatch(tree.name(key)))


RULE = Rule(
    "HP510",
    __doc__,
    check=check,
    bad="""import { PALETTE_AREA } from '@hermes/plugin-sdk'
export default {
  id: 'demo',
  register(ctx) {
    const run = () => { ctx.runAction?.('view.showBrowser') }
    ctx.register({ id: 'go', area: PALETTE_AREA, data: { id: 'demo.go', label: 'Show the browser', run } })
  }
}
""",
    good="""import { PALETTE_AREA, host } from '@hermes/plugin-sdk'
export default {
  id: 'demo',
  register(ctx) {
    const run = () => {
      const result = ctx.runAction?.('view.showBrowser')
      if (result && !result.ok) host.notify({ kind: 'warning', message: result.error })
    }
    ctx.register({ id: 'go', area: PALETTE_AREA, data: { id: 'demo.go', label: 'Show the browser', run } })
  }
}
""",
)
