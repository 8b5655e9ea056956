"""A name that only some builds of the app export.

On a build without it the import fails and nothing of the plugin runs. Taken from the namespace and tested, the plugin
runs everywhere and uses the name where it is: `import * as sdk from '@hermes/plugin-sdk'`. When a connected shell has
announced its exports, they are known and this rule is silent.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.unknown_export import imported_names


def check(subject: Subject) -> Iterator[Finding]:
    for surface, name in imported_names(subject):
        builds = surface.only_in(name.imported)
        if builds:
            yield Finding(
                subject.module.span(name.node),
                f"`{name.imported}` of `{surface.specifier}` is exported by some builds only ({', '.join(builds)}): "
                "on others the plugin does not load",
                f"import * as all from '{surface.specifier}' and test `all.{name.imported}` before use.",
            )


RULE = Rule(
    "HP206",
    __doc__,
    check=check,
    bad="""import { ListRow } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => ListRow) } }
""",
    good="""import * as sdk from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => sdk.ListRow ?? sdk.Button) } }
""",
)
