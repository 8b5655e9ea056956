"""The manifest under which drafts are listed: a contribution for each, its label, and what may be decided about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loader.pages.draft_entry import Entry
from loader.pages.limits import WRITE_CAPABILITY

OWN_ID = "hermes-relay"
OTHER_ID = "hermes-drafts"
POLL_S = 5
_REASON = "Keep or remove the pages that the agent drafts."


def draft_manifest(plugin_id: str, entries: Iterable[Entry]) -> dict[str, Any]:
    """``plugin_id`` is the one under which the routes answer. Sorted by id; a draft says that it is one."""
    return {
        "schema_version": 1,
        "id": plugin_id,
        "display_name": "Drafted pages",
        "description": "Pages that the agent made. Keep what you want to keep.",
        "min_host_api": 1,
        "default_enabled": False,
        "contributions": [_contribution(entry) for entry in sorted(entries, key=lambda entry: entry.id)],
        "requested_capabilities": [{"id": WRITE_CAPABILITY, "reason": _REASON, "required": False}],
        "updates": {"poll_seconds": POLL_S},
    }


def _contribution(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "surface": "page",
        "title": f"Draft: {entry.title}" if entry.status == "draft" else entry.title,
        "description": entry.description,
        "document": {"method": "GET", "path": f"mobile/pages/{entry.id}"},
        "status": entry.status,
        "lifecycle": entry.lifecycle,
        "revision": entry.revision,
        "digest": entry.digest,
    }
