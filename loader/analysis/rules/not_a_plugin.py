"""The default export is no plugin: no string `id`, no `register` function, or no object at all.

The way it is exported does not matter: an object, a name, `export { x as default }`, an instance, a call. What the
text cannot tell (a call of a library, a spread, an imported value) is left to the rehearsal, which reads the live
object.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.surface import nearest
from loader.analysis.syntax import Module, PluginObject, Property, is_function, value_of

_ADD_REGISTER = "Add `register(ctx) { … }`; the app calls it once with the context."
# How other systems of plugins call it.
_OTHER_NAMES = ("activate", "init", "setup", "onload", "onLoad", "mount", "install", "load", "start", "main", "run")
THENABLE = "the module exports a function `then`: `import()` calls it, and the app gets its answer and no plugin"
THENABLE_HINT = "Export it under another name, or not at all."
_SHAPE = "A plugin is `{ id: 'my-plugin', register(ctx) { … } }`."


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    plugin = module.plugin
    yield from _thenable(module)
    if plugin.export is None or plugin.node is None:
        return
    if plugin.words is not None:
        yield Finding(
            module.head_span(plugin.node), f"the default export is {plugin.words}, not a plugin object", _SHAPE
        )
        return
    yield from _id_findings(module, plugin, plugin.node)
    register = plugin.properties.get("register")
    if register is None:
        if plugin.closed and "titlebarButtons" not in plugin.properties:
            yield Finding(
                module.head_span(plugin.node),
                "the plugin has no `register` function (register is not a function)",
                _misspelt(plugin, "register") or _under_another_name(plugin) or _ADD_REGISTER,
            )
        return
    if register.form == "value" and register.certain:
        answer, _ = is_function(module.tree, module.scopes, register.value)
        if answer == "no":
            value = value_of(module.tree, module.scopes, register.value)
            what = value.words or "a string"
            yield Finding(
                module.span(register.node),
                f"`register` is not a function: it is {what}",
                "Write `register(ctx) { … }`.",
            )


def _thenable(module: Module) -> Iterator[Finding]:
    for exported in module.record.exports:
        if exported.exported == "then" and exported.request is None:
            value = exported.value
            if value is not None and is_function(module.tree, module.scopes, value)[0] == "yes":
                yield Finding(module.span(exported.node), THENABLE, THENABLE_HINT)


def _id_findings(module: Module, plugin: PluginObject, node: int) -> Iterator[Finding]:
    identity = plugin.properties.get("id")
    if identity is None:
        if plugin.closed:
            yield Finding(
                module.head_span(node),
                "the plugin has no `id` (id missing)",
                _misspelt(plugin, "id") or "Add `id: 'my-plugin'`, the same as the folder's name.",
            )
        return
    if identity.form == "method":
        yield Finding(module.span(identity.node), "`id` is a function, it must be a string", _SHAPE)
        return
    if identity.form == "value" and identity.certain:
        value = value_of(module.tree, module.scopes, identity.value)
        if value.words is not None:
            yield Finding(
                module.span(_value_node(identity)),
                f"invalid id: `id` is {value.words}, it must be a string",
                "Write it in quotes, the same as the folder's name: `id: 'my-plugin'`.",
            )


def _value_node(found: Property) -> int:
    return found.node if found.value is None else found.value


def _under_another_name(plugin: PluginObject) -> str | None:
    other = next((name for name in _OTHER_NAMES if name in plugin.properties), None)
    return None if other is None else f"The app does not call `{other}`: rename it to `register(ctx) {{ … }}`."


def _misspelt(plugin: PluginObject, wanted: str) -> str | None:
    others = [key for key in plugin.properties if key not in ("id", "register", "name", "description")]
    close = nearest(wanted, others)
    return f"Did you mean `{wanted}`? There is `{close}`." if close is not None else None


RULE = Rule(
    "HP302",
    __doc__,
    check=check,
    bad="""import { host } from '@hermes/plugin-sdk'
export default { id: 'demo', name: host ? 'Demo' : '' }
""",
    good="""import { host } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { host.notify({ kind: 'info', message: ctx.source }) } }
""",
)
