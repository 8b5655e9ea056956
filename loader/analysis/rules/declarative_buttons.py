"""A default export with `titlebarButtons` and no `register`.

One guide shows this form. Our host and the rehearsal understand it, but the app of today calls `register` and shows
nothing without it. The hint has the same button the way that every app knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject

_EQUIVALENT = (
    "Write: register(ctx) { ctx.register({ id: 'button', area: TITLEBAR_AREAS.right, data: { id: 'button', label: '…', "
    "icon: '…', onSelect: () => ctx.runAction?.('view.showBrowser') } }) }"
)


def check(subject: Subject) -> Iterator[Finding]:
    plugin = subject.module.plugin
    buttons = plugin.properties.get("titlebarButtons")
    if buttons is not None and plugin.closed and "register" not in plugin.properties:
        yield Finding(
            subject.module.head_span(buttons.node),
            "`titlebarButtons` without `register`: the app of today ignores it and shows no button",
            _EQUIVALENT,
        )


RULE = Rule(
    "HP306",
    __doc__,
    check=check,
    bad="export default { id: 'demo', titlebarButtons: [{ id: 'go', label: 'Go', action: 'view.showBrowser' }] }\n",
    good="""import { TITLEBAR_AREAS } from '@hermes/plugin-sdk'
const onSelect = () => {}
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'go', area: TITLEBAR_AREAS.right, data: { id: 'go', label: 'Go', icon: 'globe', onSelect } })
  }
}
""",
)
