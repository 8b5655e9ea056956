"""What a draft is held to beyond a page: lower-case ids, no requests, a page of its own id, bounded bytes.

The union of what the known draft store asks for and of what the phone can show, in full and at once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from loader.pages import document as models
from loader.pages.jsontext import Node
from loader.pages.limits import (
    DESCRIPTION_LIMIT,
    DRAFT_DOCUMENT_LIMIT_BYTES,
    RESERVED_ID,
    TITLE_LIMIT,
    is_draft_identifier,
    is_identifier,
)
from loader.pages.note import Note, Place, brief, escaped
from loader.pages.reading import Visit, raw_value


def normal_draft_id(text: str) -> str:
    """The id that is meant: outer blanks and case do not count."""
    return text.strip().lower()


def id_fault(draft_id: str) -> tuple[str, str] | None:
    """What is wrong with a normal id, and the way out."""
    if draft_id == RESERVED_ID:
        return f"the id {RESERVED_ID!r} is reserved for the host's own page", "Choose another id."
    if not is_draft_identifier(draft_id):
        return (
            f"{brief(draft_id, limit=70)!r} is no draft id",
            "1 to 64 of a-z, 0-9, '.', '_', '-', the first a letter or digit.",
        )
    return None


def argument_notes(root: Node) -> Iterator[Note]:
    """The arguments around the document: id, title, description."""
    found = _string(root, "plugin_id")
    if found is not None:
        fault = id_fault(normal_draft_id(found[0]))
        if fault is not None:
            yield Note("HP715", found[1], *fault)
    found = _string(root, "title")
    if found is not None and not 1 <= len(found[0].strip()) <= TITLE_LIMIT:
        yield Note(
            "HP715", found[1], f"a title of {len(found[0].strip())} letters", f"Write 1 to {TITLE_LIMIT} letters."
        )
    found = _string(root, "description")
    if found is not None and len(found[0].strip()) > DESCRIPTION_LIMIT:
        length = len(found[0].strip())
        yield Note("HP715", found[1], f"a description of {length} letters", f"Write at most {DESCRIPTION_LIMIT}.")


def draft_notes(visits: Collection[Visit], document: Node, pointer: str) -> Iterator[Note]:
    """What a draft's document is held to beyond a page's. ``pointer``: where the document stands."""
    if document.kind != "object":
        return
    head = Place(pointer, document.start, document.start + 1)
    if document.get("schemaVersion") is None:
        yield Note("HP704", head, "the key 'schemaVersion' is missing", 'A draft says its version: "schemaVersion": 1.')
    own = document.member("host_revision")
    if own is not None:
        spot = Place(f"{pointer}/host_revision", own.start, own.end)
        yield Note("HP736", spot, "host_revision is the store's own: what a draft sends is replaced", "Take it away.")
    yield from _lower_case(visits)
    yield from _requests(document, pointer)
    size = compact_size_bytes(document)
    if size > DRAFT_DOCUMENT_LIMIT_BYTES:
        message = f"{size} bytes as compact JSON; a draft may have {DRAFT_DOCUMENT_LIMIT_BYTES}"
        yield Note("HP702", head, message, "Shorten its texts and state.", "error")


def compact_size_bytes(document: Node) -> int:
    """The document's size as compact UTF-8 JSON, halves of surrogate pairs escaped."""
    text = json.dumps(raw_value(document), ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "backslashreplace"))


def _lower_case(visits: Collection[Visit]) -> Iterator[Note]:
    for visit in visits:
        if not (visit.model is models.Page or issubclass(visit.model, models.ElementBase)):
            continue
        found = visit.node.get("id")
        # What no host takes as identifier is said by the models already.
        if found is None or found.kind != "string" or not is_identifier(str(found.scalar)):
            continue
        if not is_draft_identifier(str(found.scalar)):
            yield Note(
                "HP709",
                visit.place.child("id", found),
                f"{brief(str(found.scalar), limit=70)!r} is no id of a draft's element or page",
                "1 to 64 of a-z, 0-9, '.', '_', '-', in lower case.",
            )


def _requests(document: Node, pointer: str) -> Iterator[Note]:
    """Anywhere, even where no element reads it: the store looks everywhere, so that no later host finds one."""
    waiting = [(document, pointer)]
    while waiting:
        node, where = waiting.pop()
        for member in node.members:
            waiting.append((member.value, f"{where}/{escaped(member.key)}"))
            if member.key != "action" or member.value.kind != "object":
                continue
            request = member.value.member("request")
            if request is not None and request.value.kind != "null":
                spot = Place(f"{where}/action/request", request.start, request.end)
                yield Note(
                    "HP714",
                    spot,
                    "a draft calls no backend",
                    "Take the request away; only the pages of an installed plugin may call its backend.",
                )
        waiting.extend((item, f"{where}/{at}") for at, item in enumerate(node.items))


def _string(root: Node, key: str) -> tuple[str, Place] | None:
    found = root.get(key)
    if found is None or found.kind != "string" or not isinstance(found.scalar, str):
        return None
    return found.scalar, Place(f"/{key}", found.start, found.end)
