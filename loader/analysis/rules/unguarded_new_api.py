"""A member that only newer builds of the app have, used without a test.

An older app loads the plugin all the same and then throws "is not a function" where the member is used, often in
`register`, so that nothing of the plugin appears. Test for it (`typeof ctx.runAction === 'function'`, `ctx.pet?.say`,
`host.composer?.getDraft`) and do without, or catch the error. One test anywhere in the file is taken for all uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.surface import Member, Surface
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.guards import is_tried, paths_tested


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    members = _to_detect(subject.surface)
    first: dict[str, Node] = {}
    for node, name in _uses(module, members):
        if name not in first and not is_tried(module, node):
            first[name] = node
    if not first:
        return
    tested = paths_tested(module)
    missing = {name: node for name, node in first.items() if not any(prefix in tested for prefix in _prefixes(name))}
    for name, node in sorted(missing.items(), key=lambda item: item[1]):
        # `ctx.pet.say` says all that there is to say of `ctx.pet`.
        if not any(other.startswith(f"{name}.") for other in missing):
            yield _finding(module, node, name, members[name])


def _uses(module: Module, members: dict[str, Member]) -> Iterator[tuple[Node, str]]:
    """Where a missing member would throw, with the member: called, or asked for a member of its own."""
    for call in module.calls:
        if call.path is not None and call.path.startswith(("ctx.", "sdk.host.")):
            prefixes = _prefixes(call.path)
            if call.optional:
                prefixes.pop()
            yield from ((call.callee, name) for name in reversed(prefixes) if name in members)
    for node, path in module.members:
        if path.startswith(("ctx.", "sdk.host.")):
            yield from ((node, name) for name in reversed(_prefixes(path)[:-1]) if name in members)


def _prefixes(path: str) -> list[str]:
    """``ctx.pet.say`` gives ``ctx.pet`` and ``ctx.pet.say``."""
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(2, len(parts) + 1)]


def _to_detect(surface: Surface) -> dict[str, Member]:
    return {
        f"{root}.{name}": member
        for root, group in (("ctx", surface.ctx), ("sdk.host", surface.host))
        for name, member in group.items()
        if member.detect
    }


def _finding(module: Module, node: Node, path: str, member: Member) -> Finding:
    shown = path.removeprefix("sdk.")
    if member.is_namespace:
        hint = f"Test first: `if ({shown}) …`, or go on with `?.`: `{shown}?.…`."
    else:
        owner, _, name = shown.rpartition(".")
        chain = f"{owner}?.{name}" if "." in owner else shown
        hint = f"Test first: `if (typeof {chain} === 'function') …`, or call it as `{chain}?.(…)`."
    return Finding(
        module.span(node),
        f"`{shown}` is missing in older builds of the app: used without a test it throws there",
        hint,
    )


RULE = Rule(
    "HP508",
    __doc__,
    check=check,
    bad="""import { host } from '@hermes/plugin-sdk'
export default {
  id: 'demo',
  register(ctx) { ctx.onDispose(host.openWorkspace({ id: 'demo:tab', title: 'Demo', render: () => null })) }
}
""",
    good="""import { host } from '@hermes/plugin-sdk'
export default {
  id: 'demo',
  register(ctx) {
    if (typeof host.openWorkspace !== 'function') return
    ctx.onDispose(host.openWorkspace({ id: 'demo:tab', title: 'Demo', render: () => null }))
  }
}
""",
)
