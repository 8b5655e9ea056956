"""What `page check` is pointed at: a file, standard input, a stored draft, or a plugin that answers for itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from loader import client
from loader.checking.checked import CheckedFile
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.pages.check import Kind, PageCheck, check_page
from loader.pages.draft_errors import DraftRefused, NoSuchDraft, ReservedPage
from loader.pages.drafts import DraftStore
from loader.pages.host import CatalogEntry, Fetched, page_path, read_manifest
from loader.pages.limits import DOCUMENT_LIMIT_BYTES, is_identifier
from loader.pages.paths import PathFault, scoped_path

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class PageWish:
    """What the command line says of the texts; None: it says nothing."""

    kind: Kind | None = None
    contributions: tuple[str, ...] | None = None
    plugin: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedPage:
    file: CheckedFile
    check: PageCheck


def checked_pages(target: str, wish: PageWish, find_home: Callable[[], Home]) -> Iterator[CheckedPage]:
    """The target's texts, checked. Raises UsageError when there is no such thing."""
    if target == STANDARD_INPUT:
        yield checked_text(
            STANDARD_INPUT, _decoded(sys.stdin.buffer.read(DOCUMENT_LIMIT_BYTES + 1), "standard input"), wish
        )
    elif target.startswith(("http://", "https://")):
        from loader.cli.page_host import host_pages  # it stands above this module

        yield from host_pages(target)
    elif os.path.lexists(target):
        yield checked_text(target, _read(Path(target)), wish)
    elif not is_identifier(target) or target.endswith(".json"):
        raise UsageError(f"There is no file {target!r}. Name a JSON file, '-' for standard input, or a draft's id.")
    else:
        yield from _by_id(target, find_home())


def checked_text(shown: str, text: str, wish: PageWish) -> CheckedPage:
    """One text, shown under that name."""
    check = check_page(text, wish.kind, contributions=wish.contributions, catalog_name=wish.plugin)
    return CheckedPage(CheckedFile(shown, Path(shown).stem, text=text, diagnostics=check.diagnostics), check)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(DOCUMENT_LIMIT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    return _decoded(data, str(path))


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # What was cut off in the middle of a letter is too large anyway.
        if len(data) > DOCUMENT_LIMIT_BYTES:
            return data.decode("utf-8-sig", "replace")
        raise UsageError(f"{name} is not UTF-8: byte {error.start} begins no letter.") from error


def _by_id(name: str, home: Home) -> Iterator[CheckedPage]:
    store = DraftStore(home.home)
    try:
        entry = store.get(name)
    except (NoSuchDraft, DraftRefused, ReservedPage):
        yield from _of_plugin(name, home)
        return
    text = json.dumps(entry.arguments(), indent=2, ensure_ascii=False)
    yield checked_text(str(store.root / f"{entry.id}.json"), text, PageWish("draft"))


def _of_plugin(name: str, home: Home) -> Iterator[CheckedPage]:
    if client.find(home) is None:
        raise UsageError(
            f"There is no draft {name!r} in {home.home}, and no service runs that could ask a plugin of that name. "
            "Start one: hermes-desktop serve"
        )
    with client.connect(home) as service:
        path = scoped_path(name, "mobile/manifest")
        fetched = _fetched(service, path)
        if fetched.failure is not None:
            raise UsageError(f"There is no draft {name!r}, and no plugin of that name has pages: {fetched.failure}.")
        surface = read_manifest(CatalogEntry(name, name), fetched)
        yield checked_text(str(path), fetched.text, PageWish("manifest", plugin=name))
        for contribution in surface.pages:
            where = page_path(surface, contribution.id)
            if isinstance(where, PathFault):
                continue  # said with the manifest
            document = _fetched(service, where)
            if document.failure is not None:
                raise LoaderError(f"{name}: {where} cannot be read: {document.failure}.")
            sharing = tuple(other.id for other in surface.pages if other.document.path == contribution.document.path)
            if contribution.id == sharing[0]:
                yield checked_text(where, document.text, PageWish("document", sharing))


def _fetched(service: client.Client, path: str | PathFault) -> Fetched:
    if isinstance(path, PathFault):
        return Fetched(0, "", path.text)
    try:
        return Fetched(200, json.dumps(service.request("GET", path), indent=2, ensure_ascii=False))
    except (LoaderError, ValueError) as failure:
        return Fetched(0, "", str(failure).rstrip("."))
