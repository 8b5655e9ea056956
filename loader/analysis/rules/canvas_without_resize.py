"""A canvas that fills its place and no `ResizeObserver`.

Panes are dragged wider and narrower, and none of that resizes the window: without an observer the picture is stretched
or blurred, or keeps its first size. Observe the element, set `canvas.width` and `canvas.height` anew (times
`devicePixelRatio`) and draw again. A canvas of fixed size, or one that never enters the page, needs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node
from loader.analysis.syntax.assignments import member_assignments, member_name
from loader.analysis.syntax.elements import value_under
from loader.analysis.syntax.plugin_object import PluginObject, object_of
from loader.analysis.syntax.texts import known_number, known_text
from loader.analysis.syntax.values import function_behind

_CREATORS = ("jsx.jsx", "jsx.jsxs", "jsx.jsxDEV", "react.createElement")
_STRETCHED = re.compile(
    r"(?<![\w-])(?:[wh]-full|size-full|inset-0|grow|flex-1|w-screen|h-screen)(?![\w-])|100%|\d(?:vw|vh|cqw|fr)"
)
_PIXELS = re.compile(r"\d+(?:\.\d+)?(?:px|rem|em)?")
_MEASURES = frozenset(
    {
        "clientWidth", "clientHeight", "offsetWidth", "offsetHeight", "scrollWidth", "scrollHeight", "innerWidth",
        "innerHeight", "getBoundingClientRect", "getComputedStyle",
    }
)  # fmt: skip
_NODES_LIMIT = 500
_INSERTIONS = frozenset(
    {"append", "appendChild", "prepend", "insertBefore", "replaceChildren", "replaceWith", "before", "after"}
)
_SIZES = ("width", "height")


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    data = module.tree.data
    if b"canvas" not in data or (b"ResizeObserver" in data and _observes(module)):
        return
    for call in module.calls_to(*_CREATORS, "global.document.createElement"):
        if not call.arguments or known_text(module, call.arguments[0]) != "canvas":
            continue
        made_by_hand = call.path == "global.document.createElement"
        if made_by_hand and not _enters_page(module, call):
            continue
        if not (_sizes_itself(module) if made_by_hand else _is_fixed(module, call)):
            yield Finding(
                module.head_span(call.node),
                "a canvas without a `ResizeObserver`: resize its pane, and the picture is stretched or keeps its size",
                "Watch it: `const seen = new ResizeObserver(draw); seen.observe(canvas)`, set `canvas.width` and "
                "`canvas.height` in `draw`, and `seen.disconnect()` in the clean-up.",
            )


def _enters_page(module: Module, call: Call) -> bool:
    """Whether a canvas made by hand is put somewhere: most are only drawn on to make an image."""
    tree = module.tree
    parent = tree.parents[call.node]
    places = [call.node]
    if tree.kind(parent) == "variable_declarator":
        binding = module.binding(tree.children(parent)[0])
        places += [one.node for one in binding.references] if binding is not None else []
    for place in places:
        arguments = tree.parents[place]
        if tree.kind(arguments) == "arguments":
            callee = module.resolver.callee(tree.parents[arguments])
            if callee is not None and member_name(module, callee) in _INSERTIONS:
                return True
    return False


def _observes(module: Module) -> bool:
    if module.calls_to("global.ResizeObserver") or any(one.name == "ResizeObserver" for one in module.scopes.free):
        return True
    return any(path == "global.ResizeObserver" for _node, path in module.members)


def _is_fixed(module: Module, call: Call) -> bool:
    """Whether the canvas has a size of its own that no resizing changes, or one that somebody else works out."""
    props = object_of(module.tree, module.scopes, call.arguments[1]) if len(call.arguments) > 1 else PluginObject(None)
    style_node = value_under(props, "style")
    style = PluginObject(None) if style_node is None else object_of(module.tree, module.scopes, style_node)
    if style_node is not None and _is_stretched(module, style_node):
        return False
    classes = value_under(props, "className")
    if classes is not None and _is_stretched(module, classes):
        return False
    sizes = [value_under(props, name) for name in _SIZES]
    if all(size is not None for size in sizes):
        return True
    if all(_is_length(module, value_under(style, name)) for name in _SIZES):
        return True
    return _sizes_itself(module)


def _sizes_itself(module: Module) -> bool:
    """Whether the script gives the canvas a size that no layout decides, or measures anew with each frame."""
    # `element.style.width` stretches the picture; `canvas.width` is its size.
    given = [
        one for one in member_assignments(module) if one.name in _SIZES and member_name(module, one.owner) != "style"
    ]
    if {one.name for one in given} != set(_SIZES):
        return False
    measured = [one for one in given if _is_measured(module, one.value)]
    if not measured:
        return True
    frames = module.calls_to("global.requestAnimationFrame")
    drawn = [function_behind(module, call.arguments[0]) for call in frames if call.arguments]
    return all(
        any(function is not None and module.is_inside(one.node, function) for function in drawn) for one in measured
    )


def _is_measured(module: Module, value: Node) -> bool:
    """Whether a size comes from the layout, through the names that it is worked out with."""
    tree = module.tree
    seen: set[Node] = set()
    waiting = [value]
    while waiting and len(seen) < _NODES_LIMIT:
        top = waiting.pop()
        for node in range(top, tree.ends[top]):
            if node in seen:
                continue
            seen.add(node)
            kind = tree.kind(node)
            if kind == "property_identifier" and tree.name(node) in _MEASURES:
                return True
            if kind == "identifier":
                binding = module.binding(node)
                if binding is None and tree.name(node) in _MEASURES:
                    return True
                waiting += [write.value for write in binding.writes[:4] if write.value is not None] if binding else []
    return False


def _is_stretched(module: Module, top: Node) -> bool:
    tree = module.tree
    source = top if tree.kind(top) != "identifier" else (object_of(tree, module.scopes, top).node or top)
    return bool(_STRETCHED.search(tree.raw(source)))


def _is_length(module: Module, node: Node | None) -> bool:
    if node is None:
        return False
    text = known_text(module, node)
    return known_number(module, node) is not None or (text is not None and bool(_PIXELS.fullmatch(text)))


RULE = Rule(
    "HP505",
    __doc__,
    check=check,
    bad="""import { useEffect, useRef } from 'react'
import { jsx } from 'react/jsx-runtime'
function Plot() {
  const ref = useRef(null)
  useEffect(() => {
    const canvas = ref.current
    canvas.width = canvas.clientWidth
    canvas.getContext('2d').strokeRect(1, 1, canvas.width - 2, 20)
  }, [])
  return jsx('canvas', { ref, style: { width: '100%', height: '100%' } })
}
export default {
  id: 'demo',
  register(ctx) {
    const data = { placement: 'right' }
    ctx.register({ id: 'plot', area: 'panes', title: 'Plot', data, render: () => jsx(Plot, {}) })
  }
}
""",
    good="""import { useEffect, useRef } from 'react'
import { jsx } from 'react/jsx-runtime'
function Plot() {
  const ref = useRef(null)
  useEffect(() => {
    const canvas = ref.current
    const seen = new ResizeObserver(() => {
      canvas.width = canvas.clientWidth
      canvas.getContext('2d')?.strokeRect(1, 1, canvas.width - 2, 20)
    })
    seen.observe(canvas)
    return () => seen.disconnect()
  }, [])
  return jsx('canvas', { ref, style: { width: '100%', height: '100%' } })
}
export default {
  id: 'demo',
  register(ctx) {
    const data = { placement: 'right' }
    ctx.register({ id: 'plot', area: 'panes', title: 'Plot', data, render: () => jsx(Plot, {}) })
  }
}
""",
)
