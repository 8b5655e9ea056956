"""An imported name that nothing uses.

It does no harm, but every name of the list is one more that an older build of the app may lack: then the plugin does
not load at all. Often it is what a removed piece of code left behind, or a slip in the name that is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.import_edits import removing
from loader.analysis.rules.names import short
from loader.analysis.syntax import Binding
from loader.nouns import ALLOWED_SPECIFIERS


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    by_node = module.scopes.by_node
    unused = {
        name.node: (request, name, name.local_node)
        for request in module.record.static
        # An import that the app refuses has its error, which must not come second to this.
        if request.specifier in ALLOWED_SPECIFIERS
        for name in request.names
        if name.local_node is not None
        and isinstance(binding := by_node.get(name.local_node), Binding)
        and not binding.references
        # The second of two equal names is a syntax error of its own.
        and len(binding.nodes) == 1
    }
    nodes = frozenset(unused)
    for request, name, local in unused.values():
        yield Finding(
            module.span(local),
            f"`{short(name.local or name.imported)}` is imported but never used",
            "Remove it from the import.",
            removing(module, request, name, nodes),
        )


RULE = Rule(
    "HP509",
    __doc__,
    check=check,
    bad="""import { Button, host } from '@hermes/plugin-sdk'
export default { id: 'demo', register() { host.notify({ kind: 'info', message: 'hello' }) } }
""",
    good="""import { host } from '@hermes/plugin-sdk'
export default { id: 'demo', register() { host.notify({ kind: 'info', message: 'hello' }) } }
""",
)
