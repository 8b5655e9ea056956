"""A text checked as a page document, a manifest, or an agent's draft: findings with pointer, line and column.

The phone says nothing of most faults: it drops the plugin, or shows a blank page. Here each has its code. What the
phone refuses is an error; what it puts up with, though it will not do what is meant, is a warning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ValidationError

from loader.analysis.syntax.positions import Positions
from loader.codes import finding
from loader.nouns import Diagnostic, Span
from loader.pages import document as models
from loader.pages.document import PageDocument
from loader.pages.draft_rules import argument_notes, draft_notes, normal_draft_id
from loader.pages.jsontext import JsonFault, Node, read_json
from loader.pages.limits import DOCUMENT_LIMIT_BYTES, DRAFT_DOCUMENT_LIMIT_BYTES
from loader.pages.manifest import DraftArguments, Manifest
from loader.pages.manifest_rules import manifest_notes, path_notes
from loader.pages.note import Note, Place, place_of
from loader.pages.reading import Reading, read_as
from loader.pages.whole import document_notes
from loader.pages.wording import note_of

Kind: TypeAlias = Literal["document", "manifest", "draft"]

FINDINGS_LIMIT = 100
_MODELS: dict[Kind, type[BaseModel]] = {"document": PageDocument, "manifest": Manifest, "draft": DraftArguments}
_DOCUMENT_KEYS = {"pages", "schemaVersion", "initialState", "host_revision"}
_MANIFEST_KEYS = {"id", *Manifest.model_fields}


@dataclass(frozen=True, slots=True)
class PageFinding:
    """A diagnostic, and the JSON Pointer of what it is about."""

    pointer: str
    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class PageCheck:
    """What the check of one text found. ``model`` is None when it has errors: what is refused goes no further."""

    kind: Kind
    findings: tuple[PageFinding, ...]
    model: BaseModel | None = None
    # A manifest that decodes, whatever its rules say: one page's bad path costs that page, not the plugin.
    lenient: Manifest | None = None

    @property
    def ok(self) -> bool:
        return not any(found.diagnostic.severity == "error" for found in self.findings)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(found.diagnostic for found in self.findings)

    @property
    def canonical(self) -> dict[str, Any] | None:
        """The value as the phone reads it, every default filled in, unknown keys left out; None when refused."""
        return None if self.model is None else self.model.model_dump(mode="json", by_alias=True)


def check_page(
    text: str,
    kind: Kind | None = None,
    *,
    contributions: Collection[str] | None = None,
    catalog_name: str | None = None,
) -> PageCheck:
    """Check a text. Never raises, whatever the text.

    ``kind`` None: told from the object's keys. ``contributions``: the ids under which a document is opened, where they
    are known (a draft's is its own id). ``catalog_name``: the id under which a manifest's plugin is listed.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > DOCUMENT_LIMIT_BYTES:
        found = finding("HP702", f"{size} bytes; {DOCUMENT_LIMIT_BYTES} are read", severity="error")
        return PageCheck(kind or "document", (PageFinding("", found),))
    places = _Places(text)
    try:
        root = read_json(text)
    except JsonFault as fault:
        note = Note(fault.code, Place("", fault.start, fault.end), fault.message, fault.hint, "error")
        return PageCheck(kind or "document", (places.finding(note),))
    kind = kind or kind_of(root)
    if root.kind != "object":
        note = Note(
            "HP705", place_of(root), f"the whole is no object but {root.kind}", "A page document is one object."
        )
        return PageCheck(kind, (places.finding(note),))
    reading = read_as(_MODELS[kind], root)
    model, complaints = _validated(_MODELS[kind], reading)
    notes = [*reading.notes, *complaints, *_rules(kind, reading, root, contributions, catalog_name)]
    if kind == "document" and size > DRAFT_DOCUMENT_LIMIT_BYTES:
        message = f"{size} bytes: no draft may be so large, and a phone loads it at every poll"
        notes.append(
            Note("HP702", Place("", root.start, root.start + 1), message, "Send less, or in several documents.")
        )
    findings = places.findings(notes)
    refused = any(found.diagnostic.severity == "error" for found in findings)
    return PageCheck(kind, findings, None if refused else model, model if isinstance(model, Manifest) else None)


def check_value(value: object, kind: Kind | None = None, **known: Any) -> PageCheck:
    """The same for a value that is parsed already; places are those of its JSON text, two spaces deep."""
    return check_page(json.dumps(value, indent=2, ensure_ascii=False), kind, **known)


def kind_of(root: Node) -> Kind:
    """What an object is meant to be, by its keys."""
    keys = {member.key for member in root.members}
    if "document" in keys and not keys & {"pages", "contributions"}:
        return "draft"
    if "pages" in keys or (keys & _DOCUMENT_KEYS and not keys & _MANIFEST_KEYS):
        return "document"
    return "manifest"


def _validated(model: type[BaseModel], reading: Reading) -> tuple[BaseModel | None, list[Note]]:
    try:
        return model.model_validate(reading.value), []
    except ValidationError as wrong:
        errors = wrong.errors(include_url=False, include_input=False)
        return None, [note_of(error, reading) for error in errors[: 2 * FINDINGS_LIMIT]]


def _rules(
    kind: Kind, reading: Reading, root: Node, contributions: Collection[str] | None, catalog_name: str | None
) -> Iterator[Note]:
    if kind == "manifest":
        yield from manifest_notes(reading.visits, root, catalog_name)
        return
    document, pointer = root, ""
    if kind == "draft":
        yield from argument_notes(root)
        document, pointer = root.get("document") or Node("null", root.start, root.end), "/document"
        own = root.get("plugin_id")
        if contributions is None and own is not None and isinstance(own.scalar, str):
            contributions = (normal_draft_id(own.scalar),)
        yield from draft_notes(reading.visits, document, pointer)
    yield from _action_paths(reading)
    yield from document_notes(reading.visits, document, contributions, pointer)


def _action_paths(reading: Reading) -> Iterator[Note]:
    for visit in reading.visits:
        path = visit.node.get("path") if visit.model is models.ActionRequest else None
        if path is not None and isinstance(path.scalar, str):
            # Faults are said by the models; here only what passes and needs care.
            yield from (n for n in path_notes(path.scalar, visit.place.child("path", path)) if n.severity == "warning")


class _Places:
    """From places in the text to findings with lines and columns."""

    def __init__(self, text: str) -> None:
        self._positions = Positions(text.encode("utf-8", "surrogatepass"))

    def findings(self, notes: Iterable[Note]) -> tuple[PageFinding, ...]:
        """In the order of the text, each said once, and no more than anybody reads."""
        ordered = sorted(set(notes), key=lambda note: (note.place.start, note.code, note.message))
        kept = ordered[:FINDINGS_LIMIT]
        # An error that is left out must not make the text pass.
        hidden = next((n for n in ordered[FINDINGS_LIMIT:] if self.finding(n).diagnostic.severity == "error"), None)
        if hidden is not None and not any(self.finding(n).diagnostic.severity == "error" for n in kept):
            kept[-1] = hidden
        return tuple(self.finding(note) for note in kept)

    def finding(self, note: Note) -> PageFinding:
        where = f"{note.place.pointer}: " if note.place.pointer else ""
        made = finding(
            note.code, where + note.message, span=self._span(note.place), hint=note.hint, severity=note.severity
        )
        return PageFinding(note.place.pointer, made)

    def _span(self, place: Place) -> Span:
        at = self._positions.byte_of_character
        return self._positions.span(at(place.start), at(max(place.end, place.start)))
