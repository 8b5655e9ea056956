"""A durable table by plugin id, with its present content at hand: what choices and pins have in common."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from loader.errors import LoaderError, UsageError
from loader.inventory.identity import is_valid_id, shown
from loader.nouns import Json
from loader.state import JsonObject, StateFile

V = TypeVar("V")


class Entry(Protocol[V]):
    """How one entry is read from JSON (None: it is none) and written."""

    def read(self, stored: Json) -> V | None: ...
    def write(self, value: V) -> Json: ...


class Ledger(Generic[V]):
    """The entries, keyed by valid ids only. What blocks says so; ``by_id`` does not.

    ``open_file(report)`` gives the state file that tells ``report`` when it had to set a damaged one aside.
    """

    def __init__(self, open_file: Callable[[Callable[[str], None]], StateFile], entry: Entry[V]) -> None:
        self._reports: list[str] = []
        self._file = open_file(self._reports.append)
        self._entry = entry
        self._entries: Mapping[str, V] = {}
        self._said: frozenset[str] = frozenset()
        # Refreshed in one thread, changed in another.
        self._lock = threading.Lock()

    def by_id(self) -> Mapping[str, V]:
        """What stands in the file as it was last read or written."""
        return self._entries

    def refresh(self) -> tuple[str, ...]:
        """Read the file again, since another process may have written it. Blocking.

        Returns what is wrong with it, each thing once. A file that cannot be read leaves the entries as they were. A
        damaged one is set aside by the state file; what is still known of it is written anew.
        """
        with self._lock:
            try:
                state = self._file.read()
                if self._reports and self._entries:
                    known = {plugin_id: self._entry.write(value) for plugin_id, value in self._entries.items()}
                    state = self._file.update(lambda stored: {**known, **stored})
            except LoaderError as error:
                return self._only_new(str(error))
            return self._only_new(*self._take(state))

    def set(self, plugin_id: str, value: V | None) -> None:
        """Write one entry, or remove it (None). Blocking.

        Raises UsageError for an invalid id (nothing is stored), LoaderError when the file cannot be written.
        """
        if not is_valid_id(plugin_id):
            raise UsageError(f"'{shown(plugin_id)}' cannot be a plugin's id, so nothing is kept under it.")

        def change(state: JsonObject) -> JsonObject:
            if value is None:
                state.pop(plugin_id, None)
            else:
                state[plugin_id] = self._entry.write(value)
            return state

        with self._lock:
            self._take(self._file.update(change))

    def _take(self, state: JsonObject) -> list[str]:
        entries: dict[str, V] = {}
        wrong: list[str] = []
        for plugin_id, stored in state.items():
            value = self._entry.read(stored) if is_valid_id(plugin_id) else None
            if value is None:
                wrong.append(
                    f"{self._file.path}: the entry '{shown(plugin_id)}' cannot be understood and does not count."
                )
            else:
                entries[plugin_id] = value
        self._entries = entries
        return wrong

    def _only_new(self, *texts: str) -> tuple[str, ...]:
        """What was not said the last time; a damaged file that was set aside is an event, said each time."""
        new = [text for text in texts if text not in self._said]
        self._said = frozenset(texts)
        reports = tuple(self._reports)
        self._reports.clear()
        return (*reports, *new)
