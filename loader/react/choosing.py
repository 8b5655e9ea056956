"""Which React the page gets: the user's folder, else the fetched one, else none yet and what a fetch would be."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from loader.errors import LoaderError
from loader.nouns import Json
from loader.react.fetching import FILE_LIMIT_BYTES, fetch_react, has_hash, react_folder
from loader.react.module import FILES, wrapped
from loader.react.pinned import PinnedPackage, pinned_packages, registry_of, version_of

Origin: TypeAlias = Literal["folder", "fetched"]


def read_kept(state_dir: Path, packages: tuple[PinnedPackage, ...]) -> str | None:
    """The module of what was fetched, every byte compared with its hash again; None when it is not there, or not it."""
    texts: dict[str, str] = {}
    folder = react_folder(state_dir, packages)
    for name, places in FILES.items():
        of, _, path = places[0].partition("/")
        package = next(one for one in packages if one.name == of)
        try:
            with (folder / of / path).open("rb") as file:
                data = file.read(FILE_LIMIT_BYTES + 1)
        except OSError:
            return None
        if not has_hash(data, package.files[path]):
            return None
        texts[name] = data.decode("utf-8")
    return wrapped(texts)


class React:
    """``given``: the module of the user's own folder. Lives on the event loop."""

    def __init__(
        self,
        given: str | None = None,
        state_dir: Path | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        packages: tuple[PinnedPackage, ...] | None = None,
    ) -> None:
        self._text = given
        self._origin: Origin | None = None if given is None else "folder"
        self._state_dir = state_dir
        self._environ = os.environ if environ is None else environ
        self._packages = pinned_packages() if packages is None else packages
        self._one_at_a_time = asyncio.Lock()

    async def text(self) -> str | None:
        """The module; None while there is none. A fetch in a terminal is noticed at the next look."""
        if self._text is None and self._state_dir is not None:
            self._text = await asyncio.to_thread(read_kept, self._state_dir, self._packages)
            self._origin = None if self._text is None else "fetched"
        return self._text

    async def fetch(self) -> None:
        """Fetch and keep, unless there is one. Raises LoaderError; nothing was kept then."""
        async with self._one_at_a_time:
            if self._state_dir is not None and await self.text() is None:
                await fetch_react(self._state_dir, registry_of(self._environ), self._packages)
                if await self.text() is None:
                    raise LoaderError(
                        "React was fetched, and is not what was fetched when it is read. Look at the disk."
                    )

    def plan(self) -> dict[str, Json]:
        """What a fetch would bring, from where: the words for whoever is asked. Raises UsageError (no registry)."""
        return plan_of(registry_of(self._environ), self._packages)

    async def told(self) -> dict[str, Json]:
        """Plan and state, for the page; ``why`` when there is no registry to fetch from."""
        ready = await self.text() is not None
        state: dict[str, Json] = {"ready": ready, "origin": self._origin, "why": None}
        try:
            return state | self.plan()
        except LoaderError as error:
            return state | {"why": str(error), "version": version_of(self._packages), "registry": None, "packages": []}


def plan_of(registry: str, packages: tuple[PinnedPackage, ...]) -> dict[str, Json]:
    return {
        "version": version_of(packages),
        "registry": registry,
        "packages": [
            {
                "name": package.name,
                "version": package.version,
                "url": package.url(registry),
                "integrity": package.integrity,
                "bytes": package.packed_bytes,
            }
            for package in packages
        ],
    }
