"""The control plane as its faces see it: who may ask for what, and what is answered. HTTP and JSON-RPC only pass on.

What only a person may do (install, approve, trust, purge) is not done for whoever holds the endpoint's token alone: an
install or an approval is queued, and the answer says ``approval_required`` and where a person decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from loader.errors import NeedsPerson, UsageError
from loader.nouns import Json
from loader.packages.asking import Asked, Wanted
from loader.packages.audit import CALLERS, Caller
from loader.packages.control import Control, approval_digest
from loader.packages.grants import NOTHING, Grants, approved
from loader.packages.install import only
from loader.packages.record import Record, grants_json
from loader.packages.refused import NotInstalled
from loader.packages.standings import Standing, Standings, revision_of
from loader.packages.waiting import may_be_kept
from loader.packages.walled import Shelf
from loader.packages.wishes import Wish
from loader.reports.package_data import looked_json, origin_json, package_json, tab_path
from loader.reports.shape import JsonObject, plugin_json
from loader.server.control_requests import (
    ApprovePluginGrants,
    ControlCall,
    InstallPlugin,
    ListPlugins,
    OpenPluginTab,
    SetPluginEnabled,
    UninstallPlugin,
)
from loader.server.ports import PipelinePort
from loader.server.sessions import Caller as Credential
from loader.server.sessions import Person


class ApprovalAsked(NeedsPerson):
    """It waits for a person now. ``told`` is the answer: which request, about what, and where it is decided."""

    def __init__(self, told: JsonObject) -> None:
        super().__init__(str(told["message"]))
        self.told = told


class Controlling:
    """Lives on the event loop. LoaderErrors are for whoever asked."""

    def __init__(
        self,
        control: Control,
        standings: Standings,
        shelf: Shelf,
        pipeline: Callable[[], PipelinePort],
    ) -> None:
        self.control = control
        self._standings = standings
        self._shelf = shelf
        self._pipeline = pipeline

    async def carry_out(self, credential: Credential | None, call: ControlCall) -> JsonObject:
        """A call on ``/v1/events``. What waits for a person is an answer here, not an error."""
        caller, by_person = caller_of(credential, None), is_person(credential)
        try:
            match call:
                case ListPlugins():
                    return self.list_plugins()
                case InstallPlugin():
                    return await self.install_plugin(caller, _wanted(call), by_person=by_person)
                case ApprovePluginGrants():
                    grants = Grants(frozenset(call.apis), frozenset(call.capabilities))
                    return await self.approve_plugin_grants(caller, call.id, grants, by_person=by_person)
                case SetPluginEnabled():
                    return await self.set_plugin_enabled(caller, call.id, call.enabled)
                case UninstallPlugin():
                    return await self.uninstall_plugin(caller, call.id)
                case OpenPluginTab():
                    return self.open_plugin_tab(call.id)
        except ApprovalAsked as asked:
            return asked.told
        assert_never(call)

    # ------------------------------------------------------------ looking

    def list_plugins(self) -> JsonObject:
        """``{"plugins": [row…], "packages": [package…]}``: what the inventory holds, and what was installed."""
        return {"plugins": [plugin_json(row) for row in self._pipeline().plugins()], "packages": self.packages()}

    def packages(self) -> list[Json]:
        """What was installed from elsewhere, by id."""
        return [self._package(standing) for _, standing in sorted(self._standings.by_id().items())]

    def package(self, package_id: str) -> JsonObject:
        """Raises NotInstalled."""
        standing = self._standings.by_id().get(package_id)
        if standing is None:
            raise NotInstalled(f"'{package_id[:80]}' was not installed by this program.")
        return self._package(standing)

    async def probe(self, wish: Wish, without: tuple[str, ...] | None = None) -> JsonObject:
        """All that there is to know before saying yes, and the ``digest`` to say it about."""
        looked, enable, force = await self.control.look(wish, without)
        return looked_json(looked) | {"wishes": {"enable": enable, "force": force}}

    # ------------------------------------------------------------ changing

    async def install_plugin(self, caller: Caller, wanted: Wanted, *, by_person: bool) -> JsonObject:
        """A person's yes to what a probe showed (``wanted.digest``); anybody else is told what waits for a person.

        Raises:
            ApprovalAsked. UsageError, Changed, Busy: as they come.
        """
        assert wanted.wish is not None  # noqa: S101 - both faces make one
        if by_person:
            if not wanted.digest:
                raise UsageError("probe it first, and send the digest of what was shown.")
            record = await self.control.install(wanted, caller)
            return self._installed(record)
        from loader.packages.looked import must_be_installable  # with it comes all that looks at sources

        looked, _, _ = await self.control.look(wanted.wish, wanted.without)
        updates = wanted.wish.installed
        must_be_installable(looked, replace=wanted.force or updates is not None, updates=updates)
        if looked.probe.stops:
            raise UsageError(f"{looked.probe.id} has errors and would not load, so it is not installed.")
        if wanted.digest not in ("", looked.digest):
            raise UsageError("the digest is not that of what lies there now. Probe it again.")
        probe = looked_json(looked)
        # What a person is shown is all that it would have: what stays approved, and what is asked for besides.
        more = wanted.grants or NOTHING
        more = approved(looked.probe.requested, more.apis, more.capabilities)
        asked = Wanted(
            "install",
            looked.probe.id,
            looked.digest,
            wanted.wish,
            probe,
            Grants(looked.keeps.apis | more.apis, looked.keeps.capabilities | more.capabilities),
            wanted.force,
            wanted.enable,
            looked.probe.without,
            lasts=may_be_kept(looked.probe.arrived.source, probe),
        )
        raise ApprovalAsked(self._asked_json(await self.control.ask(asked, caller)))

    async def approve_plugin_grants(
        self, caller: Caller, package_id: str, grants: Grants, *, by_person: bool, revision: str | None = None
    ) -> JsonObject:
        """``revision``: only while it is still this one. Raises ApprovalAsked, NotInstalled, Changed, UsageError."""
        record, _ = await self.control.current(package_id)
        given = approved(record.requested, grants.apis, grants.capabilities)
        # To allow less needs nobody's leave.
        if by_person or not given:
            await self.control.approve(package_id, grants, caller, only(revision_of, revision))
            return self.package(package_id)
        wanted = Wanted("approve", package_id, approval_digest(record), grants=given)
        raise ApprovalAsked(self._asked_json(await self.control.ask(wanted, caller)))

    async def trust(
        self, caller: Caller, package_id: str, trusted: bool, *, by_person: bool, revision: str | None = None
    ) -> JsonObject:
        """``revision``: only while it is still this one. Raises NeedsPerson, NotInstalled, Changed, UsageError."""
        if trusted and not by_person:
            raise NeedsPerson(f"only a person may let {package_id} run without the wall: hermes-desktop trust")
        await self.control.trust(package_id, trusted, caller, only(revision_of, revision))
        return self.package(package_id)

    async def set_plugin_enabled(self, caller: Caller, name: str, enabled: bool) -> JsonObject:
        """What was installed, or any plugin of the inventory. The row, or the package where it has none."""
        pipeline = self._pipeline()
        if name in self._standings.by_id():
            await self.control.switch(name, enabled, caller, pipeline.set_choice)
            return self.package(name)
        return plugin_json(await pipeline.set_choice(name, enabled))

    async def uninstall_plugin(
        self, caller: Caller, package_id: str, *, purge: bool = False, by_person: bool = False
    ) -> JsonObject:
        """Raises NeedsPerson for a purge that nobody's hand asked for; NotInstalled."""
        if purge and not by_person:
            raise NeedsPerson(f"only a person may remove what {package_id} stored. Uninstall it without purge.")
        record = await self.control.uninstall(package_id, caller, purge=purge)
        return {"id": record.id, "uninstalled": True, "purged": purge}

    def open_plugin_tab(self, package_id: str) -> JsonObject:
        """Where a person sees its tab: ``url`` is a path of the page. Raises NotInstalled, UsageError."""
        walled = self._shelf.get(package_id)
        if walled is None:
            self.package(package_id)
            raise UsageError(f"{package_id} does not run behind the wall: the app shows it.")
        if not walled.enabled:
            raise UsageError(f"{package_id} is off. Turn it on first: hermes-desktop enable {package_id}")
        return {"id": package_id, "url": tab_path(walled, self._pipeline().find(package_id))}

    # ------------------------------------------------------------ what agents asked for

    def requests(self) -> list[Json]:
        """What waits for a person, oldest first, each with all that there is to know."""
        return [self._asked_json(asked) for asked in self.control.requests.waiting()]

    def request_state(self, number: int) -> JsonObject:
        """Raises NoSuchRequest."""
        return {"request": number, "state": self.control.requests.state(number)}

    async def answer(self, number: int, yes: bool) -> JsonObject:
        """A person's answer. Raises NoSuchRequest, Changed, and whatever doing it raises."""
        record = await self.control.answer(number, yes, "person")
        told = self.request_state(number)
        return told | ({"package": self._installed(record)} if record is not None else {})

    # ------------------------------------------------------------ shapes

    def _asked_json(self, asked: Asked) -> JsonObject:
        wanted = asked.wanted
        verb = "installed" if wanted.action == "install" else "granted what it asks for"
        told: JsonObject = {
            "approval_required": True,
            "request": asked.number,
            "action": wanted.action,
            "id": wanted.id,
            "digest": wanted.digest,
            "grants": grants_json(wanted.grants or NOTHING),
            "enable": wanted.enable,
            "force": wanted.force,
            "without": [*(wanted.without or ())],
            "by": asked.by,
            "expires_in_s": round(self.control.requests.expires_in_s(asked), 1),
            "message": f"Only a person may decide that '{wanted.id}' is {verb}: on the page (hermes-desktop open).",
            "approval_endpoint": f"/v1/packages/requests/{asked.number}",
        }
        if wanted.probe is not None:
            told["probe"] = wanted.probe
        return told

    def _installed(self, record: Record) -> JsonObject:
        standing = self._standings.by_id().get(record.id)
        return self._package(standing) if standing is not None else {"id": record.id, "origin": origin_json(record)}

    def _package(self, standing: Standing) -> JsonObject:
        row = self._pipeline().find(standing.id) if standing.path is not None else None
        return package_json(standing, self._shelf.get(standing.id), row)


def _wanted(call: InstallPlugin) -> Wanted:
    return Wanted(
        "install",
        "",
        call.digest,
        Wish(call.source, call.path, call.repository, call.link, call.installed, call.ref),
        grants=Grants(frozenset(call.apis), frozenset(call.capabilities)),
        force=call.force,
        enable=call.enable,
        without=call.without,
    )


def is_person(credential: Credential | None) -> bool:
    return isinstance(credential, Person)


def caller_of(credential: Credential | None, said: str | None) -> Caller:
    """For the log: ``said`` is a tool's word about itself, and counts for no more than that."""
    if is_person(credential):
        return "person"
    return next((caller for caller in CALLERS if caller == said and caller != "person"), "tool")
