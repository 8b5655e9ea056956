"""A look at what a source ships, before anybody is asked: fetched into staging, checked and played through there."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from loader.checking.checked import CheckedFile
from loader.checking.run import Analyzer, CheckSettings, Judged, file_of
from loader.checking.targets import Target
from loader.home import Home
from loader.inventory.judging import judge
from loader.inventory.looking import look_at
from loader.nouns import Candidate, Diagnostic
from loader.packages.archives import extract_archive
from loader.packages.contents import Contents, chosen_name, contents_of, contents_of_served
from loader.packages.development import DevelopmentSource, fetch_manifest
from loader.packages.durable import make_folder, remove_tree
from loader.packages.git import fetch_git
from loader.packages.grants import NOTHING, Grants
from loader.packages.limits import LIMITS, Limits
from loader.packages.sources import ArchiveSource, FolderSource, GitSource, Source
from loader.packages.tree import copy_folder, hash_tree
from loader.preferences import NO_PREFERENCES, Preferences
from loader.settings import AnalysisSettings
from loader.state import ensure_state_dir

DEFAULT_ANALYSIS = AnalysisSettings()
STAGING_PREFIX = ".staging-"

# The way out of too heavy a plugin is a person's permission for an installed one (`allow-heavy`).
_MAY_BE_INSTALLED = frozenset({"HP404"})


@dataclass(frozen=True, slots=True)
class Arrived:
    """Files in staging. ``revision`` is the commit of a git source, None otherwise. ``files`` are hashes by path."""

    source: Source
    folder: Path
    revision: str | None
    files: dict[str, str]
    size_bytes: int
    left_out: tuple[str, ...]
    contents: Contents


@dataclass(frozen=True, slots=True)
class Probe:
    """All that there is to know before saying yes. ``checked`` is None for what has no desktop half. ``without`` are
    the parts that were taken out on request."""

    id: str
    arrived: Arrived
    checked: CheckedFile | None
    without: tuple[str, ...] = ()

    @property
    def contents(self) -> Contents:
        return self.arrived.contents

    @property
    def requested(self) -> Grants:
        manifest = self.contents.manifest
        return NOTHING if manifest is None else manifest.requested

    @property
    def stops(self) -> tuple[Diagnostic, ...]:
        """The findings that it is not installed with: nobody would load it."""
        findings = () if self.checked is None else self.checked.diagnostics
        return tuple(found for found in findings if found.severity == "error" and found.code not in _MAY_BE_INSTALLED)


@contextmanager
def staging(home: Home, *, token: Callable[[], str] = lambda: secrets.token_hex(6)) -> Iterator[Path]:
    """A folder of our own on the home's file system, removed at the end whatever happens.

    What a killed process left is removed by the next one: each folder has a lock that dies with its owner.

    Raises:
        LoaderError: it cannot be made.
    """
    from filelock import FileLock

    is_new = not home.state_dir.exists()
    above = ensure_state_dir(home.state_dir) / home.records_dir.name
    make_folder(above)
    _sweep(above)
    place = above / f"{STAGING_PREFIX}{token()}"
    lock = FileLock(f"{place}.lock", mode=0o600)
    lock.acquire()
    try:
        make_folder(place)
        yield place
    finally:
        remove_tree(place)
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
        for folder in (above, *((home.state_dir,) if is_new else ())):
            _remove_if_empty(folder)


def _sweep(above: Path) -> None:
    from filelock import FileLock, Timeout

    for lock_file in above.glob(f"{STAGING_PREFIX}*.lock"):
        lock = FileLock(lock_file, timeout=0)
        try:
            with lock:
                remove_tree(lock_file.with_suffix(""))
                lock_file.unlink(missing_ok=True)
        except (Timeout, OSError):
            continue


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return


def fetch(source: Source, into: Path, *, limits: Limits = LIMITS) -> Arrived:
    """Bring the files of a source into ``into``, a staging folder, and look at what they are. Blocking.

    Raises:
        Invalid: it must not be installed, or is no plugin. UsageError: it cannot be had. LoaderError: the disk.
    """
    folder = into / "tree"
    make_folder(folder)
    revision = None
    match source:
        case FolderSource(path):
            listing = copy_folder(path, folder, limits=limits)
        case ArchiveSource(path):
            listing = extract_archive(path, folder, limits=limits)
        case GitSource():
            work = into / "git"
            make_folder(work)
            fetched = fetch_git(source, folder, work, limits=limits)
            remove_tree(work)
            revision, listing = fetched.revision, fetched.listing
        case DevelopmentSource():
            size_bytes = fetch_manifest(source, folder)
            return Arrived(source, folder, None, hash_tree(folder), size_bytes, (), contents_of_served(folder))
    contents = contents_of(folder)
    return Arrived(source, folder, revision, hash_tree(folder), listing.size_bytes, listing.left_out, contents)


async def probed(arrived: Arrived, analyzer: Analyzer, analysis: AnalysisSettings = DEFAULT_ANALYSIS) -> Probe:
    """Check and rehearse what arrived.

    Raises:
        Invalid: it has no name that it could be installed under.
    """
    top = arrived.source.name
    entry, manifest = arrived.contents.entry, arrived.contents.manifest
    if arrived.contents.kind == "web-app" and manifest is not None:
        return Probe(manifest.id, arrived, None)
    if entry is None:
        return Probe(chosen_name(arrived.contents, None, top), arrived, None)
    checked = await check_file(arrived.folder / entry, top, analyzer, analysis, shown=entry)
    return Probe(chosen_name(arrived.contents, checked.exported_id, top), arrived, checked)


async def check_file(
    path: Path, name: str, analyzer: Analyzer, analysis: AnalysisSettings = DEFAULT_ANALYSIS, *, shown: str
) -> CheckedFile:
    """The full check of one plugin.js as it is. What its own comments and settings excuse counts too: they are the
    author's word, and it is not the author who is asked."""
    candidate = Candidate("standalone", name, str(path), home="")
    look = await asyncio.to_thread(look_at, candidate, (), find_preferences=_none)
    verdict = None
    if look.may_be_opened and look.source is not None:
        verdict = await analyzer.analyze(look.source, analysis, str(path))
    subject = judge(look, candidate, verdict, pins={}, id_mismatch="warn")
    # It is installed under the id that it exports, so what its folder was called before says nothing.
    subject = replace(subject, findings=tuple(found for found in subject.findings if found.code != "HP303"))
    judged = Judged(Target(shown, candidate, in_home=False), subject, strict=False)
    return file_of(judged, (), CheckSettings(analysis))


def _none(_: Candidate) -> tuple[Preferences, tuple[Diagnostic, ...]]:
    return NO_PREFERENCES, ()
