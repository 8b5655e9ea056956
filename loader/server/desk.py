"""Carries out what clients ask for over ``/v1/events``: each call of ``requests.Call`` has its method here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from loader.errors import LoaderError
from loader.nouns import Json, PluginCaller
from loader.reports.shape import plain
from loader.server.control_requests import (
    ApprovePluginGrants,
    InstallPlugin,
    ListPlugins,
    OpenPluginTab,
    SetPluginEnabled,
    UninstallPlugin,
)
from loader.server.controlling import Controlling
from loader.server.hub import Client, Hub
from loader.server.jsonrpc import BUSY, INTERNAL_ERROR, METHOD_NOT_FOUND, NOT_MOUNTED, REFUSED, UNKNOWN_TOKEN, Malformed
from loader.server.ports import PipelinePort, PolicyPort
from loader.server.protocol import Answer, Failure
from loader.server.reloading import reload_rows
from loader.server.requests import (
    ActionReport,
    AiText,
    Call,
    PetClear,
    PetSay,
    Ping,
    PluginReport,
    Reload,
    Request,
    RunAction,
    ShellFocus,
    ShellMount,
    ShellUnmount,
    WallAttach,
    WallCall,
    WallCancel,
    WallClose,
)
from loader.server.sessions import Credentials
from loader.server.shims import ExportNames
from loader.server.wall import Wall

log = logging.getLogger(__name__)


class Desk:
    def __init__(
        self,
        hub: Hub,
        pipeline: PipelinePort,
        policy: PolicyPort,
        credentials: Credentials,
        exports: ExportNames,
        wall: Wall,
        controlling: Controlling | None = None,
    ) -> None:
        self._hub = hub
        self._pipeline = pipeline
        self._policy = policy
        self._credentials = credentials
        self._exports = exports
        self._wall = wall
        self._controlling = controlling

    async def handle(self, client: Client, request: Request) -> None:
        """Carry it out and queue the answer. Never raises for what a client asked."""
        answer: Answer | Failure
        try:
            answer = Answer(request.id, plain(await self._carry_out(client, request.call)))
        except Malformed as refused:
            answer = Failure(request.id, refused.code, str(refused))
        except LoaderError as error:
            answer = Failure(request.id, REFUSED, str(error))
        except Exception as error:  # a bug behind one call must not cost a shell its connection
            log.error("%s failed", type(request.call).__name__, exc_info=error)
            answer = Failure(request.id, INTERNAL_ERROR, "see the service's log")
        if request.wants_answer:
            client.send(answer)

    async def _carry_out(self, client: Client, call: Call) -> Json | Mapping[str, Json]:
        match call:
            case Ping():
                return {"ok": True}
            case ShellMount():
                return self._mount(client, call)
            case ShellFocus():
                self._policy.shell_focused(_shell_of(client), call.focused)
                self._wall.shells.focus(_shell_of(client), call.focused)
                return {"ok": True}
            case ShellUnmount():
                self.leave(client)
                return {"ok": True}
            case PluginReport():
                self._pipeline.report(_shell_of(client), call.id, call.revision, call.outcome, call.error, call.phase)
                return {"ok": True}
            case ActionReport():
                self._policy.report_action(self._caller(call.plugin_token), call.action, call.result)
                return {"ok": True}
            case RunAction():
                return await self._policy.run_action(self._caller(call.plugin_token), call.action)
            case PetSay():
                return self._policy.say(self._caller(call.plugin_token), call.text, call.options)
            case PetClear():
                return self._policy.clear(self._caller(call.plugin_token), call.line, call.call)
            case WallAttach():
                return {"ok": self._wall.attach(call.frame_token, client)}
            case WallCall():
                return await self._wall.call(client, call.frame_token, call.method, call.arguments, call.call)
            case WallCancel():
                return {"ok": self._wall.cancel(call.frame_token, call.call)}
            case WallClose():
                self._wall.close(call.frame_token)
                return {"ok": True}
            case AiText():
                return {"ok": self._wall.bridge.streams.text(_shell_of(client), call.stream, call.text)}
            case (
                ListPlugins()
                | InstallPlugin()
                | ApprovePluginGrants()
                | SetPluginEnabled()
                | UninstallPlugin()
                | OpenPluginTab()
            ):
                if self._controlling is None:
                    raise Malformed(METHOD_NOT_FOUND, "this service installs nothing")
                return await self._controlling.carry_out(client.credential, call)
            case Reload():
                return {"plugins": await reload_rows(self._pipeline, call.ids, call.wait_s)}
        assert_never(call)

    def _mount(self, client: Client, call: ShellMount) -> Json:
        """Mounting again on the same connection brings the shell's announcements up to date."""
        shell = client.shell = client.shell or self._hub.new_shell_id()
        self._exports.announce(shell, call.exports)
        self._pipeline.shell_mounted(shell, call.version, call.exports, call.bundled)
        self._policy.shell_mounted(shell, call.focused, call.actions)
        self._wall.shell_mounted(shell, call.focused, call.tools, call.offers)
        return {"shell": shell, "actions": plain(self._policy.action_table())}

    def leave(self, client: Client) -> None:
        """The shell unmounts, or its connection is gone. Nothing happens for a client that never mounted."""
        # Whose page is gone has no frames; one that only unmounts speaks for them again with its next call.
        self._wall.frames.detach(client)
        shell, client.shell = client.shell, None
        if shell is None:
            return
        self._wall.shells.unmount(shell)
        client.end_calls("the shell has left")
        self._exports.announce(shell, None)
        self._policy.shell_unmounted(shell)
        self._pipeline.shell_gone(shell)

    def too_many(self, request: Request, limit: int) -> Answer | Failure:
        """The answer to a call that may not wait beside so many others. A refused action is a value, as ever."""
        try:
            if isinstance(request.call, RunAction):
                caller = self._caller(request.call.plugin_token)
                return Answer(request.id, plain(self._policy.turn_away(caller, request.call.action)))
        except Malformed as refused:
            return Failure(request.id, refused.code, str(refused))
        return Failure(request.id, BUSY, f"more than {limit} such calls at a time")

    def _caller(self, plugin_token: str) -> PluginCaller:
        caller = self._credentials.plugin(plugin_token)
        if caller is None:
            raise Malformed(UNKNOWN_TOKEN, "unknown plugin token")
        return caller


def _shell_of(client: Client) -> str:
    if client.shell is None:
        raise Malformed(NOT_MOUNTED, "send shell/mount first")
    return client.shell


class Aside:
    """The calls of one client that run beside its reader: an action may ask the very shell whose frames it reads on.

    Therefore the reader never waits here; a call over the limit is turned away.
    """

    LIMITS: Mapping[type[Call], int] = MappingProxyType(
        {
            RunAction: 256,
            WallCall: 256,
            Reload: 8,
            InstallPlugin: 4,
            ApprovePluginGrants: 16,
            SetPluginEnabled: 16,
            UninstallPlugin: 16,
        }
    )

    def __init__(self, desk: Desk, client: Client) -> None:
        self._desk = desk
        self._client = client
        self._tasks: dict[asyncio.Task[None], type[Call]] = {}

    async def handle(self, request: Request) -> None:
        """Calls that take no time are carried out before this returns, so that they keep their order."""
        kind = type(request.call)
        limit = self.LIMITS.get(kind)
        if limit is None:
            await self._desk.handle(self._client, request)
        elif sum(running is kind for running in self._tasks.values()) >= limit:
            answer = self._desk.too_many(request, limit)
            if request.wants_answer:
                self._client.send(answer)
        else:
            task = asyncio.create_task(self._desk.handle(self._client, request))
            self._tasks[task] = kind
            task.add_done_callback(self._tasks.pop)

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
