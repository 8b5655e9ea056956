"""The web dashboard's SDK in a desktop plugin: `window.__HERMES_PLUGIN_SDK__` or `window.__HERMES_PLUGINS__`.

Hermes has two kinds of plugins. Those of the web dashboard take everything from a global and register themselves with
another; the desktop app promises neither. A desktop plugin imports from `@hermes/plugin-sdk` and React and hands its
contributions to `ctx.register`. A `typeof` or `in` test of the global, for a file that serves both, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Node

_HINTS = {
    "__HERMES_PLUGIN_SDK__": "Import instead: `import { host } from '@hermes/plugin-sdk'`, "
    "`import { useState } from 'react'`, `import { jsx } from 'react/jsx-runtime'`.",
    "__HERMES_PLUGINS__": "Export instead: `export default { id: '…', register(ctx) { ctx.register({ … }) } }`.",
}


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    uses: list[tuple[Node, str]] = [
        (reference.node, reference.name) for reference in module.free_references if reference.name in _HINTS
    ]
    for node, path in module.members:
        root, _, name = path.partition(".")
        if root == "global" and name in _HINTS and not module.in_typeof(node):
            uses.append((node, name))
    for node, name in sorted(uses):
        yield Finding(
            module.span(node),
            f"`{name}` belongs to the web dashboard: the desktop app does not promise it",
            _HINTS[name],
        )


RULE = Rule(
    "HP514",
    __doc__,
    check=check,
    bad="""const { React } = window.__HERMES_PLUGIN_SDK__
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'chip', area: 'statusBar.right', render: () => React.createElement('span', null, 'hi') })
  }
}
""",
    good="""import { createElement } from 'react'
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'chip', area: 'statusBar.right', render: () => createElement('span', null, 'hi') })
  }
}
""",
)
