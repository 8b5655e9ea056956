"""From the text's values to what the models take: as the phone reads them, noting what it merely puts up with.

The walk follows the models' own shapes. It keeps, for each place that a model may complain about, where that stands in
the text, and a list of what it came through, so that later rules need no walk of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import BaseModel

from loader.pages.document import ElementBase
from loader.pages.jsontext import Node
from loader.pages.limits import CONDITION_DEPTH_LIMIT, DEPTH_LIMIT
from loader.pages.note import Note, Place, brief, place_of
from loader.pages.shapes import Choice, ListOf, MapOf, ObjectOf, Scalar, Shape, Tagged, fields_of, shape_of
from loader.pages.spelling import meant, same_name

NOTES_LIMIT = 200

Loc: TypeAlias = tuple[str | int, ...]

_WHOLE = re.compile(r"-?[0-9]+(?:[eE][+]?0*([0-9]{1,2}))?", re.ASCII)
_QUOTED_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_HALVES = re.compile("[\ud800-\udfff]")
# Stand in for what is pruned: they pass, so that only the pruning itself is said.
_STUBS: dict[str, dict[str, str]] = {
    "element": {"type": "divider", "id": "pruned"},
    "condition": {"type": "truthy", "key": "pruned"},
}


@dataclass(frozen=True, slots=True)
class Visit:
    """A model's object in the text. ``depth`` counts elements from the page's content, which is 1."""

    model: type[BaseModel]
    node: Node
    place: Place
    depth: int


@dataclass(slots=True)
class Reading:
    """``value`` is what the models take. ``elements`` counts pruned ones too."""

    value: Any = None
    places: dict[Loc, tuple[Place, Node]] = field(default_factory=dict)
    expected: dict[Loc, Shape] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def read_as(model: type[BaseModel], root: Node, pointer: str = "") -> Reading:
    """Walk the value as that model would have it. Never raises."""
    walk = _Walk()
    walk.reading.value = walk.read(ObjectOf(model), False, root, place_of(root, pointer), (), 0, 0)
    return walk.reading


def raw_value(node: Node) -> Any:
    """The value as plain Python, whatever was expected; numbers as written, the last of equal keys."""
    match node.kind:
        case "object":
            return {member.key: raw_value(member.value) for member in node.members}
        case "array":
            return [raw_value(item) for item in node.items]
        case "number":
            return _number(str(node.scalar))
        case _:
            return node.scalar


def _number(letters: str) -> int | float:
    return float(letters) if re.search(r"[.eE]", letters) else int(letters)


class _Walk:
    def __init__(self) -> None:
        self.reading = Reading()

    def read(
        self, shape: Shape, nullable: bool, node: Node, place: Place, loc: Loc, depth: int, conditions: int
    ) -> Any:
        """``depth``: elements around this place; ``conditions``: conditions around it."""
        self.reading.places[loc] = (place, node)
        self.reading.expected[loc] = shape
        if node.kind == "null" and nullable:
            return None
        match shape:
            case Scalar():
                return self._scalar(shape, node, place)
            case Choice():
                return node.scalar if node.kind == "string" else raw_value(node)
            case ListOf() if node.kind == "array":
                inner, null = shape_of(shape.item)
                return [
                    self.read(inner, null, item, place.child(at, item), (*loc, at), depth, conditions)
                    for at, item in enumerate(node.items)
                ]
            case MapOf() if node.kind == "object":
                inner, null = shape_of(shape.value)
                self._repeated_keys(node, place)
                found = {}
                for member in node.members:
                    key_place = place.key(member.key, member.start, member.end)
                    self.reading.places[(*loc, member.key, "[key]")] = (key_place, member.value)
                    found[_whole_text(member.key)] = self.read(
                        inner,
                        null,
                        member.value,
                        place.child(member.key, member.value),
                        (*loc, member.key),
                        depth,
                        conditions,
                    )
                return found
            case Tagged() if node.kind == "object":
                return self._tagged(shape, node, place, loc, depth, conditions)
            case ObjectOf() if node.kind == "object":
                return self._object(shape.model, node, place, loc, depth, conditions)
            case _:
                return raw_value(node) if node.kind not in ("object", "array") else _hollow(node)

    def _scalar(self, shape: Scalar, node: Node, place: Place) -> Any:
        letters = node.scalar
        if shape.kind == "string" and isinstance(letters, str) and node.kind == "string":
            return self._text(letters, place)
        if node.kind == "number":
            if shape.kind == "integer":
                whole = _WHOLE.fullmatch(str(letters))
                return int(float(str(letters))) if whole and whole[1] else raw_value(node)
            return float(str(letters)) if shape.kind == "number" else raw_value(node)
        if node.kind == "string" and isinstance(letters, str) and shape.kind != "string":
            return self._quoted(shape, letters, place)
        return raw_value(node) if node.kind not in ("object", "array") else _hollow(node)

    def _text(self, text: str, place: Place) -> str:
        if _HALVES.search(text):
            self._note("HP734", place, "the text holds half of a surrogate pair", "Write the whole letter.")
        return _whole_text(text)

    def _quoted(self, shape: Scalar, letters: str, place: Place) -> Any:
        """The phone's decoder takes quoted numbers, and quoted booleans in any case."""
        if shape.kind == "boolean" and letters.lower() in ("true", "false"):
            self._note(
                "HP734",
                place,
                f"a quoted boolean: {brief(letters, limit=40)!r}",
                f"Write {letters.lower()} without quotes.",
            )
            return letters.lower() == "true"
        if shape.kind in ("number", "integer") and _QUOTED_NUMBER.fullmatch(letters) and len(letters) < 40:
            value = _number(letters)
            if shape.kind == "number" or isinstance(value, int):
                self._note(
                    "HP734", place, f"a quoted number: {brief(letters, limit=40)!r}", f"Write {letters} without quotes."
                )
                return float(value) if shape.kind == "number" else value
        return letters

    def _tagged(self, shape: Tagged, node: Node, place: Place, loc: Loc, depth: int, conditions: int) -> Any:
        depth += shape.family == "element"
        conditions = conditions + 1 if shape.family == "condition" else 0
        if depth > DEPTH_LIMIT and shape.family == "element":
            self.reading.visits.append(Visit(ElementBase, node, place, depth))
            self._note(
                "HP703",
                place,
                f"element {depth} levels deep; the limit is {DEPTH_LIMIT}",
                "Flatten the groups and cards around it.",
            )
            return _STUBS["element"]
        if conditions > CONDITION_DEPTH_LIMIT:
            self._note(
                "HP703",
                place,
                f"conditions nested deeper than {CONDITION_DEPTH_LIMIT} levels",
                "Write them flat, in one all or any.",
            )
            return _STUBS["condition"]
        tag = node.get("type")
        name = tag.scalar if tag is not None and tag.kind == "string" else None
        model = shape.models.get(name) if isinstance(name, str) else None
        if model is None:
            if shape.family == "element":
                self.reading.visits.append(Visit(ElementBase, node, place, depth))
            return _hollow(node)
        return self._object(model, node, place, (*loc, str(name)), depth, conditions)

    def _object(self, model: type[BaseModel], node: Node, place: Place, loc: Loc, depth: int, conditions: int) -> Any:
        self.reading.places[loc] = (place, node)
        self.reading.visits.append(Visit(model, node, place, depth))
        self._repeated_keys(node, place)
        fields = fields_of(model)
        found: dict[str, Any] = {}
        for member in node.members:
            expected = fields.get(member.key)
            if expected is None:
                self._unknown_key(model, node, member.key, place.key(member.key, member.start, member.end))
                continue
            shape, nullable = shape_of(expected.annotation)
            child = place.child(member.key, member.value)
            value = self.read(shape, nullable, member.value, child, (*loc, member.key), depth, conditions)
            found[member.key] = value
        return found

    def _unknown_key(self, model: type[BaseModel], node: Node, key: str, place: Place) -> None:
        if len(self.reading.notes) >= NOTES_LIMIT:
            return  # nobody reads so many, and each guess costs
        fields = fields_of(model)
        likely = meant(key, fields)
        if likely is not None and node.get(likely) is not None:
            likely = None
        if likely is not None and fields[likely].required:
            return  # said with the missing field
        what = f"the key {brief(key, limit=60)!r} is not read"
        if likely is None:
            hint = "Take it away; the phone skips it without a word."
        elif same_name(key, (likely,)):
            hint = f"Write {likely!r}: the phone skips other spellings and takes the default."
        else:
            hint = f"Did you mean {likely!r}?"
        self._note("HP731", place, what, hint)

    def _repeated_keys(self, node: Node, place: Place) -> None:
        seen: set[str] = set()
        for member in node.members:
            if member.key in seen:
                self._note(
                    "HP735",
                    place.key(member.key, member.start, member.end),
                    f"the key {brief(member.key, limit=60)!r} stands here a second time",
                    "The last one counts; take the others away.",
                )
            seen.add(member.key)

    def _note(self, code: str, place: Place, message: str, hint: str) -> None:
        # Warnings beyond what anybody reads are dropped; an error never is.
        if code != "HP703" and len(self.reading.notes) >= NOTES_LIMIT:
            return
        self.reading.notes.append(Note(code, place, message, hint))


def _whole_text(text: str) -> str:
    """Halves of surrogate pairs replaced, one unit for one: the models take no halves."""
    return _HALVES.sub("\ufffd", text) if not text.isascii() else text


def _hollow(node: Node) -> Any:
    """A container where something else is due, without what is in it: only its kind will be complained about."""
    if node.kind == "array":
        return []
    tag = node.get("type")
    return {} if tag is None or tag.kind in ("object", "array") else {"type": raw_value(tag)}
