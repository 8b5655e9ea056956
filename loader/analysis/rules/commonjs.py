"""`require`, `module.exports` or `exports` in a plugin.

Plugins are ES modules: these names do not exist there, and the first use throws a ReferenceError. Beside a default
export it is a warning, since the line may never run; behind a `typeof` test (the shims that bundlers write) nothing is
said.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Reference
from loader.nouns import ALLOWED_SPECIFIERS

_NAMES = frozenset({"require", "module", "exports"})


def commonjs_uses(module: Module) -> tuple[Reference, ...]:
    """Unguarded uses of CommonJS's names that mean CommonJS, in reading order."""
    free = [one for one in module.scopes.free if one.name in _NAMES]
    guards = [one.node for one in free if module.in_typeof(one.node)]
    return tuple(
        one
        for one in free
        if not module.in_typeof(one.node) and _is_commonjs(module, one) and not _is_guarded(module, one, guards)
    )


def _is_commonjs(module: Module, reference: Reference) -> bool:
    tree = module.tree
    parent = tree.parents[reference.node]
    kind = tree.kind(parent)
    inside = tree.children(parent)
    if reference.name == "require":
        return kind == "call_expression" and inside[0] == reference.node
    if kind not in ("member_expression", "subscript_expression") or inside[0] != reference.node:
        return False
    member = tree.literal(inside[-1]) if kind == "subscript_expression" else tree.name(inside[-1])
    if reference.name == "module":
        return member == "exports"
    above = tree.parents[parent]
    return tree.kind(above) == "assignment_expression" and tree.children(above)[0] == parent


def _is_guarded(module: Module, reference: Reference, guards: list[int]) -> bool:
    """Whether a `typeof` of one of the names stands earlier in the same function or in one around it."""
    scopes = module.scopes
    holders = set()
    scope = scopes.scope_of(reference.node)
    while True:
        holders.add(scope.node)
        if scope.parent < 0:
            break
        scope = scopes.scopes[scope.parent]
    return any(guard < reference.node and scopes.scope_of(guard).node in holders for guard in guards)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    uses = commonjs_uses(module)
    if not uses:
        return
    tree = module.tree
    first = uses[0]
    has_default = any(exported.exported == "default" for exported in module.record.exports)
    names = list(dict.fromkeys("module.exports" if use.name == "module" else use.name for use in uses))
    parent = tree.parents[first.node]
    hint = "Write `export default { id, register(ctx) { … } }` and `import … from '…'`."
    if first.name == "require":
        arguments = tree.children(tree.children(parent)[-1])
        wanted = tree.literal(arguments[0]) if arguments else None
        if wanted in ALLOWED_SPECIFIERS:
            hint = f"Write `import … from '{wanted}'` at the top of the file."
    also = f", nor is {' or '.join(f'`{name}`' for name in names[1:])}" if len(names) > 1 else ""
    yield Finding(
        module.span(first.node),
        # The engine's own words, so that a search for them leads here.
        f"{names[0]} is not defined{also}: plugins are ES modules and this is CommonJS",
        hint,
        severity="warning" if has_default else None,
    )


RULE = Rule(
    "HP207",
    __doc__,
    check=check,
    bad="""const { host } = require('@hermes/plugin-sdk')
module.exports = { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: ctx.source }) } }
""",
    good="""import { host } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: ctx.source }) } }
""",
)
