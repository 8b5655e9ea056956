"""Elements and contributions as the text creates them: ``jsx('img', {…})``, ``ctx.register({…})``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from loader.analysis.syntax.module import Call, Module, Node
from loader.analysis.syntax.plugin_object import PluginObject, object_of
from loader.analysis.syntax.texts import known_text

# Several rules ask for the elements of the same text.
_FOUND: WeakKeyDictionary[Module, tuple[Element, ...]] = WeakKeyDictionary()
_CREATORS = ("jsx.jsx", "jsx.jsxs", "jsx.jsxDEV", "react.createElement")


class Element:
    """One element. ``tag`` is a literal tag name (``img``), ``component`` the path of another (``sdk.Contribute``).

    ``children`` are the children handed over as arguments; those of the JSX runtime stand in ``props``, which are
    read when they are first asked for: a file has hundreds of elements, and rules look at a few.
    """

    def __init__(self, module: Module, call: Call) -> None:
        first = call.arguments[0]
        # Not the module itself: it is the key under which this is kept, and would be kept by it for ever.
        self._tree, self._scopes = module.tree, module.scopes
        self.call = call
        self.tag = known_text(module, first)
        self.component = module.path(first) if self.tag is None else None
        self.children = call.arguments[2:] if call.path == "react.createElement" else ()

    @cached_property
    def props(self) -> PluginObject:
        arguments = self.call.arguments
        return object_of(self._tree, self._scopes, arguments[1] if len(arguments) > 1 else None)

    def prop(self, name: str) -> Node | None:
        """The value of a property as far as the text shows it."""
        return value_under(self.props, name)


@dataclass(frozen=True, slots=True)
class Contribution:
    """One contribution to an area of the app. ``area`` is its string value, None when it cannot be known.

    ``mounted`` is true for the component `Contribute`, whose ids the app does not prefix.
    """

    node: Node
    fields: PluginObject
    area: str | None
    mounted: bool

    def field(self, name: str) -> Node | None:
        return value_under(self.fields, name)


def value_under(found: PluginObject, name: str) -> Node | None:
    """The value node of a property, None when there is none or it is a method or accessor."""
    one = found.properties.get(name)
    return one.value if one is not None and one.form == "value" else None


def elements(module: Module) -> tuple[Element, ...]:
    """Every element that the file creates through React or its JSX runtime, in reading order."""
    found = _FOUND.get(module)
    if found is None:
        found = tuple(Element(module, call) for call in module.calls_to(*_CREATORS) if call.arguments)
        _FOUND[module] = found
    return found


def contributions(module: Module, areas: Mapping[str, str | None]) -> Iterator[Contribution]:
    """Every contribution: ``ctx.register``, ``ctx.registerMany`` and `Contribute`.

    ``areas`` maps the SDK's constants (``TITLEBAR_AREAS.right``) to their values.
    """
    tree, scopes = module.tree, module.scopes
    for call in module.calls_to("ctx.register", "ctx.registerMany"):
        for argument in call.arguments[:1]:
            node = tree.unwrapped(argument)
            for one in tree.children(node) if tree.kind(node) == "array" else [node]:
                fields = object_of(tree, scopes, one)
                if fields.properties:
                    yield Contribution(one, fields, _area(module, value_under(fields, "area"), areas), False)
    for element in elements(module):
        if element.component == "sdk.Contribute":
            yield Contribution(element.call.node, element.props, _area(module, element.prop("area"), areas), True)


def _area(module: Module, node: Node | None, areas: Mapping[str, str | None]) -> str | None:
    if node is None:
        return None
    text = known_text(module, node)
    if text is not None:
        return text
    path = module.path(node)
    return areas.get(path.removeprefix("sdk.")) if path is not None and path.startswith("sdk.") else None
