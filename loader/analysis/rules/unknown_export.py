"""A name that the SDK, React or the JSX runtime does not export.

A named import of a missing export stops the whole module from linking: nothing of the plugin runs. The list is the
union of all known builds of the app, or exactly what a connected shell announced. A name that may be missing is taken
from the namespace and tested: `import * as sdk from '@hermes/plugin-sdk'`, then `if (sdk.Name)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.surface import ModuleSurface, nearest
from loader.analysis.syntax import ImportedName
from loader.nouns import SDK_SPECIFIER

# What other hosts have, to make a plugin of an object or a class.
_WRAPPER = re.compile(r"(?:(?:define|create|register|make)(?:Hermes|Desktop)*)?Plugin(?:Base)?", re.IGNORECASE)


def imported_names(subject: Subject) -> Iterator[tuple[ModuleSurface, ImportedName]]:
    """Every name that the file imports or re-exports from one of the three modules."""
    for request in subject.module.record.static:
        surface = subject.surface.modules.get(request.specifier or "")
        if surface is not None:
            for name in request.names:
                yield surface, name


def check(subject: Subject) -> Iterator[Finding]:
    for surface, name in imported_names(subject):
        if surface.exports(name.imported) or name.imported in surface.types:
            continue
        known = "the connected app" if surface.exact else f"any known build (list of {subject.surface.build})"
        yield Finding(
            subject.module.span(name.node),
            f"`{surface.specifier}` has no export `{name.imported[:80]}` in {known}: the import fails and nothing runs",
            _hint(subject, surface, name),
            severity="error" if surface.exact else subject.settings.unknown_export,
        )


def _hint(subject: Subject, surface: ModuleSurface, name: ImportedName) -> str:
    homes = [home for home in subject.surface.homes_of(name.imported) if home != surface.specifier]
    if homes:
        return f"`{name.imported}` is exported by `{homes[0]}`."
    if surface.specifier == SDK_SPECIFIER and _WRAPPER.fullmatch(name.imported):
        return "Nothing has to be called: export the object itself, `export default { id: '…', register(ctx) { … } }`."
    similar = nearest(name.imported, surface.names)
    detect = f"import * as all from '{surface.specifier}' and test `all.{name.imported[:80]}` before use"
    if similar is not None:
        return f"Did you mean `{similar}`? If some app has this name: {detect}."
    return f"If some app has this name: {detect}."


RULE = Rule(
    "HP204",
    __doc__,
    check=check,
    bad="""import { host, SidePanel2 } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: String(SidePanel2) }) } }
""",
    good="""import * as sdk from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { if (sdk.SidePanel2) sdk.host.notify({ kind: 'info', message: 'new' }) } }
""",
)
