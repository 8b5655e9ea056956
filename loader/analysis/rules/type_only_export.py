"""A name that exists only as a TypeScript type.

Types are gone when the code runs: importing one as a value fails like any missing export, and nothing of the plugin
runs. In plain JavaScript a type is named in a JSDoc comment:
`/** @type {import('@hermes/plugin-sdk').PluginContext} */`.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.unknown_export import imported_names


def check(subject: Subject) -> Iterator[Finding]:
    for surface, name in imported_names(subject):
        if name.imported in surface.types and not surface.exports(name.imported):
            yield Finding(
                subject.module.span(name.node),
                f"`{name.imported}` is only a type of `{surface.specifier}`: there is no such value to import",
                f"Remove it, or name it in a comment: /** @type {{import('{surface.specifier}').{name.imported}}} */",
            )


RULE = Rule(
    "HP205",
    __doc__,
    check=check,
    bad="""import { PluginContext } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { return ctx instanceof PluginContext } }
""",
    good="""/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
const plugin = { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }
export default plugin
""",
)
