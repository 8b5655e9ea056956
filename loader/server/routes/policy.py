"""The host policy over HTTP: actions, the pet, notifications, prompts, directives, and who asked for what.

A refusal is a value with status 200. Which plugin calls is what the credential says; the path only has to agree.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from loader.nouns import PluginCaller
from loader.reports.shape import plain
from loader.server.json_answer import JsonAnswer
from loader.server.parts import CallerHere, Parts, PartsHere, plugin_of
from loader.server.problem_kinds import INVALID, NOT_YOURS, UNKNOWN_PLUGIN
from loader.server.problems import documented
from loader.server.routes.plugins import PluginName
from loader.server.sessions import Caller

router = APIRouter(tags=["policy"])
PLUGIN_PROBLEMS = documented(UNKNOWN_PLUGIN, NOT_YOURS, INVALID)


# ---------------------------------------------------------------- what comes


class ActionWish(BaseModel):
    action: Any = Field(None, description="an action's id; anything else is unknown", examples=["nav.settings"])


class LineWish(BaseModel):
    """Values of any kind: the policy judges them and answers with a reason."""

    text: Any = Field(None, examples=["Build done"])
    id: Any = Field(None, description="the same id again replaces the line", examples=["ci"])
    tone: Any = Field(None, examples=["wait"])
    ttlMs: Any = Field(None, examples=[6000])
    call: Any = Field(None, description="the caller's own mark, for clearing what this very call made")


class PetState(BaseModel):
    visible: StrictBool | None = Field(None, description="absent: as it was", examples=[True])
    core_status: Literal["idle", "error", "waiting"] | None = Field(None, examples=["idle"])


class NotificationWish(BaseModel):
    model_config = ConfigDict(extra="allow")

    title: Any = Field(None, examples=["Build done"])
    body: Any = Field(None, examples=["3 warnings"])
    silent: Any = Field(None, examples=[False])
    activate: Any = Field(None, description="a route: hermes://…, a path, or {path}", examples=["hermes://cron"])


class NotificationSwitch(BaseModel):
    enabled: StrictBool = Field(description="the user's switch on this device", examples=[True])


class PromptWish(BaseModel):
    text: Any = Field(None, examples=["Explain this chart"])


class ParagraphWish(BaseModel):
    text: Any = Field(None, description="one whole paragraph", examples=['::card{title="Hello"}'])


# ---------------------------------------------------------------- what goes


class Outcome(BaseModel):
    """``{"ok": true, …}``, or ``{"ok": false, "reason", "error"?}``."""

    model_config = ConfigDict(extra="allow")

    ok: bool = Field(examples=[False])
    reason: str | None = Field(None, examples=["denied"])
    error: str | None = Field(None, examples=["'session.archive' is not available to plugins. …"])


class ActionRow(BaseModel):
    id: str = Field(examples=["nav.settings"])
    label: str = Field(examples=["Open settings"])
    category: str = Field(examples=["navigation"])


class ActionVerdict(ActionRow):
    verdict: Literal["ok", "denied", "unavailable"] = Field(examples=["ok"])


class ActionList(BaseModel):
    actions: list[ActionRow]


class ActionTable(BaseModel):
    actions: list[ActionVerdict]


class LineRow(BaseModel):
    plugin: str = Field(examples=["clock"])
    id: str = Field(examples=["ci"])
    label: str = Field(examples=["Clock"])
    text: str = Field(examples=["Build done"])
    tone: Literal["info", "wait", "warn", "error"] = Field(examples=["info"])
    expires_in_ms: int = Field(examples=[5870])


class Pet(BaseModel):
    visible: bool = Field(examples=[True])
    core_status: Literal["idle", "error", "waiting"] = Field(examples=["idle"])
    lines: list[LineRow] = Field(description="empty while nothing is visible or the core has something to say")


class AuditRow(BaseModel):
    plugin: str = Field(examples=["clock"])
    kind: str = Field(examples=["runAction"])
    what: str = Field(examples=["nav.settings"])
    asked: int = Field(examples=[4])
    refused: int = Field(examples=[1])
    outcomes: dict[str, int] = Field(examples=[{"denied": 1, "ok": 3}])


class AuditReport(BaseModel):
    since_s: float = Field(description="seconds since the service started", examples=[93.5])
    rows: list[AuditRow]


class WindowRow(BaseModel):
    plugin: str = Field(examples=["clock"])
    calls: int = Field(examples=[4])
    calls_limit: int = Field(examples=[10])
    window_s: float = Field(examples=[10.0])
    lines: int = Field(examples=[1])
    lines_limit: int = Field(examples=[3])


class WindowReport(BaseModel):
    windows: list[WindowRow]


# ---------------------------------------------------------------- routes


def speaker(parts: Parts, caller: Caller | None, id_or_key: str) -> PluginCaller:
    """The plugin behind the credential. A tool or a person may speak for any plugin, which is alive while it runs."""
    if isinstance(caller, PluginCaller):
        return caller
    plugin = plugin_of(parts, id_or_key)
    running = parts.pipeline.running(plugin.id)
    if running is None or running.key != plugin.key:
        return PluginCaller(plugin.id, plugin.revision, alive=False)
    return PluginCaller(plugin.id, running.revision)


@router.get("/v1/actions", response_model=ActionTable)
async def action_table(parts: PartsHere) -> Any:
    """All actions of the app with the verdict for plugins; any other id is unknown."""
    return JsonAnswer({"actions": plain(parts.policy.action_table())})


@router.get("/v1/plugins/{id}/actions", response_model=ActionList, responses=PLUGIN_PROBLEMS)
async def list_actions(name: PluginName, parts: PartsHere, caller: CallerHere) -> Any:
    """What the plugin may run now: listActions."""
    return JsonAnswer({"actions": plain(parts.policy.list_actions(speaker(parts, caller, name)))})


@router.post("/v1/plugins/{id}/actions", response_model=Outcome, responses=PLUGIN_PROBLEMS)
async def run_action(name: PluginName, body: ActionWish, parts: PartsHere, caller: CallerHere) -> Any:
    """runAction: asks the focused app window, else the one mounted last, for at most 2 s."""
    return JsonAnswer(plain(await parts.policy.run_action(speaker(parts, caller, name), body.action)))


@router.post("/v1/plugins/{id}/pet/lines", response_model=Outcome, responses=PLUGIN_PROBLEMS)
async def say(name: PluginName, body: LineWish, parts: PartsHere, caller: CallerHere) -> Any:
    """pet.say: `{"ok": true, "line": id}`, or the reason why it was dropped."""
    options = body.model_dump(exclude={"text"}, exclude_unset=True)
    return JsonAnswer(plain(parts.policy.say(speaker(parts, caller, name), body.text, options)))


@router.delete("/v1/plugins/{id}/pet/lines/{line:path}", response_model=Outcome, responses=PLUGIN_PROBLEMS)
async def clear_line(
    name: PluginName,
    line: Annotated[str, Path(examples=["ci"])],
    parts: PartsHere,
    caller: CallerHere,
    call: Annotated[str | None, Query(description="only if this call of say made it")] = None,
) -> Any:
    """Clear one line of the plugin; an unknown one is fine."""
    return JsonAnswer(plain(parts.policy.clear(speaker(parts, caller, name), line, call)))


@router.delete("/v1/plugins/{id}/pet/lines", response_model=Outcome, responses=PLUGIN_PROBLEMS)
async def clear_lines(
    name: PluginName,
    parts: PartsHere,
    caller: CallerHere,
    call: Annotated[str | None, Query(description="only what this call of say made")] = None,
) -> Any:
    """Clear all lines of the plugin, and of no other."""
    return JsonAnswer(plain(parts.policy.clear(speaker(parts, caller, name), None, call)))


@router.get("/v1/pet", response_model=Pet)
async def show_pet(parts: PartsHere) -> Any:
    """What the pet shows now."""
    return JsonAnswer(plain(parts.policy.pet()))


@router.put("/v1/pet", response_model=Pet, responses=documented(INVALID))
async def report_pet(body: PetState, parts: PartsHere) -> Any:
    """A shell reports whether its pet is visible and what the core has to say. Answers what shows then."""
    return JsonAnswer(plain(parts.policy.set_pet(body.visible, body.core_status)))


@router.post("/v1/plugins/{id}/notifications", response_model=Outcome, responses=PLUGIN_PROBLEMS)
async def notify(name: PluginName, body: NotificationWish, parts: PartsHere, caller: CallerHere) -> Any:
    """Whether a native notification may be shown, and as what; whoever asked shows it."""
    request = {key: getattr(body, key) for key in ("title", "body", "silent", "activate")}
    return JsonAnswer(plain(parts.policy.notify(speaker(parts, caller, name), request)))


@router.get("/v1/notifications", response_model=NotificationSwitch)
async def show_notification_switch(parts: PartsHere) -> Any:
    """The user's switch "Plugin notifications" on this device."""
    return {"enabled": parts.policy.notifications_enabled()}


@router.put("/v1/notifications", response_model=NotificationSwitch, responses=documented(INVALID))
async def set_notification_switch(body: NotificationSwitch, parts: PartsHere) -> Any:
    """A shell reports the user's switch; it counts until the service ends."""
    parts.policy.enable_notifications(body.enabled)
    return {"enabled": parts.policy.notifications_enabled()}


@router.post("/v1/previews/{frame}/prompts", response_model=Outcome, responses=documented(INVALID))
async def send_prompt(
    frame: Annotated[str, Path(description="the shell's id of the frame", examples=["preview-1"])],
    body: PromptWish,
    parts: PartsHere,
) -> Any:
    """A preview frame's prompt: `{"ok": true, "prompt"}` to hand on, or the reason why it was dropped."""
    return JsonAnswer(plain(parts.policy.send_prompt(frame, body.text)))


@router.post("/v1/directives/resolve", response_model=Outcome, responses=documented(INVALID))
async def resolve_directive(body: ParagraphWish, parts: PartsHere) -> Any:
    """`{"ok": true, "plugin", "name", "attributes"}`, or why the paragraph stays what it was."""
    return JsonAnswer(plain(parts.policy.resolve_directive(body.text)))


@router.get("/v1/policy/windows", response_model=WindowReport)
async def windows(parts: PartsHere) -> Any:
    """How full each plugin's window of pet calls is; only plugins that called within the window."""
    return JsonAnswer({"windows": plain(parts.policy.windows())})


@router.get("/v1/policy/audit", response_model=AuditReport)
async def audit(parts: PartsHere) -> Any:
    """Who asked for what, and how often it was refused, since the service started."""
    return JsonAnswer(plain(parts.policy.audit()))
