"""The wall as the server has it: frames and who speaks for them, what app windows let plugins use, who hears what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias
from urllib.parse import quote, urlsplit

from loader.nouns import Json, PluginCaller, WalledChanged
from loader.packages.walled import Shelf, Walled
from loader.server.hub import Client
from loader.server.ports import CallShell, PipelinePort, PolicyPort
from loader.server.protocol import Notice
from loader.wall.bridge import Bridge, identity_of
from loader.wall.frames import Frame, Frames
from loader.wall.hosts import origin_of
from loader.wall.paths import TICKET
from loader.wall.results import refused
from loader.wall.shells import WallShells
from loader.wall.tools import announced

# A walled desktop plugin's ctx asks these of the policy, as any plugin does; a web app has the bridge alone.
DOORS = frozenset({"runAction", "listActions", "pet.say", "pet.clear"})

Announce: TypeAlias = Callable[[WalledChanged], None]


class Wall:
    """Lives on the event loop. ``announce`` is told of what every client shall hear."""

    def __init__(
        self,
        shelf: Shelf,
        call_shell: CallShell,
        pipeline: Callable[[], PipelinePort],
        policy: PolicyPort,
        announce: Announce,
    ) -> None:
        self.shelf = shelf
        self.shells = WallShells()
        self.frames = Frames(shelf, on_end=self._ended)
        self.bridge = Bridge(shelf, self.frames, self.shells, call_shell)
        self._pipeline = pipeline
        self._policy = policy
        self._announce = announce
        shelf.subscribe(self._changed)

    # ------------------------------------------------------------ app windows

    def shell_mounted(self, shell: str, focused: bool, tools: Json, offers: tuple[str, ...]) -> None:
        self.shells.mount(shell, focused=focused, tools=announced(tools), offers=frozenset(offers))

    # ------------------------------------------------------------ frames

    def open(self, plugin_id: str, port: int, ancestors: tuple[str, ...]) -> dict[str, Json] | None:
        """What the page that is to show the plugin needs; None when it is off or not there."""
        shown = self.shelf.get(plugin_id)
        if shown is not None and shown.url is not None and _port_of(shown.url) == port:
            # Our own page in that frame would have our own page's origin.
            return None
        opened = self.frames.open(plugin_id, ancestors)
        if opened is None:
            return None
        walled = opened.frame.walled
        url, origin = walled.url, origin_of(walled.host, port)
        if url is None:
            entry = "" if walled.kind == "desktop" else quote(walled.entry)
            url = f"{origin}/{entry}?{TICKET}={opened.ticket}"
        else:
            origin = _origin_of_url(url)
        return {
            "frame": opened.frame.id,
            "kind": walled.kind,
            "frame_url": url,
            "origin": origin,
            "token": opened.token,
            "identity": identity_of(walled),
            "revision": walled.revision,
        }

    def attach(self, token: str, client: Client) -> bool:
        """False when there is no such frame (any more), or another connection speaks for it."""
        frame = self.frames.who(token)
        return frame is not None and self.frames.attach(frame, client)

    async def call(self, client: Client, token: str, method: str, params: Json, call: str) -> Mapping[str, Json]:
        frame = self.frames.who(token)
        if frame is None or not self.frames.attach(frame, client):
            return refused("CLOSED", "this frame's authority has ended")
        if method in DOORS and frame.walled.kind == "desktop":
            return await self._door(frame.walled, method, params if isinstance(params, dict) else {})

        def on_text(text: str) -> None:
            client.send(Notice("wall/text", {"frame": frame.id, "call": call, "text": text}))

        return await self.bridge.call(token, method, params, call, on_text)

    def cancel(self, token: str, call: str) -> bool:
        frame = self.frames.who(token)
        return frame is not None and self.bridge.streams.cancel(frame, call)

    def close(self, token: str) -> None:
        frame = self.frames.who(token)
        if frame is not None:
            self.frames.end(frame, "closed")

    async def _door(self, walled: Walled, method: str, params: Mapping[str, Json]) -> Mapping[str, Json]:
        running = self._pipeline().running(walled.id)
        caller = PluginCaller(walled.id, running.revision if running else walled.revision, alive=running is not None)
        match method:
            case "runAction":
                return await self._policy.run_action(caller, params.get("action"))
            case "listActions":
                return {"actions": [dict(each) for each in self._policy.list_actions(caller)]}
            case "pet.say":
                options = {name: params[name] for name in ("id", "tone", "ttlMs", "call") if name in params}
                return self._policy.say(caller, params.get("text"), options)
        return self._policy.clear(caller, params.get("id"), params.get("call"))

    # ------------------------------------------------------------ changes

    def _changed(self, plugin_id: str) -> None:
        # Whether a plugin.js is walled is announced with its loads; this is for pages that show what stands there. They
        # hear of the new before the old one's frames end, so that they open anew what is there now.
        walled = self.shelf.get(plugin_id)
        self._announce(WalledChanged(plugin_id, None if walled is None else walled_json(walled)))
        self.frames.changed(plugin_id)

    def _ended(self, frame: Frame) -> None:
        self.bridge.streams.frame_ended(frame)
        if isinstance(frame.speaker, Client):
            told: dict[str, Json] = {"frame": frame.id, "plugin": frame.walled.id, "reason": frame.ended}
            frame.speaker.send(Notice("wall/closed", told))


def walled_json(walled: Walled) -> dict[str, Json]:
    """As ``GET /v1/wall`` and ``wall/changed`` show it."""
    return {
        "id": walled.id,
        "kind": walled.kind,
        "name": walled.name,
        "version": walled.version,
        "enabled": walled.enabled,
        "revision": walled.revision,
        "apis": [*sorted(walled.grants.apis)],
        "capabilities": [*sorted(walled.grants.capabilities)],
        "url": walled.url,
    }


def _port_of(url: str) -> int:
    return urlsplit(url).port or 80


def _origin_of_url(url: str) -> str:
    found = urlsplit(url)
    return f"{found.scheme}://{found.netloc}"
