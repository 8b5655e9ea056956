"""Drafted pages on disk: what an agent made, until a person keeps or removes it.

One file for each draft in ``<home>/mobile-plugins``, in the format of the known store with two keys of ours:
``session`` (who made it) and ``expires_at``. An agent drafts, and takes back its own session's drafts; everything else
is a person's decision about one exact revision, named by its digest.

Everything here blocks (a lock, an fsync): call it in a thread.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from loader.errors import LoaderError
from loader.pages.check import PageCheck, check_value
from loader.pages.draft_entry import Approval, Entry, Listed, entry_of
from loader.pages.draft_errors import DraftConflict, DraftRefused, NoSuchDraft, ReservedPage
from loader.pages.draft_rules import id_fault, normal_draft_id
from loader.pages.limits import RESERVED_ID, is_draft_identifier
from loader.pages.manifest import DraftArguments
from loader.regular_file import opened_regular
from loader.state import sync_folder, write_new

FOLDER = "mobile-plugins"
DRAFTS_LIMIT = 200
FILE_LIMIT_BYTES = 2 * 1024 * 1024
LOCK_TIMEOUT_S = 10.0
_SUFFIX = ".json"


class DraftStore:
    """``home`` is the folder that HERMES_HOME names. ``changed`` is told the id after each change, in that thread."""

    def __init__(
        self,
        home: Path,
        *,
        now_s: Callable[[], float] = time.time,
        changed: Callable[[str], None] = lambda _: None,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self.root = home / FOLDER
        self._now_s = now_s
        self._changed = changed
        self._lock_timeout_s = lock_timeout_s

    # ------------------------------------------------------------ looking

    def listed(self, session: str | None = None) -> Listed:
        """What that session (a person: None) may see, by id. What has expired is removed on the way."""
        entries: list[Entry] = []
        faults: list[str] = []
        for name in self._names():
            found = self._read(name)
            if isinstance(found, str):
                faults.append(f"{name}{_SUFFIX}: {found}")
            elif found is None or self._gone(found):
                continue
            elif found.seen_by(session):
                entries.append(found)
        return Listed(tuple(entries), tuple(faults))

    def get(self, draft_id: str, session: str | None = None) -> Entry:
        """Raises NoSuchDraft, DraftRefused for what is no id, ReservedPage for the host's own."""
        name = _name(draft_id)
        found = self._read(name)
        if not isinstance(found, Entry) or self._gone(found) or not found.seen_by(session):
            raise NoSuchDraft(f"There is no draft {name!r}.")
        return found

    def page(self, draft_id: str, session: str | None = None) -> dict[str, Any]:
        """The document as a host reads it. Raises as ``get`` does, and DraftRefused when no host would show it."""
        entry = self.get(draft_id, session)
        checked = _checked(entry)
        if checked.canonical is None:
            first = next(found for found in checked.diagnostics if found.severity == "error")
            raise DraftRefused(f"{entry.id} cannot be shown: {first.code} {first.message}", checked)
        return {**entry.document, "host_revision": entry.revision}

    # ------------------------------------------------------------ an agent's part

    def draft(self, arguments: object, session: str | None) -> tuple[Entry, PageCheck]:
        """Store a draft, or its next revision; the entry and the check with its warnings.

        Raises:
            DraftRefused: the arguments or the document do not fit; nothing was stored.
            DraftConflict: the id is published, or another session's.
            LoaderError: the store cannot be written, or is full.
        """
        checked = check_value(arguments, "draft")
        if not isinstance(checked.model, DraftArguments) or not isinstance(arguments, dict):
            errors = [found for found in checked.diagnostics if found.severity == "error"]
            raise DraftRefused(_told(errors[0].message, len(errors)), checked)
        given = checked.model
        name = normal_draft_id(given.plugin_id)
        now = int(self._now_s())
        with self._locked():
            old = self._read(name)
            if isinstance(old, str):
                self._set_aside(name, now)
                old = None
            if old is not None and self._gone(old):
                old = None
            if old is None and len(self._names()) >= DRAFTS_LIMIT:
                raise LoaderError(f"There are {DRAFTS_LIMIT} drafts already. Remove some first.")
            if old is not None and old.status == "published":
                raise DraftConflict(f"{name!r} is published: draft under another id, or ask for it to be removed.")
            if old is not None and not old.seen_by(session):
                raise DraftConflict(f"The id {name!r} is taken. Choose another one.")
            # A persistent draft stays one: as a session's it could be removed without a person.
            lasting = old is not None and old.lifecycle == "persistent"
            entry = Entry(
                id=name,
                title=given.title.strip(),
                description=given.description.strip(),
                status="draft",
                lifecycle="persistent" if lasting else given.lifecycle,
                document=arguments["document"],
                created_at=old.created_at if old else now,
                updated_at=now,
                published_at=None,
                revision=old.revision + 1 if old else 1,
                session=old.session if old and old.session is not None else session,
            )
            self._write(entry)
        self._changed(name)
        return entry, checked

    def withdraw(self, draft_id: str, session: str) -> Approval | None:
        """An agent's wish to remove: done (None) for its own session's draft, else a person's decision."""
        with self._locked():
            entry = self.get(draft_id, session)
            if entry.expires_at is None or entry.session != session:
                return Approval(entry, "remove")
            self._path(entry.id).unlink(missing_ok=True)
        self._changed(entry.id)
        return None

    def ask_to_publish(self, draft_id: str, session: str | None) -> Approval:
        """An agent's wish to publish: never done, always asked."""
        return Approval(self.get(draft_id, session), "promote")

    # ------------------------------------------------------------ a person's part

    def promote(self, draft_id: str, expected_digest: str) -> Entry:
        """Keep exactly this revision. Raises DraftConflict when it is not the one that is there."""
        with self._locked():
            entry = self._exact(draft_id, expected_digest)
            checked = _checked(entry)
            if not checked.ok:
                raise DraftRefused(f"{entry.id} cannot be shown by any host, so there is nothing to keep.", checked)
            now = int(self._now_s())
            kept = replace(
                entry,
                status="published",
                lifecycle="persistent",
                revision=entry.revision + 1,
                updated_at=now,
                published_at=now,
            )
            self._write(kept)
        self._changed(kept.id)
        return kept

    def remove(self, draft_id: str, expected_digest: str) -> str:
        """Remove exactly this revision; its id. Raises DraftConflict when it is not the one that is there."""
        with self._locked():
            entry = self._exact(draft_id, expected_digest)
            self._path(entry.id).unlink(missing_ok=True)
        self._changed(entry.id)
        return entry.id

    def _exact(self, draft_id: str, expected_digest: str) -> Entry:
        if not expected_digest.strip():
            raise DraftRefused("expected_digest is missing: say which revision is meant.")
        entry = self.get(draft_id)
        if not secrets.compare_digest(entry.digest.encode(), expected_digest.encode("utf-8", "replace")):
            raise DraftConflict(f"{entry.id!r} has changed since: revision {entry.revision} is {entry.digest} now.")
        return entry

    # ------------------------------------------------------------ files

    def _names(self) -> list[str]:
        if self.root.is_symlink():
            return []
        try:
            names = [
                entry.name.removesuffix(_SUFFIX) for entry in os.scandir(self.root) if entry.name.endswith(_SUFFIX)
            ]
        except OSError:
            return []
        # The reserved name may lie there from another store; it is never served.
        return sorted(name for name in names if is_draft_identifier(name) and name != RESERVED_ID)

    def _path(self, name: str) -> Path:
        return self.root / f"{name}{_SUFFIX}"

    def _gone(self, entry: Entry) -> bool:
        """Whether it has expired; then the file goes too. A file that cannot go is expired all the same."""
        if entry.expires_at is None or self._now_s() < entry.expires_at:
            return False
        with suppress(OSError):
            self._path(entry.id).unlink(missing_ok=True)
        return True

    def _read(self, name: str) -> Entry | str | None:
        """The entry; None where there is none; a line that says why a file is none."""
        path = self._path(name)
        if self.root.is_symlink() or path.is_symlink():
            return "it is a symbolic link, which no draft is"
        try:
            with opened_regular(path, follow=False) as file:
                data = file.read(FILE_LIMIT_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            return f"it cannot be read ({error.strerror or error})"
        if len(data) > FILE_LIMIT_BYTES:
            return f"it is larger than {FILE_LIMIT_BYTES} bytes"
        return entry_of(data, name)

    def _write(self, entry: Entry) -> None:
        stored = entry.whole() | {"session": entry.session}
        stored.pop("expires_at")
        text = json.dumps(stored, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > FILE_LIMIT_BYTES:
            raise LoaderError(f"The draft takes {len(data)} bytes on disk; the limit is {FILE_LIMIT_BYTES}.")
        temporary = self.root / f".{entry.id}.{secrets.token_hex(4)}.tmp"
        try:
            write_new(temporary, data)
            temporary.replace(self._path(entry.id))
        except OSError as error:
            raise LoaderError(f"The draft cannot be written to {self.root}: {error.strerror or error}.") from error
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        sync_folder(self.root)

    def _set_aside(self, name: str, now: int) -> None:
        """What cannot be understood may be somebody's only copy: another name, not another content."""
        path = self._path(name)
        if path.is_symlink():
            raise DraftConflict(f"{path} is a symbolic link. Take it away.")
        try:
            path.replace(path.with_name(f"{name}{_SUFFIX}.damaged-{now}-{secrets.token_hex(2)}"))
        except OSError as error:
            raise LoaderError(f"{path} cannot be set aside: {error.strerror or error}.") from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self.root.is_symlink():
            raise LoaderError(f"{self.root} is a symbolic link; drafts are kept in a folder of their own.")
        try:
            self.root.mkdir(mode=0o700, exist_ok=True)
            with FileLock(self.root / ".lock", timeout=self._lock_timeout_s):
                yield
        except Timeout:
            raise LoaderError(f"{self.root} is locked by another process. Try again.") from None
        except OSError as error:
            raise LoaderError(f"{self.root} cannot be used: {error.strerror or error}.") from error


def _name(draft_id: str) -> str:
    name = normal_draft_id(draft_id)
    if name == RESERVED_ID:
        raise ReservedPage(f"The page {RESERVED_ID!r} is the host's own and is not available here.")
    fault = id_fault(name)
    if fault is not None:
        raise DraftRefused(f"{fault[0]}: {fault[1]}")
    return name


def _told(first: str, errors: int) -> str:
    return first if errors == 1 else f"{first} (and {errors - 1} more)"


def _checked(entry: Entry) -> PageCheck:
    """The stored draft as its own arguments: other stores keep what no phone shows."""
    return check_value(entry.arguments(), "draft")
