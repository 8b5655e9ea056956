"""What only the whole document shows: counts, unique ids, bindings that nothing declares, pages nobody can open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from loader.pages import document as models
from loader.pages.jsontext import Node
from loader.pages.limits import ELEMENTS_LIMIT, STATE_LIMIT
from loader.pages.note import Note, Place, brief, place_of
from loader.pages.reading import Visit
from loader.pages.spelling import meant

_SAID_LIMIT = 100
_FEWER = "Show less at once: a phone draws them all, whatever is visible."


def document_notes(
    visits: Collection[Visit], root: Node, contributions: Collection[str] | None, pointer: str = ""
) -> Iterator[Note]:
    """``contributions``: the ids under which the document is opened; None when nobody knows. ``pointer``: root's."""
    elements = [visit for visit in visits if issubclass(visit.model, models.ElementBase)]
    if len(elements) > ELEMENTS_LIMIT:
        spot = _head(elements[ELEMENTS_LIMIT].place)
        yield Note("HP711", spot, f"{len(elements)} elements in all pages; the limit is {ELEMENTS_LIMIT}", _FEWER)
    yield from _repeated_ids(elements)
    yield from _sources(elements)
    pages = [visit for visit in visits if visit.model is models.Page]
    yield from _unreachable(pages, root, contributions, pointer)
    yield from _bindings(visits, root)


def _repeated_ids(elements: Collection[Visit]) -> Iterator[Note]:
    first: dict[str, Visit] = {}
    for visit in elements:
        found = visit.node.get("id")
        if found is None or not isinstance(found.scalar, str) or found.kind != "string":
            continue
        earlier = first.setdefault(found.scalar, visit)
        if earlier is not visit:
            yield Note(
                "HP710",
                visit.place.child("id", found),
                f"the element id {brief(found.scalar, limit=60)!r} is taken by {earlier.place.pointer}",
                "Ids of elements are unique over all pages of a document.",
            )


def _sources(elements: Collection[Visit]) -> Iterator[Note]:
    for visit in elements:
        if visit.model is models.Progress and not any(_given(visit.node, key) for key in ("value", "valueBinding")):
            yield Note(
                "HP712",
                _head(visit.place),
                "progress has neither value nor valueBinding",
                'Add "value": a number from 0 to 1, or "valueBinding": a key of the state.',
            )


def _given(node: Node, key: str) -> bool:
    found = node.get(key)
    return found is not None and found.kind != "null"


def _unreachable(pages: list[Visit], root: Node, contributions: Collection[str] | None, pointer: str) -> Iterator[Note]:
    seen: set[str] = set()
    for page in pages:
        found = page.node.get("id")
        if found is None or not isinstance(found.scalar, str):
            continue
        spot, shown = page.place.child("id", found), brief(found.scalar, limit=60)
        if found.scalar in seen:
            yield Note("HP733", spot, f"a second page {shown!r}: the first one is shown", "Give it an id of its own.")
        elif contributions is not None and found.scalar not in contributions:
            yield Note(
                "HP733",
                spot,
                f"the page {shown!r} can never be opened: no contribution has its id",
                "A page is reached through a contribution of the same id, and from nowhere else.",
            )
        seen.add(found.scalar)
    for missing in sorted(set(contributions or ()) - seen):
        listed = root.get("pages")
        spot = Place(f"{pointer}/pages", listed.start, listed.start + 1) if listed else _head(place_of(root, pointer))
        near = meant(missing, seen)
        hint = (
            f"Did you mean the page {brief(near, limit=60)!r}?"
            if near
            else "Add the page, or rename the one that is meant."
        )
        message = f"no page has the id {brief(missing, limit=60)!r}: opened, it stays blank without a word"
        yield Note("HP733", spot, message, hint, "error")


@dataclass(frozen=True, slots=True)
class _Use:
    key: str
    place: Place
    wants: str | None = None


_BOUND: Mapping[type[BaseModel], tuple[str, str | None]] = {
    models.BindingText: ("key", None),
    models.Truthy: ("key", None),
    models.Equals: ("key", None),
    models.TextInput: ("binding", "string"),
    models.Toggle: ("binding", "boolean"),
    models.Progress: ("valueBinding", "number"),
}
_SHOWN_INSTEAD = {"string": "it shows as empty", "boolean": "it shows as off", "number": "it does not move the bar"}


def _uses(visits: Collection[Visit]) -> Iterator[_Use]:
    for visit in visits:
        key, wants = _BOUND.get(visit.model, ("", None))
        found = visit.node.get(key) if key else None
        if found is not None and found.kind == "string" and isinstance(found.scalar, str):
            yield _Use(found.scalar, visit.place.child(key, found), wants)


def _bindings(visits: Collection[Visit], root: Node) -> Iterator[Note]:
    state = root.get("initialState")
    declared = {member.key: member.value for member in state.members} if state is not None else {}
    said: set[str] = set()
    for use in _uses(visits):
        if use.key not in declared:
            if use.key not in said and len(said) < _SAID_LIMIT:
                near = meant(use.key, declared) if len(declared) <= STATE_LIMIT else None
                hint = (
                    f"Did you mean {near!r}?" if near else 'Declare it in "initialState", if only as {"type": "null"}.'
                )
                message = f"{brief(use.key, limit=60)!r} is not in initialState: it reads as null until it is edited"
                yield Note("HP732", use.place, message, hint)
            said.add(use.key)
            continue
        kind = declared[use.key].get("type")
        if use.wants and kind is not None and kind.scalar not in (use.wants, "null"):
            message = f"{brief(use.key, limit=60)!r} is a {use.wants} here, but {kind.scalar} in initialState: "
            yield Note("HP737", use.place, message + _SHOWN_INSTEAD[use.wants], f"Declare it as a {use.wants}.")


def _head(place: Place) -> Place:
    return Place(place.pointer, place.start, place.start + 1)
