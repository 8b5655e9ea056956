"""What the service sends on ``/v1/events``: a closed union of messages (protocol.md, "WebSocket").

``encode`` and ``decode_sent`` are inverse to each other for every message; what clients send stands in
``loader.server.requests``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

from loader.nouns import Json, LoadReason, LogLevel, UnloadReason
from loader.server.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Malformed,
    Object,
    RequestId,
    frame,
    id_of,
    method_of,
    object_of,
    params_object,
    refuse,
)

PROTOCOL_VERSION = 1
SUBPROTOCOL = "hermes-plugins.v1"


# ---------------------------------------------------------------- server to client


@dataclass(frozen=True, slots=True)
class Hello:
    """Always the first frame. ``plugins`` is None when what was missed follows instead (``resumed``).

    ``actions`` and ``pet`` are the tables of the host policy as they stand, so that a client that lost events
    (a full queue) needs no second question; None when ``resumed``.
    """

    version: str
    root: str
    home: str
    instance: str
    seq: int
    resumed: bool
    plugins: tuple[Object, ...] | None
    actions: tuple[Object, ...] | None = None
    pet: Object | None = None


@dataclass(frozen=True, slots=True)
class PluginLoad:
    seq: int
    """``frame``: it runs behind the wall only; ``module_url`` and ``plugin_token`` are None then, so that a shell that
    does not know of walls loads nothing."""

    row: Object
    module_url: str | None
    plugin_token: str | None
    imports: tuple[Object, ...]
    reason: LoadReason
    frame: Object | None = None


@dataclass(frozen=True, slots=True)
class PluginUnload:
    seq: int
    id: str
    revision: str
    reason: UnloadReason


@dataclass(frozen=True, slots=True)
class PluginFailure:
    seq: int
    row: Object
    running_revision: str | None


@dataclass(frozen=True, slots=True)
class PluginChange:
    """``removed``: the file is gone for good, and the row with it."""

    seq: int
    row: Object
    removed: bool = False


@dataclass(frozen=True, slots=True)
class PolicyActions:
    seq: int
    actions: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class PetLines:
    seq: int
    lines: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Log:
    seq: int
    level: LogLevel
    plugin: str | None
    text: str


@dataclass(frozen=True, slots=True)
class PluginPush:
    """What a plugin's backend says to every window; its method is ``plugin.<plugin>.<event>``."""

    seq: int
    plugin: str
    event: str
    payload: Object


@dataclass(frozen=True, slots=True)
class WallChange:
    """``app`` is None when nothing stands behind the wall under this id any more."""

    seq: int
    id: str
    app: Object | None


@dataclass(frozen=True, slots=True)
class PackageRequests:
    """How many requests wait for a person (``GET /v1/packages/requests``)."""

    seq: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Said to one client alone (``wall/text``, ``wall/closed``): no event, takes no number, is never replayed."""

    method: str
    params: Object


@dataclass(frozen=True, slots=True)
class CallShell:
    """A request to one shell (``action/run``): no event, takes no number, is never replayed."""

    id: str
    method: str
    params: Object


@dataclass(frozen=True, slots=True)
class Answer:
    id: RequestId
    result: Json


@dataclass(frozen=True, slots=True)
class Failure:
    id: RequestId
    code: int
    message: str


Numbered: TypeAlias = (
    PluginLoad
    | PluginUnload
    | PluginFailure
    | PluginChange
    | PolicyActions
    | PetLines
    | WallChange
    | PackageRequests
    | Log
    | PluginPush
)  # the events of the ring
Sent: TypeAlias = Hello | Numbered | Notice | CallShell | Answer | Failure

NOTIFICATIONS: dict[str, type[Hello] | type[Numbered]] = {
    "hello": Hello,
    "plugin/load": PluginLoad,
    "plugin/unload": PluginUnload,
    "plugin/failed": PluginFailure,
    "plugin/changed": PluginChange,
    "policy/actions": PolicyActions,
    "pet/lines": PetLines,
    "wall/changed": WallChange,
    "packages/requests": PackageRequests,
    "log": Log,
}
NOTICES = frozenset({"wall/text", "wall/closed"})
METHOD_OF = {kind: method for method, kind in NOTIFICATIONS.items()}
PUSHED = "plugin."


def encode(message: Sent) -> str:
    match message:
        case Answer():
            body: dict[str, object] = {"id": message.id, "result": message.result}
        case Failure():
            body = {"id": message.id, "error": {"code": message.code, "message": message.message}}
        case CallShell():
            body = {"id": message.id, "method": message.method, "params": message.params}
        case Notice():
            body = {"method": message.method, "params": message.params}
        case _:
            body = {"method": _method_of(message), "params": _params_of(message)}
    return frame(body)


def _method_of(message: Hello | Numbered) -> str:
    if isinstance(message, PluginPush):
        return f"{PUSHED}{message.plugin}.{message.event}"
    return METHOD_OF[type(message)]


def _params_of(message: Hello | Numbered) -> dict[str, object]:
    params: dict[str, object] = {"protocol": PROTOCOL_VERSION} if isinstance(message, Hello) else {}
    for name in message.__dataclass_fields__:
        params[name] = getattr(message, name)
    if isinstance(message, PluginChange) and not message.removed:
        del params["removed"]
    if isinstance(message, PluginLoad) and message.frame is None:
        del params["frame"]
    return params


def decode_sent(text: str) -> Sent:
    """What a client reads. Raises Malformed when the frame is none of ours."""
    body = object_of(text)
    if "method" not in body:
        if "error" in body:
            error = body["error"]
            if not isinstance(error, dict):
                refuse(INVALID_REQUEST, "error is no object")
            return Failure(id_of(body), cast("int", error.get("code")), str(error.get("message")))
        return Answer(id_of(body), body.get("result"))
    method, params = method_of(body), params_object(body)
    if "id" in body:
        return CallShell(str(body["id"]), method, params)
    if method in NOTICES:
        return Notice(method, params)
    kind = PluginPush if method.startswith(PUSHED) else NOTIFICATIONS.get(method)
    if kind is None:
        refuse(METHOD_NOT_FOUND, f"{method!r} is no notification of this protocol")
    known = {name: _frozen(value) for name, value in params.items() if name in kind.__dataclass_fields__}
    try:
        return kind(**known)  # type: ignore[arg-type]  # the fields come from our own encode
    except TypeError as error:
        raise Malformed(INVALID_PARAMS, f"{method}: {error}") from error


def _frozen(value: Json) -> object:
    return tuple(value) if isinstance(value, list) else value
