"""Installing, approving, switching and removing in a service that runs: the one implementation behind HTTP, JSON-RPC,
the page and the tools for agents. Who may ask for what is the faces' matter; what is done, and noted, is the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from loader.checking.run import Analyzer
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.packages.asking import Asked, Requests, Wanted
from loader.packages.audit import Audit, Caller, Outcome, outcome_of
from loader.packages.grants import NOTHING, Grants
from loader.packages.install import Packages, must_be_approved, only
from loader.packages.planning import Word
from loader.packages.record import Entry, Record, grants_json
from loader.packages.refused import Changed
from loader.packages.standings import revision_of
from loader.packages.waiting import Waiting
from loader.packages.wishes import Wish, named

if TYPE_CHECKING:
    from loader.packages.looked import Looked

T = TypeVar("T")

_log = logging.getLogger(__name__)

# Who comes later is told so, instead of waiting behind minutes of somebody's repository.
_AT_ONCE = 4


class Busy(LoaderError):
    """Others are being fetched."""


class Control:
    """Lives on the event loop; what blocks runs in threads. ``analyzer`` judges what arrives, ``refresh`` makes the
    service see what was done."""

    def __init__(
        self,
        home: Home,
        analyzer: Analyzer,
        refresh: Callable[[], Awaitable[None]],
        *,
        requests: Requests | None = None,
        audit: Audit | None = None,
        packages: Packages | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        self.packages = packages or Packages(home)
        self.requests = requests or Requests()
        self.audit = audit or Audit(home)
        self._home = home
        self._analyzer = analyzer
        self._refresh = refresh
        self._waiting = waiting or Waiting(home)
        self._keeping = asyncio.Lock()
        self._turn = asyncio.Lock()
        self._here = 0

    # ------------------------------------------------------------ looking

    async def look(self, wish: Wish, without: tuple[str, ...] | None = None) -> tuple[Looked, bool, bool]:
        """Fetch, check and play through; nothing is installed. With it, what a link wishes: enable, force. ``without``
        are parts to leave out (None: those that were left out before).

        Raises:
            UsageError: no source, or nothing that can be installed. Busy. LoaderError: it cannot be had.
        """
        return await self._fetched(wish, without, lambda looked, enable, force: (looked, enable, force))

    # ------------------------------------------------------------ changing

    async def install(self, wanted: Wanted, caller: Caller) -> Record:
        """What a person said yes to, if it is still what they were shown.

        Raises:
            Changed: the source has other bytes now. UsageError: it must not be installed.
        """
        assert wanted.wish is not None  # noqa: S101 - an install has one
        updates = wanted.wish.installed
        noted = self._noted(caller, "update" if updates else "install", wanted.id or updates or "")

        def act(looked: Looked, _: bool, __: bool) -> Record:
            from loader.packages.looked import must_be_installable

            noted.id = looked.probe.id
            if looked.digest != wanted.digest:
                raise Changed(f"{looked.probe.id} is no longer what was looked at. Look again, and decide anew.")
            plan = must_be_installable(looked, replace=wanted.force or updates is not None, updates=updates)
            if looked.probe.stops:
                raise UsageError(f"{looked.probe.id} has errors and would not load, so it is not installed.")
            return self.packages.install(looked.probe, plan, Word(wanted.grants, wanted.enable))

        async with noted:
            return await self._fetched(wanted.wish, wanted.without, act)

    async def approve(
        self, package_id: str, grants: Grants, caller: Caller, check: Callable[[Record], None] = lambda _: None
    ) -> Entry:
        """Let these be granted of what it asks for. ``check`` may refuse what stands there now (``only``).

        Raises:
            Changed. NotInstalled, UsageError: nothing to approve.
        """
        async with self._noted(caller, "approve", package_id):
            return await asyncio.to_thread(self.packages.approve, package_id, grants, check)

    async def trust(
        self, package_id: str, trusted: bool, caller: Caller, check: Callable[[Record], None] = lambda _: None
    ) -> Entry:
        """As ``approve``."""
        async with self._noted(caller, "trust" if trusted else "untrust", package_id):
            return await asyncio.to_thread(self.packages.trust, package_id, trusted, check)

    async def switch(
        self, package_id: str, on: bool, caller: Caller, choose: Callable[[str, bool], Awaitable[object]]
    ) -> None:
        """Turn a package on or off; ``choose`` is how the inventory takes a choice.

        Raises:
            NotInstalled. UsageError: what it asks for was not approved, or there is nothing to turn on.
        """
        async with self._noted(caller, "enable" if on else "disable", package_id):
            record, entry = await self.current(package_id)
            if record.kind == "web-app":
                await asyncio.to_thread(self.packages.switch_app, package_id, on)
                return
            if record.entry is None:
                raise UsageError(f"{package_id} has no desktop half. Turn its agent half on in Hermes itself.")
            if on:
                must_be_approved(record, entry.consent)
            await choose(package_id, on)

    async def uninstall(self, package_id: str, caller: Caller, *, purge: bool = False) -> Record:
        """Raises NotInstalled."""
        async with self._noted(caller, "purge" if purge else "uninstall", package_id):
            return await asyncio.to_thread(lambda: self.packages.uninstall(package_id, purge=purge))

    async def current(self, package_id: str) -> tuple[Record, Entry]:
        """Raises NotInstalled."""
        record = await asyncio.to_thread(self.packages.get, package_id)
        return record, await asyncio.to_thread(self.packages.entry, package_id)

    # ------------------------------------------------------------ what agents ask for

    async def ask(self, wanted: Wanted, by: Caller) -> Asked:
        """Queue it for a person. Raises TooManyWaiting."""
        asked = self.requests.ask(wanted, by)
        await self._keep()
        await self._note(by, wanted.action, wanted.id, "asked")
        return asked

    async def answer(self, number: int, yes: bool, caller: Caller) -> Record | None:
        """A person's answer; what stands there afterwards, None after a no.

        Raises:
            NoSuchRequest. Changed: it ends then, and has to be asked for anew. Whatever doing it raises.
        """
        with self.requests.answering(number) as asked:
            wanted = asked.wanted
            try:
                if not yes:
                    self.requests.settle(number, "refused")
                    await self._note(caller, wanted.action, wanted.id, "refused")
                    return None
                record = await self._carried_out(wanted, caller)
                self.requests.settle(number, "approved")
                return record
            except Changed:
                self.requests.settle(number, "changed")
                raise
            except LoaderError:
                self.requests.settle(number, "failed")
                raise
            finally:
                await self._keep()

    async def _carried_out(self, wanted: Wanted, caller: Caller) -> Record | None:
        if wanted.action == "install":
            return await self.install(wanted, caller)
        check = only(approval_digest, wanted.digest)
        return (await self.approve(wanted.id, wanted.grants or NOTHING, caller, check)).current

    async def _keep(self) -> None:
        """What waits, on the disk. Where that cannot be, the question stands as long as the service does."""
        async with self._keeping:
            try:
                await asyncio.to_thread(self._waiting.save, self.requests.kept())
            except LoaderError as error:
                _log.error("%s", error)

    # ------------------------------------------------------------ parts

    async def _fetched(self, wish: Wish, without: tuple[str, ...] | None, act: Callable[[Looked, bool, bool], T]) -> T:
        """Run ``act`` while what was fetched lies in the staging folder. One at a time."""
        if self._here >= _AT_ONCE:
            raise Busy(f"{_AT_ONCE} sources are being looked at already. Try again in a moment.")
        self._here += 1
        loop = asyncio.get_running_loop()

        def job() -> T:
            # With them come readers of archives and git, which a start has no need of.
            from loader.packages.looked import looked_at
            from loader.packages.probe import fetch, staging

            found = named(wish, self.packages.get)
            with staging(self._home) as place:
                arrived = fetch(found.source, place)
                # The analysis lives on the loop; the folder and its lock belong to this thread.
                left_out = found.without if without is None else without
                updates = wish.installed is not None
                looking = looked_at(self.packages, arrived, self._analyzer, left_out, updates=updates)
                looked = asyncio.run_coroutine_threadsafe(looking, loop).result()
                return act(looked, found.enable, found.force)

        try:
            async with self._turn:
                return await asyncio.to_thread(job)
        finally:
            self._here -= 1

    def _noted(self, caller: Caller, action: str, package_id: str) -> _Noted:
        return _Noted(self, caller, action, package_id)

    async def _note(self, caller: Caller, action: str, package_id: str, outcome: Outcome) -> None:
        try:
            await asyncio.to_thread(self.audit.note, caller, action, package_id, outcome)
        except LoaderError as error:  # what was done is done: nobody is helped by an answer that denies it
            _log.error("%s", error)


class _Noted:
    """A change, written down whatever comes of it, and seen by the service when it was made."""

    def __init__(self, control: Control, caller: Caller, action: str, package_id: str) -> None:
        self.id = package_id
        self._control = control
        self._caller = caller
        self._action = action

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None:
            await self._control._refresh()
        outcome: Outcome = "done" if error is None else outcome_of(error)
        await self._control._note(self._caller, self._action, self.id, outcome)


def approval_digest(record: Record) -> str:
    """What an approval is about: these bytes, asking for this."""
    asked = grants_json(record.requested)
    return "sha256:" + sha256(f"{record.id}\n{revision_of(record)}\n{asked}".encode()).hexdigest()
