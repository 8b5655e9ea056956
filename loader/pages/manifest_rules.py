"""What a manifest says beyond its types: whose it is, which of its pages can open, what has no effect."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from loader.pages.jsontext import Node
from loader.pages.limits import DESCRIPTION_LIMIT, POLL_MAX_S, POLL_MIN_S, TITLE_LIMIT, WRITE_CAPABILITY, is_identifier
from loader.pages.manifest import CapabilityRequest, Endpoint, PageContribution, Updates
from loader.pages.note import Note, Place, brief
from loader.pages.paths import PathFault, means_another_place, path_segments
from loader.pages.reading import Visit
from loader.pages.spelling import meant


def manifest_notes(visits: Collection[Visit], root: Node, catalog_name: str | None) -> Iterator[Note]:
    """``catalog_name``: the id under which the host's catalogue lists the plugin; None when nobody knows."""
    yield from _identity(root, catalog_name)
    seen: set[str] = set()
    for visit in visits:
        if visit.model is PageContribution:
            yield from _contribution(visit, seen)
        elif visit.model is Endpoint:
            yield from _endpoint(visit)
        elif visit.model is CapabilityRequest:
            yield from _capability(visit)
        elif visit.model is Updates:
            yield from _updates(visit)


def _identity(root: Node, catalog_name: str | None) -> Iterator[Note]:
    found = root.get("id")
    if found is None or found.kind != "string" or not isinstance(found.scalar, str):
        return
    if catalog_name is not None and found.scalar != catalog_name:
        yield Note(
            "HP716",
            Place("/id", found.start, found.end),
            f"the manifest says {brief(found.scalar, limit=60)!r}, the catalogue {brief(catalog_name, limit=60)!r}",
            f"Write {catalog_name!r}, letter by letter.",
        )


def _contribution(visit: Visit, seen: set[str]) -> Iterator[Note]:
    found = _string(visit, "id")
    if found is not None:
        text, spot = found
        if text in seen:
            yield Note(
                "HP736", spot, f"a second contribution {brief(text, limit=60)!r}: both open the first", "Rename it."
            )
        elif not is_identifier(text):
            yield Note(
                "HP736", spot, "no page can have this id, so it opens none", "Use letters, digits, '.', '_' and '-'."
            )
        seen.add(text)
    found = _string(visit, "surface")
    if found is not None and found[0] != "page":
        yield Note("HP736", found[1], f"the surface {brief(found[0], limit=60)!r} is never shown", 'Write "page".')
    for key, limit in (("title", TITLE_LIMIT), ("description", DESCRIPTION_LIMIT)):
        found = _string(visit, key)
        if found is not None and len(found[0].strip()) > limit:
            yield Note(
                "HP736", found[1], f"{key} of {len(found[0].strip())} letters; drafts may have {limit}", "Shorten it."
            )
    found = _string(visit, "title")
    if found is not None and not found[0].strip():
        yield Note("HP736", found[1], "a blank title makes a link that nobody sees", "Say what the page is.")


def _endpoint(visit: Visit) -> Iterator[Note]:
    found = _string(visit, "path")
    if found is not None:
        yield from path_notes(*found)
    found = _string(visit, "method")
    if found is not None and found[0].upper() != "GET":
        yield Note("HP713", found[1], "a page is read with GET and with nothing else", 'Write "GET", or leave it out.')


def path_notes(path: str, spot: Place) -> Iterator[Note]:
    """What is wrong with a path that the models let pass, or that needs care."""
    fault = path_segments(path)
    if isinstance(fault, PathFault):
        yield Note("HP713", spot, fault.text, fault.hint)
    elif means_another_place(path):
        message = "the path is taken below the plugin's own routes, '/api/' included"
        yield Note("HP713", spot, message, "Drop '/api/plugins/…/' from the front.", "warning")


def _capability(visit: Visit) -> Iterator[Note]:
    found = _string(visit, "id")
    if found is not None and found[0] != WRITE_CAPABILITY:
        near = meant(found[0], (WRITE_CAPABILITY,))
        hint = f"Did you mean {near!r}?" if near else f"There is only {WRITE_CAPABILITY!r}."
        yield Note("HP736", found[1], f"the capability {brief(found[0], limit=60)!r} has no effect", hint)


def _updates(visit: Visit) -> Iterator[Note]:
    found = visit.node.get("poll_seconds")
    if found is None or found.kind != "number" or not str(found.scalar).lstrip("-").isdigit():
        return
    if not POLL_MIN_S <= int(str(found.scalar)) <= POLL_MAX_S:
        message = f"polled every {POLL_MIN_S} to {POLL_MAX_S} seconds, whatever this says"
        yield Note("HP736", visit.place.child("poll_seconds", found), message, "Write a number within.")


def _string(visit: Visit, key: str) -> tuple[str, Place] | None:
    found = visit.node.get(key)
    if found is None or found.kind != "string" or not isinstance(found.scalar, str):
        return None
    return found.scalar, visit.place.child(key, found)
