"""What a caller of the control plane wants to install: exactly one source, however it is named. Pure, but for looking
whether a path exists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from loader.errors import UsageError
from loader.packages.links import is_link
from loader.packages.record import Record, source_of
from loader.packages.refused import shown
from loader.packages.sources import ArchiveSource, FolderSource, Source, checked_ref, parse_repository, parse_source

FORMS = ("source", "path", "repository", "link", "installed")


@dataclass(frozen=True, slots=True)
class Wish:
    """``source`` is any of them in one text; ``path`` a folder or an archive, ``repository`` for git, ``link`` an
    install link, ``installed`` the id of a package: it is looked for again where it came from. ``ref`` is a commit."""

    source: str | None = None
    path: str | None = None
    repository: str | None = None
    link: str | None = None
    installed: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """``enable`` and ``force`` are what a link wishes, never a person's word. ``without`` are the parts that a person
    left out before."""

    source: Source
    enable: bool = False
    force: bool = False
    without: tuple[str, ...] = ()


def named(wish: Wish, record_of: Callable[[str], Record]) -> Named:
    """Blocking.

    Raises:
        UsageError: none or more than one source is named, or it is none.
    """
    given = [name for name in FORMS if getattr(wish, name) is not None]
    if len(given) != 1:
        raise UsageError(f"name exactly one of {', '.join(FORMS)}{f', not {len(given)}' if given else ''}.")
    if wish.installed is not None:
        record = record_of(wish.installed)
        return Named(source_of(record, ref=checked_ref(wish.ref)), force=True, without=record.without)
    if wish.repository is not None:
        return Named(parse_repository(wish.repository, ref=wish.ref))
    if wish.link is not None and not is_link(wish.link):
        raise UsageError(f"{shown(wish.link)} is no install link (hermes://plugin/install?repo=…).")
    text = next(text for text in (wish.source, wish.path, wish.link) if text is not None)
    if wish.path is not None and not Path(text).expanduser().is_absolute():
        raise UsageError(f"{shown(text)} is no whole path: the service works in another folder than you.")
    source, link = parse_source(text, ref=wish.ref)
    if isinstance(source, FolderSource | ArchiveSource):
        if not Path(text).expanduser().is_absolute():
            raise UsageError(f"{shown(text)} is no whole path: the service works in another folder than you.")
    elif wish.path is not None:
        raise UsageError(f"there is nothing at {shown(text)}.")
    return Named(source, link is not None and link.enable, link is not None and link.force)
