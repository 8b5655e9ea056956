"""Who goes by which id: kept as it changes, so that one plugin of many costs as much as one of few. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Rank: TypeAlias = tuple[int, str]
"""The lower comes first: standalone before unified, then by folder. No two keys have the same."""


@dataclass(frozen=True, slots=True)
class _Name:
    rank: Rank
    id: str
    judged: bool
    claims: bool


class Names:
    """Ids and folders by key. A key that waits for its verdict can only be foretold to go by its folder's name."""

    def __init__(self) -> None:
        self._names: dict[str, _Name] = {}
        self._judged: dict[str, set[str]] = {}
        self._expected: dict[str, set[str]] = {}

    def expect(self, key: str, rank: Rank, folder: str) -> None:
        """The key waits for its verdict."""
        self._put(key, _Name(rank, folder, judged=False, claims=False))

    def name(self, key: str, rank: Rank, plugin_id: str, *, claims: bool) -> None:
        """The key was judged; ``claims``: it could run under that id."""
        self._put(key, _Name(rank, plugin_id, judged=True, claims=claims))

    def forget(self, key: str) -> None:
        name = self._names.pop(key, None)
        if name is not None:
            group = self._group(name)
            group[name.id].discard(key)
            if not group[name.id]:
                del group[name.id]

    def owner(self, plugin_id: str) -> str | None:
        """The first judged key that claims the id."""
        return self._first(key for key in self._judged.get(plugin_id, ()) if self._names[key].claims)

    def expected(self, folder: str) -> str | None:
        """The first key in a folder of that name that still waits."""
        return self._first(self._expected.get(folder, ()))

    def going_by(self, ids: Iterable[str]) -> set[str]:
        """Every judged key that goes by one of these ids, whether it claims it or not."""
        return {key for each in ids for key in self._judged.get(each, ())}

    def _put(self, key: str, name: _Name) -> None:
        if self._names.get(key) == name:
            return
        self.forget(key)
        self._names[key] = name
        self._group(name).setdefault(name.id, set()).add(key)

    def _group(self, name: _Name) -> dict[str, set[str]]:
        return self._judged if name.judged else self._expected

    def _first(self, keys: Iterable[str]) -> str | None:
        return min(keys, key=lambda key: self._names[key].rank, default=None)
