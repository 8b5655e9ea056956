"""JSX in plugin.js.

The app loads the file as it is and compiles nothing. Write `jsx('div', { children: 'hi' })` with `jsx` from
`react/jsx-runtime`, or compile before you save (esbuild with `--jsx=automatic`).
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP102",
    __doc__,
    found_by="syntax",
    bad="""import { host } from '@hermes/plugin-sdk'
const Pane = () => <div className="p-3">hi</div>
export default { id: 'demo', register(ctx) { host.notify(Pane) } }
""",
    good="""import { jsx } from 'react/jsx-runtime'
const Pane = () => jsx('div', { className: 'p-3', children: 'hi' })
const pane = { id: 'p', area: 'panes', title: 'P', data: { placement: 'right' }, render: Pane }
export default { id: 'demo', register(ctx) { ctx.register(pane) } }
""",
)
