"""Transcript directives: ``::name{key="value"}`` as a whole paragraph, and which plugin a name belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import regex

from loader.nouns import Json
from loader.policy import limits
from loader.policy.answers import Dropped

NotResolved: TypeAlias = Literal["paragraph", "unclaimed"]

WHY: dict[NotResolved, str] = {
    "paragraph": "the paragraph is not one whole directive",
    "unclaimed": "no running plugin has registered this directive",
}

_NAME = r"[A-Za-z][A-Za-z0-9_.-]*+"
_HEAD = regex.compile(rf"::(?P<name>{_NAME})(?P<open>\{{)?")
# Possessive throughout: a hostile paragraph costs one pass.
_ATTRIBUTE = regex.compile(
    r'\s*+(?P<key>[A-Za-z_:@][A-Za-z0-9_.:@-]*+)="(?P<value>(?:[^"\\]|\\.)*+)"(?=[\s}])', regex.S
)
_TAIL = regex.compile(r"\s*+\}")
_ESCAPE = regex.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True)
class Directive:
    """A parsed directive. Attribute values are strings as they were written: untrusted, never markup."""

    name: str
    attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A directive and the plugin that renders it."""

    directive: Directive
    plugin: str

    def as_json(self) -> dict[str, Json]:
        attributes: dict[str, Json] = dict(self.directive.attributes)
        return {"ok": True, "plugin": self.plugin, "name": self.directive.name, "attributes": attributes}


def parse(paragraph: Json) -> Directive | None:
    """The directive that a paragraph is, None for any other text. The first of equal keys counts.

    In a value ``\\"`` and ``\\\\`` are a quote and a backslash; every other backslash is itself.
    """
    if not isinstance(paragraph, str) or len(paragraph) > limits.PARAGRAPH_CODE_POINTS:
        return None
    text = paragraph.strip()
    head = _HEAD.match(text)
    if head is None or len(head["name"]) > limits.DIRECTIVE_NAME_CODE_POINTS:
        return None
    if head["open"] is None:
        return Directive(head["name"], ()) if head.end() == len(text) else None
    attributes: dict[str, str] = {}
    at = head.end()
    while (attribute := _ATTRIBUTE.match(text, at)) is not None:
        attributes.setdefault(attribute["key"], _ESCAPE.sub(r"\1", attribute["value"]))
        at = attribute.end()
        if len(attributes) > limits.DIRECTIVE_ATTRIBUTES:
            return None
    tail = _TAIL.match(text, at)
    if tail is None or tail.end() != len(text):
        return None
    return Directive(head["name"], tuple(attributes.items()))


class DirectiveBook:
    """Which plugin owns which name: the first that registered it, until it goes; then the next in line."""

    def __init__(self) -> None:
        self._loads = 0
        # plugin → (the number of its last load, {name: the number of the load that registered it first})
        self._claims: dict[str, tuple[int, dict[str, int]]] = {}

    def load(self, plugin: str, names: Iterable[str]) -> None:
        """What a revision registers as it loads. Names that the one before had keep their place in line."""
        self._loads += 1
        _, had = self._claims.get(plugin, (0, {}))
        self._claims[plugin] = (self._loads, {name: had.get(name, self._loads) for name in names})

    def amend(self, plugin: str, names: Iterable[str]) -> None:
        """What the revision that was loaded last registers, known only now: it counts from that load on."""
        if plugin not in self._claims:
            self.load(plugin, names)
            return
        at, had = self._claims[plugin]
        self._claims[plugin] = (at, {name: had.get(name, at) for name in names})

    def release(self, plugin: str) -> None:
        self._claims.pop(plugin, None)

    def owner(self, name: str) -> str | None:
        claims = [(claimed[name], plugin) for plugin, (_, claimed) in self._claims.items() if name in claimed]
        return min(claims)[1] if claims else None

    def resolve(self, paragraph: Json) -> Resolved | Dropped:
        directive = parse(paragraph)
        if directive is None:
            return Dropped("paragraph", WHY["paragraph"])
        owner = self.owner(directive.name)
        if owner is None:
            return Dropped("unclaimed", WHY["unclaimed"])
        return Resolved(directive, owner)
