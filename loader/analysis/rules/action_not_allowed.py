"""An action that plugins may not run, or that does not exist.

`ctx.runAction` runs the actions of a fixed list and answers everything else with `{ ok: false }`: the button does
nothing. `ctx.listActions?.()` has the list of the running app. Ids count to the letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.names import short
from loader.analysis.surface import Surface, nearest
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.plugin_object import object_of
from loader.analysis.syntax.texts import alternatives, known_text


def check(subject: Subject) -> Iterator[Finding]:
    module, surface = subject.module, subject.surface
    for node in (*_run(module), *_declared(module)):
        for one in alternatives(module, node):
            action = known_text(module, one)
            if action is not None and not (action in surface.actions and surface.actions[action].allowed):
                yield Finding(module.span(one), _message(surface, action), _way_out(surface, action))


def _run(module: Module) -> Iterator[Node]:
    if b"runAction" in module.tree.data:
        for call in module.calls_to("ctx.runAction"):
            yield from call.arguments[:1]


def _declared(module: Module) -> Iterator[Node]:
    """The actions of `titlebarButtons`, the form that HP306 speaks of."""
    buttons = module.plugin.properties.get("titlebarButtons")
    if buttons is None or buttons.value is None or module.tree.kind(module.tree.unwrapped(buttons.value)) != "array":
        return
    for entry in module.tree.children(module.tree.unwrapped(buttons.value)):
        action = object_of(module.tree, module.scopes, entry).properties.get("action")
        if action is not None and action.form == "value" and action.value is not None:
            yield action.value


def _message(surface: Surface, action: str) -> str:
    if action in surface.actions:
        return f"`{action}` is an action of the app that plugins may not run"
    return f"the app has no action `{short(action)}`"


def _way_out(surface: Surface, action: str) -> str:
    allowed = [one.id for one in surface.actions.values() if one.allowed]
    close = None if action in surface.actions else nearest(action, allowed)
    if close is not None:
        return f"Did you mean `{close}`?"
    family = action.split(".")[0]
    near = [one for one in allowed if one.split(".")[0] == family]
    if near:
        return f"Of the `{family}` actions plugins may run {', '.join(f'`{one}`' for one in near)}."
    return "`ctx.listActions?.()` lists what plugins may run, such as `view.showBrowser` or `nav.settings`."


RULE = Rule(
    "HP507",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) { ctx.onDispose(() => { if (ctx.runAction?.('composer.voice')?.ok) console.log('done') }) }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) { ctx.onDispose(() => { if (ctx.runAction?.('composer.focus')?.ok) console.log('done') }) }
}
""",
)
