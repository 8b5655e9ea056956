"""What the models say of a value, in a page author's words: code, message, the way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

from loader.pages import limits
from loader.pages.jsontext import Node
from loader.pages.note import Note, Place, brief
from loader.pages.reading import Loc, Reading, Visit
from loader.pages.shapes import Choice, Family, ObjectOf, Scalar, Tagged, fields_of, shape_of
from loader.pages.spelling import meant

_IDENTIFIER_HINT = "1 to 128 letters, digits, '.', '_' or '-', the first a letter or digit."
_KINDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "number": "a number",
    "boolean": "a boolean",
    "null": "null",
}
_FAMILY_HINTS: Mapping[Family, str] = {
    "element": 'An element is an object with "type" and "id".',
    "text": 'Write {"type": "literal", "value": "…"}, or {"type": "binding", "key": "…"} to show state.',
    "value": 'Write {"type": "string", "value": "…"}, likewise "boolean" and "number", or {"type": "null"}.',
    "condition": 'Write {"type": "truthy", "key": "…"}, or equals, not, all, any.',
}
_SCALAR_NAMES = {"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
# Which of an object's keys are looked at for another spelling of one that is missing.
_LOOKED_AT = 40
_RANGES = ("greater_than_equal", "less_than_equal", "page_range", "too_long", "too_short")


def note_of(error: ErrorDetails, reading: Reading) -> Note:
    """The note that a model's complaint becomes."""
    loc: Loc = tuple(error["loc"])
    kind = error["type"]
    if kind == "missing":
        return _missing(loc, reading)
    place, node = _nearest(loc, reading)
    name = _name(place)
    context: Mapping[str, Any] = error.get("ctx", {})
    if kind == "page_identifier":
        return Note("HP709", place, f"{_shown(node, place)} is no identifier", _IDENTIFIER_HINT)
    if kind == "page_text":
        message = f"text of {context['length']} UTF-16 units; the limit is {context['limit']}"
        return Note("HP711", place, message, "Shorten it, or part it over several elements.")
    if kind == "page_path":
        return Note("HP713", place, str(context["text"]), str(context["hint"]))
    if kind == "page_method":
        return Note(
            "HP713",
            place,
            f"the method {_shown(node, place)} is never sent",
            f"Write one of {', '.join(limits.METHODS)}.",
        )
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _tag(place, node, context)
    if kind == "literal_error":
        return _choice(place, node, context)
    if kind in _RANGES:
        return _range(place, node, name, kind, context)
    return _wrong_kind(place, node, name, loc, reading)


def _missing(loc: Loc, reading: Reading) -> Note:
    place, node = _nearest(loc[:-1], reading)
    key = str(loc[-1])
    # The other spelling of the key, if it is there, is where to look.
    others = node.members[:_LOOKED_AT]
    other = next((member for member in others if member.key != key and meant(member.key, (key,)) == key), None)
    if other is not None:
        spot = place.key(other.key, other.start, other.end)
        return Note("HP704", spot, f"{key!r} is missing; {brief(other.key, limit=60)!r} is not read", f"Write {key!r}.")
    head = Place(f"{place.pointer}", place.start, place.start + 1)
    what = node.get("type")
    of = f" of the {what.scalar}" if what is not None and what.kind == "string" else ""
    return Note("HP704", head, f"the key {key!r}{brief(of, limit=60)} is missing", _missing_hint(loc, reading))


def _missing_hint(loc: Loc, reading: Reading) -> str:
    visit = _visit_at(loc[:-1], reading)
    field = fields_of(visit.model).get(str(loc[-1])) if visit else None
    if field is None:
        return "Add it."
    shape, _ = shape_of(field.annotation)
    if isinstance(shape, Tagged):
        return f"Add it. {_FAMILY_HINTS[shape.family]}"
    if isinstance(shape, Scalar):
        return f"Add it: {_SCALAR_NAMES[shape.kind]}."
    return "Add it."


def _visit_at(loc: Loc, reading: Reading) -> Visit | None:
    found = reading.places.get(loc)
    return next((visit for visit in reading.visits if found is not None and visit.node is found[1]), None)


def _tag(place: Place, node: Node, context: Mapping[str, Any]) -> Note:
    expected = [name.strip(" '") for name in str(context.get("expected_tags", "")).split(",") if name]
    tag = node.get("type")
    if tag is None:
        return Note(
            "HP704",
            Place(place.pointer, place.start, place.start + 1),
            "the key 'type' is missing",
            _type_hint(expected),
        )
    spot = place.child("type", tag)
    if tag.kind != "string":
        return Note("HP705", spot, f"'type' is {_KINDS[tag.kind]}, a string is due", _type_hint(expected))
    likely = meant(str(tag.scalar), expected)
    hint = f"Did you mean {likely!r}?" if likely else f"There are {', '.join(expected)}."
    return Note("HP706", spot, f"there is no {_kind_of(expected)} {_shown(tag, spot)}", hint)


def _type_hint(expected: list[str]) -> str:
    return f"Add it: one of {', '.join(expected)}." if expected else "Add it."


def _kind_of(expected: list[str]) -> str:
    if "group" in expected:
        return "element"
    if "literal" in expected:
        return "text"
    return "value" if "null" in expected else "condition"


def _choice(place: Place, node: Node, context: Mapping[str, Any]) -> Note:
    known = [part.strip().strip("'") for part in str(context.get("expected", "")).replace(" or ", ", ").split(",")]
    if node.kind != "string":
        return Note(
            "HP705", place, f"{_name(place)} is {_KINDS[node.kind]}, a string is due", f"One of {', '.join(known)}."
        )
    likely = meant(str(node.scalar), known)
    hint = f"Write {likely}: case and underscores count." if likely else f"Write one of {', '.join(known)}."
    return Note("HP707", place, f"{_shown(node, place)} is no {_name(place)}", hint)


def _range(place: Place, node: Node, name: str, kind: str, context: Mapping[str, Any]) -> Note:
    if name in ("schemaVersion", "schema_version"):
        return Note("HP708", place, f"{name} is {_shown(node, place)}; only 1 is known", f'Write "{name}": 1.')
    if name == "min_host_api":
        hint = "Ask for 1 and use only what it has."
        return Note("HP708", place, f"host API {_shown(node, place)} is asked for; there is 1", hint)
    if kind in ("too_long", "too_short"):
        count = len(node.items) if node.kind == "array" else len(node.members)
        least, most = context.get("min_length"), context.get("max_length")
        limit = f"at least {least}" if most is None else f"at most {most}"
        head = Place(place.pointer, place.start, place.start + 1)
        hint = "Part them over several pages or groups." if count else "Add what is to be shown."
        return Note("HP711", head, f"{count} {_entries(name)}; {limit} fit", hint)
    if kind == "page_range":
        bound = f"between {context['least']} and {context['most']}"
    else:
        bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
    return Note("HP711", place, f"{name} is {_shown(node, place)}; it must be {bound}", "Write a number within that.")


def _entries(name: str) -> str:
    return {"pages": "pages", "children": "children", "initialState": "entries of state"}.get(name, "entries")


def _wrong_kind(place: Place, node: Node, name: str, loc: Loc, reading: Reading) -> Note:
    family, due = _due(loc, reading)
    if due == "a whole number" and node.kind == "number":
        return Note(
            "HP705", place, f"{name} is {_shown(node, place)}, {due} is due", "Write it without a fraction, in 32 bits."
        )
    if due == "a number" and node.kind == "number":
        return Note(
            "HP705", place, f"{name} is {_shown(node, place)}, which no 64-bit float keeps", "Write a smaller number."
        )
    hint = _FAMILY_HINTS[family] if family else None
    if hint is None:
        hint = f"Leave {name!r} out, if it need not be there." if node.kind == "null" else f"Write {due}."
    return Note("HP705", place, f"{name} is {_KINDS[node.kind]}, {due} is due", hint)


def _due(loc: Loc, reading: Reading) -> tuple[Family | None, str]:
    """What the models expect at that place: the family of a tagged object, and words for it."""
    found = reading.expected.get(loc)
    if isinstance(found, Tagged):
        return found.family, {"element": "an element", "text": "a text object", "value": "a typed value"}.get(
            found.family, "a condition"
        )
    if isinstance(found, Scalar):
        return None, _SCALAR_NAMES[found.kind]
    if isinstance(found, Choice):
        return None, "a string"
    return None, "an object" if isinstance(found, ObjectOf) or found is None else found.due


def _nearest(loc: Loc, reading: Reading) -> tuple[Place, Node]:
    """The place of a complaint, or of the nearest thing around it."""
    while loc not in reading.places and loc:
        loc = loc[:-1]
    return reading.places[loc]


def _name(place: Place) -> str:
    """How to call what stands there: the last key of the pointer that is no index."""
    parts = [part for part in place.pointer.split("/") if part and not part.isdigit()]
    return brief(parts[-1].replace("~1", "/").replace("~0", "~"), limit=60) if parts else "the whole"


def _shown(node: Node, place: Place) -> str:
    """The value as written; for a key that is complained about, the key."""
    if place.start != node.start:
        return repr(brief(place.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~"), limit=60))
    match node.kind:
        case "string":
            return repr(brief(str(node.scalar), limit=60))
        case "number":
            return brief(str(node.scalar), limit=60)
        case "boolean":
            return "true" if node.scalar else "false"
        case _:
            return _KINDS[node.kind]
