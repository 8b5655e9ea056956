"""The policy as the server talks to it: plugins ask, shells answer, and what changed is published.

Who asks is a PluginCaller, made from the credential alone. Every answer is a value; nothing here raises for what a
plugin or a shell does. All methods are called on the event loop.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from loader.nouns import (
    ActionsChanged,
    Event,
    Json,
    Logged,
    PetLinesChanged,
    Plugin,
    PluginCaller,
    PluginChanged,
    PluginLoaded,
    PluginUnloaded,
    PolicyEvent,
)
from loader.policy import actions, limits, notifications, pet
from loader.policy.answers import Dropped
from loader.policy.directives import DirectiveBook
from loader.policy.pace import Pace
from loader.policy.previews import PreviewGate
from loader.policy.refusals import Audit, Kind, LogLine, RefusalLog
from loader.policy.shells import Shells
from loader.policy.text import clean_line
from loader.policy.turns import Turns

Publish: TypeAlias = Callable[[Event | PolicyEvent], None]
CallShell: TypeAlias = Callable[[str, str, Mapping[str, Json], float], Awaitable[Json]]
Schedule: TypeAlias = Callable[[float, Callable[[], None]], Callable[[], None]]
"""``schedule(delay_s, callback)`` calls back once, on the event loop; what it returns cancels that."""

DIRECTIVE_AREA = "transcript.directives"
CORE_STATUSES: dict[str, pet.CoreStatus] = {"idle": "idle", "error": "error", "waiting": "waiting"}

# Timers may ring a moment early by their clock's grain: asked a little later, one ring is enough.
_ALARM_MARGIN_S = 0.001
_CALL_MARK_CODE_POINTS = 64


def on_the_loop(delay_s: float, callback: Callable[[], None]) -> Callable[[], None]:
    return asyncio.get_running_loop().call_later(delay_s, callback).cancel


class PolicyService:
    """One for each service. ``label_of`` gives a plugin's name from the inventory, None when it is not there."""

    def __init__(
        self,
        *,
        publish: Publish,
        call_shell: CallShell,
        label_of: Callable[[str], str | None] = lambda plugin: None,
        table: actions.ActionTable | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        schedule: Schedule = on_the_loop,
        deadline_s: float = limits.ACTION_DEADLINE_S,
    ) -> None:
        self._publish = publish
        self._call_shell = call_shell
        self._table = table or actions.app_actions()
        self._clock_s = clock_s
        self._schedule = schedule
        self._deadline_s = deadline_s
        self._shells = Shells()
        self._turns = Turns(limits.WAITING_ACTIONS)
        self._book = pet.PetBook(label_of=label_of)
        self._previews = PreviewGate()
        self._notifications = notifications.NotificationGate()
        self._directives = DirectiveBook()
        self._refusals = RefusalLog()
        self._audit = Audit()
        self._started_s = clock_s()
        self._lines_out: tuple[pet.Line, ...] = ()
        self._lines_pace = Pace(limits.LINE_EVENTS_IN_WINDOW, limits.LINE_EVENT_WINDOW_S)
        self._lines_owed = False
        self._owned_out = self._table.owned(())
        self._alarm_at_s = math.inf
        self._cancel_alarm: Callable[[], None] | None = None

    def close(self) -> None:
        """No timer outlives the service."""
        if self._cancel_alarm is not None:
            self._cancel_alarm()
        self._cancel_alarm, self._alarm_at_s = None, math.inf

    # ------------------------------------------------------------ actions

    def action_table(self) -> tuple[Mapping[str, Json], ...]:
        return self._table.verdicts(self._owned_out)

    def list_actions(self, caller: PluginCaller, /) -> tuple[Mapping[str, Json], ...]:
        """What the plugin may run now: nothing once its revision is gone."""
        return self._table.listed(self._owned_out) if caller.alive else ()

    async def run_action(self, caller: PluginCaller, action: Json, /) -> dict[str, Json]:
        refusal = self._refusal(caller, action)
        return self._told(caller.plugin, action, refusal or await self._run(caller.plugin, str(action)))

    def turn_away(self, caller: PluginCaller, action: Json, /) -> dict[str, Json]:
        """What ``run_action`` says where no further call may wait: the same checks, and no app window is asked."""
        return self._told(caller.plugin, action, self._refusal(caller, action) or actions.crowded(action))

    def _told(self, plugin: str, action: Json, result: actions.ActionResult) -> dict[str, Json]:
        self._count_action(plugin, action, result)
        if isinstance(result, actions.Refused):
            self._refused(plugin, "runAction", result.error)
        return result.as_json()

    def _refusal(self, caller: PluginCaller, action: Json) -> actions.Refused | None:
        """All that is known without asking an app window."""
        refusal = self._table.refusal(action)
        if refusal is not None:
            return refusal
        return None if caller.alive else actions.plugin_gone(action)

    async def _run(self, plugin: str, action: str) -> actions.ActionResult:
        shell = self._shells.owner_of(action)
        if shell is None:
            return actions.no_handler(action) if len(self._shells) else actions.no_shell(action)
        with self._turns.take(plugin) as taken:
            return await self._ask(shell, plugin, action) if taken else actions.crowded(action)

    async def _ask(self, shell: str, plugin: str, action: str) -> actions.ActionResult:
        request = {"action": action, "plugin": plugin}
        try:
            # The hub keeps the deadline too; ours holds whatever stands behind the port.
            async with asyncio.timeout(self._deadline_s):
                answer = await self._call_shell(shell, "action/run", request, self._deadline_s)
        except TimeoutError:
            return actions.too_late(action)
        except ConnectionError:
            return actions.shell_gone(action)
        return actions.answered(action, answer)

    def report_action(self, caller: PluginCaller, action: Json, result: Json, /) -> None:
        """What a shell's synchronous face answered; the table's words count before the shell's."""
        plugin = caller.plugin
        refusal = self._table.refusal(action)
        ran = isinstance(result, dict) and result.get("ok") is True
        if ran and refusal is not None:
            self._audit.count(plugin, "runAction", self._named(action), "ok")
            self._refused(plugin, "runAction", f"an app window ran it all the same: {refusal.error}")
            return
        answer = actions.Ran() if ran else refusal or self._reported(action, result)
        self._count_action(plugin, action, answer)
        if isinstance(answer, actions.Refused):
            self._refused(plugin, "runAction", answer.error)

    def _reported(self, action: Json, result: Json) -> actions.Refused:
        error = result.get("error") if isinstance(result, dict) else None
        said = clean_line(error, graphemes=limits.LINE_GRAPHEMES, code_points=limits.LINE_CODE_POINTS)
        return actions.Refused("unavailable", said) if said else actions.shell_refused(action)

    def _count_action(self, plugin: str, action: Json, result: actions.ActionResult) -> None:
        outcome = "ok" if isinstance(result, actions.Ran) else result.reason
        self._audit.count(plugin, "runAction", self._named(action), outcome)

    def _named(self, action: Json) -> str:
        # Ids that are none come from a plugin's pen: counted one by one they would grow with calls.
        known = isinstance(action, str) and (action in self._table.allowed or action in self._table.denied)
        return str(action) if known else "(unknown)"

    # ------------------------------------------------------------ the pet

    def say(self, caller: PluginCaller, text: Json, options: Mapping[str, Json], /) -> dict[str, Json]:
        """``options``: id, tone, ttlMs as the plugin gave them; ``call``, the face's mark for its disposer."""
        said = pet.GONE
        if caller.alive:
            said = self._book.say(
                caller.plugin,
                text,
                self._clock_s(),
                line_id=options.get("id"),
                tone=options.get("tone"),
                ttl=options.get("ttlMs"),
                revision=caller.revision,
                call=_mark(options.get("call")),
            )
        self._audit.count(caller.plugin, "pet.say", "say", said.reason or "ok")
        complaint = pet.WHY[said.reason] if said.reason else said.warning
        if complaint:
            self._refused(caller.plugin, "pet.say", complaint)
        self._settle()
        return said.as_json()

    def clear(self, caller: PluginCaller, line: Json | None, /, call: Json = None) -> dict[str, Json]:
        """One line or all of the caller's; with ``call`` only what that call made. An unknown line is fine."""
        if not caller.alive:
            return pet.GONE.as_json()
        mark = _mark(call)
        if call is None or mark is not None:
            self._book.clear(caller.plugin, self._clock_s(), line_id=line, call=mark)
            self._settle()
        return {"ok": True}

    def pet(self) -> dict[str, Json]:
        now_s = self._clock_s()
        return {
            "visible": self._book.visible,
            "core_status": self._book.core_status,
            "lines": [line.as_json(now_s) for line in self._book.shown(now_s)],
        }

    def set_pet(self, visible: bool | None, core_status: str | None, /) -> dict[str, Json]:
        """What a shell reports; None leaves a value as it is."""
        if visible is not None:
            self._book.visible = visible
        if core_status is not None:
            self._book.core_status = CORE_STATUSES.get(core_status, self._book.core_status)
        self._settle(at_once=True)
        return self.pet()

    def token_died(self, plugin: str, revision: str, /) -> None:
        self._book.drop_revision(plugin, revision)
        self._settle(at_once=True)

    # ------------------------------------------------------------ the neighbours

    def send_prompt(self, frame: str, text: Json, /) -> dict[str, Json]:
        return self._previews.send(frame, text, self._clock_s()).as_json()

    def notify(self, caller: PluginCaller, request: Mapping[str, Json], /) -> dict[str, Json]:
        """Whether a native notification may be shown, and as what; whoever asked shows it."""
        if not caller.alive:
            answer: notifications.Notified | Dropped = notifications.dropped("gone")
        else:
            focused = self._shells.any_focused
            answer = self._notifications.notify(caller.plugin, request, self._clock_s(), focused=focused)
        outcome, complaint = "ok", None
        if isinstance(answer, Dropped):
            # A window in focus is no fault of the plugin, nor is the user's own switch.
            outcome, complaint = answer.reason, answer.error if answer.reason not in {"focused", "off"} else None
        else:
            complaint = answer.warning
        self._audit.count(caller.plugin, "os.notify", "notify", outcome)
        if complaint:
            self._refused(caller.plugin, "os.notify", complaint)
        return answer.as_json()

    def notifications_enabled(self) -> bool:
        return self._notifications.enabled

    def enable_notifications(self, enabled: bool, /) -> None:
        """The user's switch on this device, as a shell reports it."""
        self._notifications.enabled = enabled

    def resolve_directive(self, paragraph: Json, /) -> dict[str, Json]:
        return self._directives.resolve(paragraph).as_json()

    def observe(self, event: Event, /) -> None:
        """Follow the inventory: which plugin registered which directive names, in the order of loading."""
        match event:
            case PluginLoaded(plugin=plugin):
                self._directives.load(plugin.id, directive_names(plugin))
            case PluginChanged(plugin=plugin) if plugin.running_revision is not None and plugin.contributions:
                # What the rehearsal found may follow the load.
                self._directives.amend(plugin.id, directive_names(plugin))
            case PluginUnloaded(id=plugin_id, reason=reason) if reason != "changed":
                # The load of the changed revision follows directly and keeps the place in line.
                self._directives.release(plugin_id)

    # ------------------------------------------------------------ shells

    def shell_mounted(self, shell: str, focused: bool, announced: tuple[str, ...] | None, /) -> None:
        # Only ids of the allowlist are kept: a shell cannot make us remember more than that.
        owned = None if announced is None else frozenset(self._table.allowed).intersection(announced)
        self._shells.mount(shell, focused=focused, actions=owned)
        self._table_may_have_changed()

    def shell_focused(self, shell: str, focused: bool, /) -> None:
        self._shells.focus(shell, focused)

    def shell_unmounted(self, shell: str, /) -> None:
        if not self._shells.unmount(shell):
            return
        if not len(self._shells):
            # With the last window its pet is gone, and what that window said of it.
            self._book.visible, self._book.core_status = False, "idle"
            self._settle(at_once=True)
        self._table_may_have_changed()

    # ------------------------------------------------------------ what people see

    def audit(self) -> dict[str, Json]:
        """``{"since_s": seconds since start, "rows": [{plugin, kind, what, asked, refused, outcomes}]}``."""
        return {"since_s": round(self._clock_s() - self._started_s, 3), "rows": self._audit.as_json()}

    def windows(self) -> list[Mapping[str, Json]]:
        """``{plugin, calls, calls_limit, window_s, lines, lines_limit}`` of every plugin that called lately."""
        return [
            {
                "plugin": plugin,
                "calls": calls,
                "calls_limit": limits.CALLS_IN_WINDOW,
                "window_s": limits.CALL_WINDOW_S,
                "lines": lines,
                "lines_limit": limits.LIVE_LINES,
            }
            for plugin, calls, lines in self._book.windows(self._clock_s())
        ]

    def _table_may_have_changed(self) -> None:
        owned = self._table.owned(self._shells.announcements())
        if owned != self._owned_out:
            self._owned_out = owned
            self._publish(ActionsChanged(self.action_table()))

    def _refused(self, plugin: str, kind: Kind, error: str) -> None:
        self._say_in_log(self._refusals.note(plugin, kind, error, self._clock_s()))
        self._set_alarm()

    def _say_in_log(self, lines: list[LogLine]) -> None:
        for line in lines:
            self._publish(Logged("warning", line.plugin, line.text))

    def _settle(self, *, at_once: bool = False) -> None:
        """Publish the bubble if it shows something else than what was published last, now or as soon as it may.

        ``at_once``: plugins cannot bring it about, and what a person switched off must not show a moment longer.
        """
        now_s = self._clock_s()
        shown = self._book.shown(now_s)
        changed = shown != self._lines_out
        self._lines_owed = changed and not (self._lines_pace.take(now_s) or at_once)
        if changed and not self._lines_owed:
            self._lines_out = shown
            self._publish(PetLinesChanged(tuple(line.as_json(now_s) for line in shown)))
        self._set_alarm()

    def _set_alarm(self) -> None:
        """One timer for all: the next line that ends, the next folded refusals that are due, what is owed."""
        due = [at_s for at_s in (self._book.next_expiry_s(), self._refusals.next_due_s()) if at_s is not None]
        if self._lines_owed:
            due.append(self._lines_pace.free_at_s())
        at_s = min(due, default=math.inf)
        if at_s >= self._alarm_at_s:
            # Ringing early for nothing is cheaper than a new timer for each line that was cleared.
            return
        self.close()
        self._alarm_at_s = at_s
        self._cancel_alarm = self._schedule(max(0.0, at_s - self._clock_s()) + _ALARM_MARGIN_S, self._ring)

    def _ring(self) -> None:
        self._cancel_alarm, self._alarm_at_s = None, math.inf
        self._say_in_log(self._refusals.due(self._clock_s()))
        self._settle()


def directive_names(plugin: Plugin) -> tuple[str, ...]:
    """Names that a plugin registered in the rehearsal, in its order."""
    names: list[str] = []
    for contribution in plugin.contributions:
        if contribution.area != DIRECTIVE_AREA:
            continue
        payload = contribution.payload
        data = payload.get("data")
        name = payload.get("name") or (data.get("name") if isinstance(data, Mapping) else None)
        if isinstance(name, str):
            names.append(name)
    return tuple(names)


def _mark(call: Json) -> str | None:
    return call if isinstance(call, str) and 0 < len(call) <= _CALL_MARK_CODE_POINTS else None
