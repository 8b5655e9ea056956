"""A script put into the app's page: a script element, or markup that holds one.

The page of the app is not the plugin's. A script in it stays after the plugin is unloaded, runs with the rights of the
app, and no check sees its text. Code belongs into plugin.js. What needs a page of its own goes into an iframe with the
`sandbox` attribute and `srcDoc`. Scripts of data (`type: 'application/json'`) are not meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Module, Node, object_of
from loader.analysis.syntax.assignments import member_assignments, member_name
from loader.analysis.syntax.elements import elements, value_under
from loader.analysis.syntax.texts import constant, known_text, pieces

_MARKUP_MEMBERS = frozenset({"innerHTML", "outerHTML"})
_WRITES = ("global.document.write", "global.document.writeln")
_SCRIPT_TYPES = re.compile(r"(?:module|(?:text|application)/(?:x-)?(?:java|ecma)script)?", re.IGNORECASE)
# An empty script element, by which libraries test the browser, runs nothing.
_EMPTY_SCRIPT = re.compile(r"<script>\s*</script\s*>", re.IGNORECASE)
_SCRIPT = re.compile(r"<script[\s/>]", re.IGNORECASE)
_HANDLER = re.compile(r"<[a-z][^<>]{0,2000}?\son[a-z]{3,20}\s*=", re.IGNORECASE)
_HINT = (
    "Keep the code in plugin.js and build elements with `jsx()`; a page of its own goes into "
    "`jsx('iframe', { sandbox: 'allow-scripts', srcDoc })`."
)


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    made = [
        call.node
        for call in module.calls_to("global.document.createElement")
        if call.arguments and (known_text(module, call.arguments[0]) or "").lower() == "script"
    ]
    data = _data_scripts(module) if made else frozenset()
    for node in made:
        if node not in data:
            yield Finding(module.head_span(node), "a script element is made for the app's page", _HINT)
    for element in elements(module):
        if element.tag is not None and element.tag.lower() == "script":
            kind = element.prop("type")
            if kind is None or _is_script_type(known_text(module, kind)):
                yield Finding(module.head_span(element.call.node), "a script element is rendered", _HINT)
        html = element.prop("dangerouslySetInnerHTML")
        if html is not None:
            value = value_under(object_of(module.tree, module.scopes, html), "__html")
            yield from _markup(module, value)
    for assignment in member_assignments(module):
        if assignment.name in _MARKUP_MEMBERS:
            yield from _markup(module, assignment.value)
    for call in module.calls:
        name = member_name(module, call.callee)
        if call.path in _WRITES:
            yield Finding(
                module.head_span(call.node),
                f"`document.{name}` writes into the app's own page, or replaces all of it",
                "Render with `ctx.register({ area, render })`.",
            )
        elif name == "insertAdjacentHTML" and len(call.arguments) == 2:
            yield from _markup(module, call.arguments[1])
        elif name == "createContextualFragment" and len(call.arguments) == 1:
            yield from _markup(module, call.arguments[0])


def _markup(module: Module, node: Node | None) -> Iterator[Finding]:
    if node is None:
        return
    text = _EMPTY_SCRIPT.sub("", "\ufffd".join("" if piece is None else piece for piece in pieces(module, node)))
    if _SCRIPT.search(text):
        yield Finding(module.head_span(node), "markup with a script is written into the page", _HINT)
    elif _HANDLER.search(text):
        yield Finding(
            module.head_span(node),
            "markup with an event handler is written into the page: its text becomes code",
            "Build the element with `jsx('button', { onClick })`.",
        )


def _is_script_type(kind: str | None) -> bool:
    return kind is not None and _SCRIPT_TYPES.fullmatch(kind.strip()) is not None


def _data_scripts(module: Module) -> frozenset[Node]:
    """The created elements that are given a type which no browser runs."""
    found = set()
    for assignment in member_assignments(module):
        created = constant(module, assignment.owner) if assignment.name == "type" else None
        if created is not None and not _is_script_type(known_text(module, assignment.value) or ""):
            found.add(created)
    return frozenset(found)


RULE = Rule(
    "HP612",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const script = document.createElement('script')
    script.textContent = 'window.demo = 1'
    document.head.append(script)
    ctx.onDispose(() => script.remove())
  }
}
""",
    good="""import { jsx } from 'react/jsx-runtime'
const page = '<p>a page of its own</p>'
export default {
  id: 'demo',
  register(ctx) {
    const render = () => jsx('iframe', { sandbox: 'allow-scripts', srcDoc: page, title: 'Demo' })
    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', data: { placement: 'right' }, render })
  }
}
""",
)
