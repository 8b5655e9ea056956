"""Which plugins are followed, and which of them a hint or a scan is about. Pure bookkeeping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from loader.inventory.following import Track
from loader.nouns import Candidate, LoadReason


class Tracks:
    """The followed plugins by key, and by the folders in which a change may concern them."""

    def __init__(self) -> None:
        self._by_key: dict[str, Track] = {}
        self._by_folder: dict[str, set[str]] = {}

    def __iter__(self) -> Iterator[Track]:
        return iter(tuple(self._by_key.values()))

    def get(self, key: str) -> Track | None:
        return self._by_key.get(key)

    def in_folder(self, path: str) -> tuple[Track, ...]:
        """Those whose file, package or copy lies in this very folder."""
        return tuple(self._by_key[key] for key in sorted(self._by_folder.get(path, ())))

    def forget(self, track: Track) -> None:
        if self._by_key.get(track.key) is track:
            self._unplace(track)
            del self._by_key[track.key]

    def update(
        self, found: Iterable[Candidate], cause: LoadReason, *, named: frozenset[str] | None = None
    ) -> tuple[Track, ...]:
        """Compare with what a scan found: the new, the changed and the vanished, which all have to be looked at.

        ``named``: the scan was about these folder names only. A vanished plugin keeps its track (without a
        candidate) until it has been away long enough.
        """
        by_key = {candidate.key: candidate for candidate in found}
        moved: list[Track] = []
        for key, candidate in by_key.items():
            track = self._by_key.get(key)
            if track is None:
                track = self._by_key[key] = Track(key, candidate.folder, None, cause)
            if track.candidate != candidate:
                self._place(track, candidate)
                moved.append(track)
        for track in self:
            if track.key not in by_key and track.candidate is not None and (named is None or track.folder in named):
                self._place(track, None)
                moved.append(track)
        return tuple(moved)

    def _place(self, track: Track, candidate: Candidate | None) -> None:
        self._unplace(track)
        track.candidate = candidate
        for folder in _folders(candidate):
            self._by_folder.setdefault(folder, set()).add(track.key)

    def _unplace(self, track: Track) -> None:
        for folder in _folders(track.candidate):
            keys = self._by_folder.get(folder, set())
            keys.discard(track.key)
            if not keys:
                self._by_folder.pop(folder, None)


def _folders(candidate: Candidate | None) -> tuple[str, ...]:
    if candidate is None:
        return ()
    inner = Path(candidate.path).parent
    # A package's half lies one level deeper than the folder that a hint names.
    outer = (str(inner.parent),) if inner.name != candidate.folder or candidate.door == "unified" else ()
    return (str(inner), *outer, *((candidate.copied_to,) if candidate.copied_to else ()))
