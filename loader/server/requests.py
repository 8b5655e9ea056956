"""What clients send on ``/v1/events``: parsed here, once, from a hostile frame into typed values.

``decode`` and ``encode_request`` are inverse to each other for every call; what does not fit is a ``Malformed`` with
the JSON-RPC code and a line that names the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from loader.nouns import Json
from loader.server.control_requests import (
    ApprovePluginGrants,
    ControlCall,
    InstallPlugin,
    ListPlugins,
    OpenPluginTab,
    SetPluginEnabled,
    UninstallPlugin,
)
from loader.server.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
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
from loader.server.protocol import Answer, Failure

# Names that a shell announces end up in a shim module, errors in every row: both are bounded here.
NAMES_LIMIT = 5_000
NAME_LIMIT = 200
ERROR_TEXT_LIMIT = 4_000
TEXT_LIMIT = 4_096
LONGEST_WAIT_S = 300.0


@dataclass(frozen=True, slots=True)
class ShellMount:
    version: str
    focused: bool
    exports: Mapping[str, tuple[str, ...]] | None = None
    actions: tuple[str, ...] | None = None
    bundled: tuple[str, ...] = ()
    tools: Json = None
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShellFocus:
    focused: bool


@dataclass(frozen=True, slots=True)
class ShellUnmount:
    pass


@dataclass(frozen=True, slots=True)
class PluginReport:
    id: str
    revision: str
    outcome: Literal["loaded", "failed"]
    phase: Literal["import", "register", "render"]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ActionReport:
    plugin_token: str
    action: Json
    result: Json


@dataclass(frozen=True, slots=True)
class RunAction:
    plugin_token: str
    action: Json


@dataclass(frozen=True, slots=True)
class PetSay:
    """``options``: id, tone, ttlMs as the plugin gave them, ``call``, the face's mark. The policy judges them."""

    plugin_token: str
    text: Json
    options: Object


@dataclass(frozen=True, slots=True)
class PetClear:
    """One line, all of them (``line`` None), or only what the marked ``call`` made: a disposer's work."""

    plugin_token: str
    line: Json
    call: Json = None


@dataclass(frozen=True, slots=True)
class WallAttach:
    """The connection that speaks for a frame from now on."""

    frame_token: str


@dataclass(frozen=True, slots=True)
class WallCall:
    """A call over a frame's bridge. ``call`` is the caller's mark, for its text and for ``wall/cancel``."""

    frame_token: str
    method: str
    arguments: Json = None
    call: str = ""


@dataclass(frozen=True, slots=True)
class WallCancel:
    frame_token: str
    call: str


@dataclass(frozen=True, slots=True)
class WallClose:
    frame_token: str


@dataclass(frozen=True, slots=True)
class AiText:
    """What the model says in a stream that this shell was asked for."""

    stream: str
    text: str


@dataclass(frozen=True, slots=True)
class Reload:
    ids: tuple[str, ...] | None = None
    wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Ping:
    pass


Call: TypeAlias = (
    ShellMount
    | ShellFocus
    | ShellUnmount
    | PluginReport
    | ActionReport
    | RunAction
    | PetSay
    | PetClear
    | WallAttach
    | WallCall
    | WallCancel
    | WallClose
    | AiText
    | ControlCall
    | Reload
    | Ping
)


@dataclass(frozen=True, slots=True)
class Request:
    """``wants_answer`` is false for a JSON-RPC notification: it is carried out and not answered."""

    id: RequestId
    call: Call
    wants_answer: bool = True


Received: TypeAlias = Request | Answer | Failure


def decode(text: str) -> Received:
    """A client's frame: a request, or its answer to ``action/run``. Raises Malformed."""
    body = object_of(text)
    if "method" not in body and ("result" in body or "error" in body):
        error = body.get("error")
        if isinstance(error, dict):
            return Failure(id_of(body), INTERNAL_ERROR, str(error.get("message", ""))[:ERROR_TEXT_LIMIT])
        return Answer(id_of(body), body.get("result"))
    request_id = id_of(body)
    try:
        method = method_of(body)
        parse = METHODS.get(method)
        if parse is None:
            refuse(METHOD_NOT_FOUND, f"no method {method[:80]!r}")
        call = parse(_Fields(params_object(body)))
    except Malformed as malformed:
        malformed.id = request_id
        # Without a method it is no notification, but no request at all.
        malformed.wants_answer = "id" in body or not isinstance(body.get("method"), str)
        raise
    return Request(request_id, call, wants_answer="id" in body)


def encode_request(request: Request) -> str:
    """What a client sends (the CLI, tests): the inverse of ``decode``."""
    call = request.call
    params: dict[str, object] = {}
    for name in call.__dataclass_fields__:
        value = getattr(call, name)
        if name == "options":
            params.update(value)
        elif name == "line":
            params["id"] = value
        elif value is not None:
            params[name] = value
    body: dict[str, object] = {"method": CALL_METHODS[type(call)], "params": params}
    if request.wants_answer:
        body["id"] = request.id
    return frame(body)


class _Fields:
    """Reads the params of one request; each getter names the field it could not read."""

    def __init__(self, params: Mapping[str, Json]) -> None:
        self.params = params

    def text(self, name: str) -> str:
        value = self.params.get(name)
        if not isinstance(value, str):
            refuse(INVALID_PARAMS, f"{name} must be a string")
        return value

    def optional_text(self, name: str, limit: int) -> str | None:
        value = self.params.get(name)
        if value is not None and not isinstance(value, str):
            refuse(INVALID_PARAMS, f"{name} must be a string")
        return value[:limit] if value is not None else None

    def bounded(self, name: str) -> str | None:
        """A text that is refused, not cut, where it is too long: a cut address is another one."""
        value = self.params.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > TEXT_LIMIT):
            refuse(INVALID_PARAMS, f"{name} must be a string of at most {TEXT_LIMIT} characters")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self.params.get(name, default)
        if not isinstance(value, bool):
            refuse(INVALID_PARAMS, f"{name} must be true or false")
        return value

    def seconds(self, name: str) -> float:
        value = self.params.get(name)
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            refuse(INVALID_PARAMS, f"{name} must be a number of seconds, not negative")
        return float(min(value, LONGEST_WAIT_S))

    def phase(self) -> Literal["import", "register", "render"]:
        # A shell that only says "loaded" means that register() went through.
        found = self.choice("phase", "import", "register", "render") if "phase" in self.params else "register"
        return cast("Literal['import', 'register', 'render']", found)

    def any(self, name: str) -> Json:
        return self.params.get(name)

    def token(self) -> str:
        return self.text("plugin_token")

    def choice(self, name: str, *allowed: str) -> str:
        value = self.params.get(name)
        if not isinstance(value, str) or value not in allowed:
            refuse(INVALID_PARAMS, f"{name} must be one of {', '.join(allowed)}")
        return value

    def names(self, name: str) -> tuple[str, ...] | None:
        value = self.params.get(name)
        return None if value is None else _names(name, value)

    def names_by_module(self, name: str) -> dict[str, tuple[str, ...]] | None:
        value = self.params.get(name)
        if value is None:
            return None
        if not isinstance(value, dict) or len(value) > 100:
            refuse(INVALID_PARAMS, f"{name} must be an object of at most 100 lists of names")
        return {module: _names(f"{name}[{module[:80]!r}]", found) for module, found in value.items()}


def _names(field: str, value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > NAMES_LIMIT:
        refuse(INVALID_PARAMS, f"{field} must be a list of at most {NAMES_LIMIT} names")
    for name in value:
        if not isinstance(name, str) or len(name) > NAME_LIMIT:
            refuse(INVALID_PARAMS, f"{field} must hold strings of at most {NAME_LIMIT} characters")
    return tuple(cast("list[str]", value))


def _options_of(fields: _Fields) -> dict[str, Json]:
    return {name: fields.params[name] for name in ("id", "tone", "ttlMs", "call") if name in fields.params}


METHODS: dict[str, Callable[[_Fields], Call]] = {
    "shell/mount": lambda f: ShellMount(
        version=(f.optional_text("version", NAME_LIMIT) or ""),
        focused=f.flag("focused", False),
        exports=f.names_by_module("exports"),
        actions=f.names("actions"),
        bundled=f.names("bundled") or (),
        tools=f.any("tools"),
        offers=f.names("offers") or (),
    ),
    "shell/focus": lambda f: ShellFocus(f.flag("focused")),
    "shell/unmount": lambda _: ShellUnmount(),
    "plugin/report": lambda f: PluginReport(
        id=f.text("id"),
        revision=f.text("revision"),
        outcome=cast("Literal['loaded', 'failed']", f.choice("outcome", "loaded", "failed")),
        phase=f.phase(),
        error=f.optional_text("error", ERROR_TEXT_LIMIT),
    ),
    "action/report": lambda f: ActionReport(f.token(), f.any("action"), f.any("result")),
    "runAction": lambda f: RunAction(f.token(), f.any("action")),
    "pet.say": lambda f: PetSay(f.token(), f.any("text"), _options_of(f)),
    "pet.clear": lambda f: PetClear(f.token(), f.any("id"), f.any("call")),
    "wall/attach": lambda f: WallAttach(f.text("frame_token")),
    "wall/call": lambda f: WallCall(
        f.text("frame_token"), f.text("method"), f.any("arguments"), f.optional_text("call", NAME_LIMIT) or ""
    ),
    "wall/cancel": lambda f: WallCancel(f.text("frame_token"), f.text("call")),
    "wall/close": lambda f: WallClose(f.text("frame_token")),
    "ai/text": lambda f: AiText(f.text("stream"), f.text("text")),
    "list_plugins": lambda _: ListPlugins(),
    "install_plugin": lambda f: InstallPlugin(
        source=f.bounded("source"),
        path=f.bounded("path"),
        repository=f.bounded("repository"),
        link=f.bounded("link"),
        installed=f.bounded("installed"),
        ref=f.bounded("ref"),
        digest=f.bounded("digest") or "",
        force=f.flag("force", False),
        enable=f.flag("enable", False),
        apis=f.names("apis") or (),
        capabilities=f.names("capabilities") or (),
        without=f.names("without"),
    ),
    "approve_plugin_grants": lambda f: ApprovePluginGrants(
        f.text("id"), f.names("apis") or (), f.names("capabilities") or ()
    ),
    "set_plugin_enabled": lambda f: SetPluginEnabled(f.text("id"), f.flag("enabled")),
    "uninstall_plugin": lambda f: UninstallPlugin(f.text("id")),
    "open_plugin_tab": lambda f: OpenPluginTab(f.text("id")),
    "reload": lambda f: Reload(f.names("ids"), f.seconds("wait_s")),
    "ping": lambda _: Ping(),
}

CALL_METHODS: dict[type[Call], str] = {
    ShellMount: "shell/mount",
    ShellFocus: "shell/focus",
    ShellUnmount: "shell/unmount",
    PluginReport: "plugin/report",
    ActionReport: "action/report",
    RunAction: "runAction",
    PetSay: "pet.say",
    PetClear: "pet.clear",
    WallAttach: "wall/attach",
    WallCall: "wall/call",
    WallCancel: "wall/cancel",
    WallClose: "wall/close",
    AiText: "ai/text",
    ListPlugins: "list_plugins",
    InstallPlugin: "install_plugin",
    ApprovePluginGrants: "approve_plugin_grants",
    SetPluginEnabled: "set_plugin_enabled",
    UninstallPlugin: "uninstall_plugin",
    OpenPluginTab: "open_plugin_tab",
    Reload: "reload",
    Ping: "ping",
}
