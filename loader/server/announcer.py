"""Turns what happens into messages, and hands out what a shell needs to act on them: module URL and plugin token.

Each running revision holds one grant (a capability and a token), made when it is first announced and dead the moment
it is unloaded or replaced. The grant is the same for every client, so a message is written once for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never
from urllib.parse import quote

from loader.nouns import (
    ActionsChanged,
    BackendEvent,
    Event,
    ImportRef,
    Json,
    Logged,
    PetLinesChanged,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginUnloaded,
    PolicyEvent,
    RequestsChanged,
    Running,
    WalledChanged,
)
from loader.reports.shape import JsonObject, plain, plugin_json
from loader.server.capabilities import Capabilities, module_path
from loader.server.ports import PipelinePort, PolicyPort
from loader.server.protocol import (
    Hello,
    Log,
    Numbered,
    PackageRequests,
    PetLines,
    PluginChange,
    PluginFailure,
    PluginLoad,
    PluginPush,
    PluginUnload,
    PolicyActions,
    WallChange,
)
from loader.server.sessions import Credentials


@dataclass(frozen=True, slots=True)
class About:
    """Who serves: what ``hello`` and ``/v1/health`` say. ``instance`` is new at each start.

    ``rule`` says what chose the home, ``where`` which process this is: links of the doctor's chain.
    """

    version: str
    root: str
    home: str
    instance: str
    rule: str = ""
    where: str = "this service"


@dataclass(frozen=True, slots=True)
class Granted:
    """``capability`` and ``token`` are None for what runs behind the wall: nobody loads it into a page's own realm,
    and its policy calls go through its frame."""

    revision: str
    capability: str | None
    token: str | None

    @property
    def module_url(self) -> str | None:
        return None if self.capability is None else module_path(self.capability)


class Announcer:
    def __init__(
        self,
        about: About,
        credentials: Credentials,
        capabilities: Capabilities,
        pipeline: Callable[[], PipelinePort],
        policy: Callable[[], PolicyPort],
    ) -> None:
        """``pipeline`` and ``policy`` are asked late: both are made with a way to publish, which needs this first."""
        self.about = about
        self._credentials = credentials
        self._capabilities = capabilities
        self._pipeline = pipeline
        self._policy = policy
        self._granted: dict[str, Granted] = {}

    def message(self, event: Event | PolicyEvent | BackendEvent, seq: int) -> Numbered:
        match event:
            case PluginLoaded():
                granted = self._grant_anew(event.running)
                row = plugin_json(event.plugin)
                imports = _imports_json(event.running.imports)
                frame = _frame_json(event.running)
                return PluginLoad(seq, row, granted.module_url, granted.token, imports, event.reason, frame)
            case PluginUnloaded():
                self._end(event.id, event.revision)
                return PluginUnload(seq, event.id, event.revision, event.reason)
            case PluginFailed():
                return PluginFailure(seq, plugin_json(event.plugin), event.running_revision)
            case PluginChanged():
                return PluginChange(seq, plugin_json(event.plugin), event.removed)
            case ActionsChanged():
                return PolicyActions(seq, _objects(event.actions))
            case PetLinesChanged():
                return PetLines(seq, _objects(event.lines))
            case WalledChanged():
                return WallChange(seq, event.id, None if event.app is None else _object(event.app))
            case RequestsChanged():
                return PackageRequests(seq, event.waiting)
            case Logged():
                return Log(seq, event.level, event.plugin, event.text)
            case BackendEvent():
                return PluginPush(seq, event.plugin, event.event, _object(event.payload))
        assert_never(event)

    def hello(self, seq: int) -> Hello:
        """A snapshot of this very moment; ``seq`` is the last event it holds."""
        about, policy = self.about, self._policy()
        return Hello(
            version=about.version,
            root=about.root,
            home=about.home,
            instance=about.instance,
            seq=seq,
            resumed=False,
            plugins=tuple(self._entry(plugin) for plugin in self._pipeline().plugins()),
            actions=_objects(policy.action_table()),
            pet=_object(policy.pet()),
        )

    def resumed(self, seq: int) -> Hello:
        """``seq`` is the one that the client named: what it missed follows, one by one."""
        about = self.about
        return Hello(about.version, about.root, about.home, about.instance, seq, resumed=True, plugins=None)

    def _entry(self, plugin: Plugin) -> JsonObject:
        running = self._pipeline().running(plugin.id)
        entry: JsonObject = {"row": plugin_json(plugin), "module_url": None, "plugin_token": None, "imports": []}
        if running is not None and running.key == plugin.key:
            granted = self._grant(running)
            entry |= {
                "module_url": granted.module_url,
                "plugin_token": granted.token,
                "imports": list(_imports_json(running.imports)),
            }
            frame = _frame_json(running)
            if frame is not None:
                entry["frame"] = frame
        return entry

    def _grant(self, running: Running) -> Granted:
        granted = self._granted.get(running.id)
        # A trust that was given or taken back is another grant, though the bytes are the same.
        if granted is not None and granted.revision == running.revision and (granted.token is None) == running.walled:
            return granted
        return self._grant_anew(running)

    def _grant_anew(self, running: Running) -> Granted:
        old = self._granted.get(running.id)
        if old is not None:
            self._end(running.id, old.revision)
        granted = Granted(
            running.revision,
            None if running.walled else self._capabilities.grant(running.id, running.revision),
            None if running.walled else self._credentials.mint(running.id, running.revision),
        )
        self._granted[running.id] = granted
        return granted

    def _end(self, plugin: str, revision: str) -> None:
        granted = self._granted.get(plugin)
        if granted is None or granted.revision != revision:
            return
        del self._granted[plugin]
        if granted.capability is not None:
            self._capabilities.revoke(granted.capability)
        if granted.token is not None:
            self._credentials.retire(granted.token)
        # Not at once: clearing its lines publishes an event, which must not come between an unload and its load.
        asyncio.get_running_loop().call_soon(self._policy().token_died, plugin, revision)


def _frame_json(running: Running) -> JsonObject | None:
    """Where a shell asks for the frame of what runs behind the wall; None for what is loaded by ``module_url``."""
    return {"open": f"/v1/wall/{quote(running.id, safe='')}/frames"} if running.walled else None


def _imports_json(imports: tuple[ImportRef, ...]) -> tuple[JsonObject, ...]:
    return tuple(
        {"specifier": found.specifier, "kind": found.kind, "start": found.start, "end": found.end} for found in imports
    )


def _object(value: Mapping[str, Json]) -> JsonObject:
    return {key: plain(inner) for key, inner in value.items()}


def _objects(values: Iterable[Mapping[str, Json]]) -> tuple[JsonObject, ...]:
    return tuple(_object(value) for value in values)
