"""Which browser storage a walled plugin of an id may have: each name below is an origin of its own.

What a page stored lies in a browser, where nothing here can remove it. So the origin is given up instead: the first
package of an id has the plain one, and after a purge, or when the id comes back from another source, the next one has
an origin that nobody ever had. What was stored under the old one is out of reach for every page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256

from loader.home import Home
from loader.nouns import Json
from loader.packages.record import Record
from loader.state import JsonObject, StateFile

STORAGES_FILE = "storages.json"
PLAIN = ""


class Storages:
    """What uninstalled packages left behind, by id. Blocking; raises LoaderError as ``StateFile`` does.

    ``token`` makes a name that was never given before.
    """

    def __init__(self, home: Home, *, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        self._path = home.state_dir / STORAGES_FILE
        self._file = StateFile(self._path)
        self._token = token

    def name_for(self, record: Record, current: Record | None) -> str:
        """For a package that is about to be installed: that of what it replaces, as a person said; else what one from
        the same source left behind; else one that nobody had."""
        if current is not None:
            return current.storage
        left = self._file.read().get(record.id)
        if left is None:
            return self._token() if self._was_lost() else PLAIN
        if isinstance(left, dict) and left.get("source") == _source(record) and isinstance(left.get("name"), str):
            return str(left["name"])
        return self._token()

    def left(self, record: Record, *, purged: bool) -> None:
        """It is uninstalled. ``purged``: nobody may have its storage again."""
        entry: dict[str, Json] = {} if purged else {"name": record.storage, "source": _source(record)}

        def change(state: JsonObject) -> JsonObject:
            return state | {record.id: entry}

        self._file.update(change)

    def _was_lost(self) -> bool:
        """Whether a damaged file was set aside: then nobody knows who had what."""
        return any(self._path.parent.glob(f"{STORAGES_FILE}.damaged-*"))


def _source(record: Record) -> str:
    """Tells one source from another, and no more: an address may say much about its reader."""
    return sha256("\n".join((record.source_kind, record.source, record.subdir)).encode("utf-8", "replace")).hexdigest()
