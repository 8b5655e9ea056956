"""A name that all plugins share, without the plugin's own id in it.

The app prefixes the ids that `ctx.register` gets, but not the names inside: of two plugins with a `::card` directive
the first one wins, and two commands called `refresh` cannot be told apart in key bindings and settings. The same holds
for the ids of `Contribute`. Begin such a name with the plugin's id: `my-plugin:refresh`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node, object_of, value_of
from loader.analysis.syntax.elements import Contribution, contributions, value_under
from loader.analysis.syntax.texts import known_text, leading_text

_WHAT = {"transcript.directives": "directive", "palette": "command", "keybinds": "command"}
_KEYS = {"transcript.directives": "name", "palette": "id", "keybinds": "id"}
# What an id says of no plugin in particular: `relay.open` is namespaced enough for `hermes-relay`.
_COMMON_WORDS = frozenset({"hermes", "desktop", "plugin", "app", "agent", "ui", "my", "the"})


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    plugin_id = _plugin_id(module)
    if plugin_id is None:
        return
    areas = {area.constant: area.value for area in subject.surface.areas}
    for contribution in contributions(module, areas):
        for what, node in _shared_names(module, contribution):
            name = known_text(module, node)
            shown = leading_text(module, node) if name is None else name
            if shown and (name is not None or len(shown) > len(plugin_id)) and not _is_namespaced(shown, plugin_id):
                separator = "-" if what == "directive" else ":"
                yield Finding(
                    module.span(node),
                    f"{what} `{shown[:80]}` is shared by all plugins and does not carry this one's id",
                    f"Call it `{plugin_id}{separator}{shown[:80]}`.",
                )


def _plugin_id(module: Module) -> str | None:
    found = module.plugin.properties.get("id")
    if found is None or found.form != "value" or not found.certain:
        return None
    return value_of(module.tree, module.scopes, found.value).string


def _shared_names(module: Module, contribution: Contribution) -> Iterator[tuple[str, Node]]:
    if contribution.mounted:
        identity = contribution.field("id")
        if identity is not None:
            yield "the Contribute id", identity
    if contribution.area in _WHAT:
        data = object_of(module.tree, module.scopes, contribution.field("data"))
        name = value_under(data, _KEYS[contribution.area])
        if name is not None:
            yield _WHAT[contribution.area], name


def _is_namespaced(name: str, plugin_id: str) -> bool:
    """Whether a name holds the plugin's id, or what makes that id its own, in any spelling."""
    words, own = _words(name), _words(plugin_id)
    flat = "".join(words)
    if "".join(own) in flat:
        return True
    telling = [word for word in own if word not in _COMMON_WORDS] or own
    return "".join(telling) in flat or telling[0] in words


def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name[:200])
    return [word for word in re.split(r"[^a-z0-9]+", spaced.casefold()) if word]


RULE = Rule(
    "HP515",
    __doc__,
    check=check,
    bad="""import { PALETTE_AREA, host } from '@hermes/plugin-sdk'
const run = () => host.notify({ kind: 'info', message: 'fresh' })
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'refresh', area: PALETTE_AREA, data: { id: 'refresh', label: 'Refresh', run } })
  }
}
""",
    good="""import { PALETTE_AREA, host } from '@hermes/plugin-sdk'
const run = () => host.notify({ kind: 'info', message: 'fresh' })
export default {
  id: 'demo',
  register(ctx) {
    ctx.register({ id: 'refresh', area: PALETTE_AREA, data: { id: 'demo:refresh', label: 'Refresh', run } })
  }
}
""",
)
