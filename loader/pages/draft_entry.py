"""One stored draft: what it holds, who sees it, what a person's decision about it names."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

SESSION_LIFE_S = 24 * 3600

Status: TypeAlias = Literal["draft", "published"]
Lifecycle: TypeAlias = Literal["session", "persistent"]
Decision: TypeAlias = Literal["promote", "remove"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored draft. Times are whole epoch seconds. ``session`` None: made by a person, or by another store."""

    id: str
    title: str
    description: str
    status: Status
    lifecycle: Lifecycle
    document: dict[str, Any] = field(repr=False)
    created_at: int
    updated_at: int
    published_at: int | None
    revision: int
    session: str | None = None

    @property
    def digest(self) -> str:
        """``sha256:`` and hex over what a person decides about: all but times and session."""
        covered = {
            name: getattr(self, name)
            for name in ("id", "title", "description", "status", "lifecycle", "document", "revision")
        }
        text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def expires_at(self) -> int | None:
        """When it goes by itself: drafts of a session do, a day after their last change."""
        fleeting = self.status == "draft" and self.lifecycle == "session"
        return self.updated_at + SESSION_LIFE_S if fleeting else None

    def seen_by(self, session: str | None) -> bool:
        """A person (None) sees all; a session its own, what is kept, and what nobody's name is on."""
        return session is None or self.session in (None, session) or self.expires_at is None

    def summary(self) -> dict[str, Any]:
        """Everything but the document; the session's name stays here."""
        names = ("id", "title", "description", "status", "lifecycle", "created_at", "updated_at", "published_at")
        return {name: getattr(self, name) for name in names} | {
            "revision": self.revision,
            "digest": self.digest,
            "expires_at": self.expires_at,
        }

    def arguments(self) -> dict[str, Any]:
        """What would draft it again."""
        given = {name: getattr(self, name) for name in ("title", "description", "lifecycle", "document")}
        return {"plugin_id": self.id, **given}

    def whole(self) -> dict[str, Any]:
        return self.summary() | {"document": self.document}


@dataclass(frozen=True, slots=True)
class Approval:
    """What an agent is answered where a person decides."""

    entry: Entry
    decision: Decision

    def told(self) -> dict[str, Any]:
        verb = "kept" if self.decision == "promote" else "removed"
        return {
            "approval_required": True,
            "id": self.entry.id,
            "status": self.entry.status,
            "revision": self.entry.revision,
            "digest": self.entry.digest,
            "message": f"Only a person may decide that '{self.entry.id}' is {verb}: on the page where it is shown.",
            "approval_endpoint": f"mobile/plugins/{self.entry.id}/{self.decision}",
        }


@dataclass(frozen=True, slots=True)
class Listed:
    """``faults``: files that are no drafts, each with a line for people; they hide none of the others."""

    entries: tuple[Entry, ...]
    faults: tuple[str, ...] = ()


def entry_of(data: bytes, name: str) -> Entry | str:
    """The entry that a file of that name holds, or a line that says why it holds none."""
    try:
        found = json.loads(data.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        return f"it is no JSON ({type(error).__name__})"
    if not isinstance(found, dict) or found.get("id") != name:
        return "it is no draft of that name"
    texts = [found.get(key) for key in ("title", "description")]
    times = [found.get(key) for key in ("created_at", "updated_at", "revision")]
    published, session = found.get("published_at"), found.get("session")
    fits = (
        all(isinstance(text, str) for text in texts)
        and all(isinstance(number, int) and not isinstance(number, bool) for number in times)
        and found.get("status") in ("draft", "published")
        and found.get("lifecycle") in ("session", "persistent")
        and isinstance(found.get("document"), dict)
        and (published is None or isinstance(published, int))
        and (session is None or isinstance(session, str))
    )
    if not fits:
        return "a key is missing or of another type than the store writes"
    names = ("id", "title", "description", "status", "lifecycle", "document", "created_at", "updated_at")
    return Entry(
        **{key: found[key] for key in names}, published_at=published, revision=found["revision"], session=session
    )
