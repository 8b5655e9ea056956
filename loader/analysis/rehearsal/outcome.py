"""From the events of one play to its findings: what would have broken in the app, in the author's words and place.

The sandbox is not the app's engine, so most of this is evidence and warns. Refusals are only what holds in any
engine: no plugin exported, an import that can never finish, and work or memory far beyond what a window survives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from loader.analysis.rehearsal.browser_names import BROWSER_NAMES
from loader.analysis.rehearsal.contributions import contributions_of
from loader.analysis.rehearsal.default_export import about_default_export, identity_in
from loader.analysis.rehearsal.events import EventLog, Thrown, place_in, thrown_in
from loader.analysis.rehearsal.leaks import about_leak, leaks_of
from loader.analysis.rehearsal.stage import Stage
from loader.analysis.rehearsal.wording import in_words, place_of, way_out
from loader.codes import CODES, finding
from loader.nouns import ConsoleLine, Contribution, Diagnostic, Identity, Rehearsal, Severity, Span
from loader.settings import AnalysisSettings

_NOT_DEFINED = re.compile(r"^'?([\w$]+)'? is not defined$")
# The app's own deadline for the evaluation of a module.
_APP_WAITS_S = 10
FREEZE_HINT = "in the app this would freeze the window; `hermes-desktop allow-heavy ID` overrides it once"
_MOST_FINDINGS_OF_A_KIND = 20
_MOST_ACTIONS = 100
_LEVELS = ("log", "info", "warn", "error", "debug")

_WHERE = {
    "evaluate": "while the module was loaded",
    "register": "in register()",
    "render": "while a contribution was drawn",
    "timers": "in a timer",
    "event": "in an event handler",
    "unload": "during unload",
}


@dataclass(frozen=True, slots=True)
class Played:
    """What one rehearsal came to. ``identity`` is None when no usable default export was seen."""

    identity: Identity | None
    findings: tuple[Diagnostic, ...]
    rehearsal: Rehearsal


@dataclass(frozen=True, slots=True)
class _Facts:
    log: EventLog
    text: str
    stage: Stage
    settings: AnalysisSettings
    missing: Mapping[str, tuple[str, ...]]
    pending: bool
    polling: bool
    stopped: tuple[tuple[str, str], ...]
    limit_bytes: int
    kept_bytes: int

    @property
    def evidence(self) -> Severity:
        return "error" if self.settings.rehearsal == "enforce" else "warning"


def judge(
    log: EventLog,
    *,
    text: str,
    stage: Stage,
    settings: AnalysisSettings,
    missing: Mapping[str, tuple[str, ...]],
    pending: bool,
    polling: bool,
    stopped: tuple[tuple[str, str], ...],
    cpu_s: float,
    kept_bytes: int,
    memory_bytes: int,
    limit_bytes: int,
) -> Played:
    """The findings of one play, unsorted, and the record of it."""
    facts = _Facts(log, text, stage, settings, missing, pending, polling, stopped, limit_bytes, kept_bytes)
    identity = identity_in(log.last("default"))
    contributions, about_them = contributions_of(log, identity.exported_id if identity else None)
    findings = [
        *_links(facts),
        *_evaluation(facts),
        *about_default_export(log.last("default")),
        *_registration(facts),
        *_limits(facts),
        *about_them,
        *_rendering(facts, contributions),
        *_problems(facts),
        *_unloading(facts, identity),
    ]
    blocked = next((entry.message for entry in findings if entry.code == "HP405"), None)
    halted = next((entry.message for entry in findings if entry.code in ("HP402", "HP404")), None)
    rehearsal = Rehearsal(
        ran=blocked is None,
        stopped_by=blocked or halted,
        contributions=contributions,
        console=tuple(_console(log)),
        actions=tuple(_actions(log)),
        events=tuple(_events(log)),
        leaks=tuple(leaks_of(log)),
        timers_fired=sum(int(body.get("fired", 0)) for body in log.all("ticked")),
        cpu_ms=cpu_s * 1000,
        memory_bytes=memory_bytes,
    )
    return Played(identity, tuple(findings), rehearsal)


# ---------------------------------------------------------------- load and register


def _links(facts: _Facts) -> Iterator[Diagnostic]:
    announced = facts.settings.sdk_exports is not None
    for specifier, names in facts.missing.items():
        for name in names:
            against = "what the connected app exports" if announced else "any known build of it"
            yield finding(
                "HP204",
                f"`{name}` is not exported by '{specifier}' (checked against {against})",
                hint=f"import * as sdk from '{specifier}' and test `sdk.{name}` before use, or remove it",
                severity="error" if announced else facts.settings.unknown_export,
            )


def _evaluation(facts: _Facts) -> Iterator[Diagnostic]:
    failed = facts.log.last("evaluation-failed")
    if failed is not None:
        thrown = thrown_in(failed)
        if (missing := _lacking(thrown)) is not None:
            yield _not_rehearsed(f"it uses `{missing}`, which the sandbox does not have", place_of(facts.text, thrown))
        else:
            yield finding(
                "HP403",
                f"the module threw while it was evaluated: {in_words(facts.text, thrown)}",
                span=place_of(facts.text, thrown),
                hint=_way_out(facts, thrown) or "the app loads the file the same way and would get the same error",
                severity=facts.evidence,
            )
    waiting = facts.log.last("waiting") or {}
    awaited = waiting.get("awaited") or ("it looks again and again" if facts.polling else "")
    waited_s = waiting.get("waited_ms", 0) / 1000
    if facts.pending and awaited:
        yield _not_rehearsed(f"it waits for the app at import ({awaited})")
    elif facts.pending:
        yield finding(
            "HP402",
            "the import never finishes: a top-level `await` waits for something that nothing will settle",
            hint="move the waiting into register(), and resolve the promise in every case",
        )
    elif waited_s > _APP_WAITS_S and not awaited and failed is None:
        yield finding(
            "HP402",
            f"the import takes {waited_s:.0f} s of waiting: the app gives up after {_APP_WAITS_S} s",
            hint="move the waiting into register()",
        )


def _registration(facts: _Facts) -> Iterator[Diagnostic]:
    failed = facts.log.last("register-failed")
    if failed is None:
        return
    thrown = thrown_in(failed)
    if (missing := _lacking(thrown)) is not None:
        yield _not_rehearsed(
            f"register() uses `{missing}`, which the sandbox does not have", place_of(facts.text, thrown)
        )
    elif _out_of_memory(thrown):
        yield _memory(facts, "register")
    else:
        yield finding(
            "HP401",
            f"register() threw: {in_words(facts.text, thrown)}",
            span=place_of(facts.text, thrown),
            hint=_way_out(facts, thrown) or "the app would report the same, and show nothing of the plugin",
            severity=facts.evidence,
        )


def _lacking(thrown: Thrown) -> str | None:
    found = _NOT_DEFINED.match(thrown.message) if thrown.name == "ReferenceError" else None
    return found[1] if found and found[1] in BROWSER_NAMES else None


def _way_out(facts: _Facts, thrown: Thrown) -> str | None:
    return _import_hint(facts, thrown) or way_out(facts.text, thrown)


def _import_hint(facts: _Facts, thrown: Thrown) -> str | None:
    found = _NOT_DEFINED.match(thrown.message) if thrown.name == "ReferenceError" else None
    if not found:
        return None
    for specifier, exports in facts.stage.exports.items():
        if found[1] in exports:
            return f"add `import {{ {found[1]} }} from '{specifier}'`"
    return f"nothing declares or imports `{found[1]}`"


def _not_rehearsed(cause: str, span: Span | None = None) -> Diagnostic:
    return finding(
        "HP405",
        f"not rehearsed: {cause}",
        span=span,
        hint="the plugin is loaded all the same; what it shows was not tried",
    )


# ---------------------------------------------------------------- limits


def _limits(facts: _Facts) -> Iterator[Diagnostic]:
    early = False
    for phase, kind in facts.stopped:
        decides = phase in ("evaluate", "register")
        if kind in ("broken", "starved"):
            why = "the sandbox engine failed" if kind == "broken" else "the machine was too busy"
            yield _not_rehearsed(f"{why} {_WHERE[phase]}")
        elif kind == "memory" and decides:
            early = True
            yield _memory(facts, phase)
        elif kind == "cpu" and decides:
            early = True
            yield finding(
                "HP404",
                f"took too long: more than {facts.settings.rehearsal_cpu_s:g} s of CPU time {_WHERE[phase]}",
                hint=FREEZE_HINT,
            )
        else:
            what = {"stack": "ran out of stack", "memory": "ran out of memory", "cpu": "took too long"}[kind]
            yield finding(
                "HP404",
                f"{what} {_WHERE[phase]} in the rehearsal",
                severity="warning",
                hint="the app is faster and has more stack; look for a loop or a recursion without an end",
            )
    swollen = facts.kept_bytes * 10 >= facts.limit_bytes * 9
    if swollen and not early and not facts.stopped:
        # An allocation that failed may have been caught; in the app it would have succeeded, and the next one too.
        yield _memory(facts, "register")


def _out_of_memory(thrown: Thrown) -> bool:
    return thrown.name == "InternalError" and thrown.message == "out of memory"


def _memory(facts: _Facts, phase: str) -> Diagnostic:
    return finding(
        "HP404",
        f"used more than {facts.limit_bytes // (1024 * 1024)} MiB of memory {_WHERE[phase]}",
        hint="in the app this could kill the window; `hermes-desktop allow-heavy ID` overrides it once",
    )


# ---------------------------------------------------------------- render, events, stubs' own findings


def _rendering(facts: _Facts, contributions: tuple[Contribution, ...]) -> Iterator[Diagnostic]:
    names = {body["n"]: f"`{body['id']}` ({body['area']})" for body in facts.log.all("contribution")}
    places = {body["n"]: place_in(body["stack"]) for body in facts.log.all("contribution")}
    seen: set[tuple[str, str]] = set()
    for kind, body in facts.log.events:
        if kind not in _FAILURES:
            continue
        thrown = thrown_in(body)
        of = names.get(body.get("n"), "a contribution")
        what = _FAILURES[kind].format(of=of, name=body.get("name") or body.get("type") or "")
        if (what, thrown.text) in seen or len(seen) >= _MOST_FINDINGS_OF_A_KIND:
            continue
        seen.add((what, thrown.text))
        if _out_of_memory(thrown):
            yield finding("HP404", f"{what} out of memory", span=thrown.span, severity="warning")
            continue
        if (missing := _lacking(thrown)) is not None:
            yield finding(
                "HP405", f"not rehearsed in full: {what} `{missing}`, which the sandbox does not have", span=thrown.span
            )
            continue
        yield finding(
            "HP406",
            f"{what} {in_words(facts.text, thrown)}",
            # The renderer's own complaints (a child that cannot be shown) name no line of the plugin.
            span=place_of(facts.text, thrown) or places.get(body.get("n")),
            hint=_way_out(facts, thrown) or "the app shows an error in its place; try what it draws with no data, too",
        )


_FAILURES = {
    "render-failed": "drawing {of} failed:",
    "condition-failed": "`{name}` of {of} threw:",
    "exercise-failed": "`{name}` of {of} threw:",
    "timer-failed": "a {name} callback threw:",
    "event-failed": "the {name} handler of {of} threw:",
}


def _problems(facts: _Facts) -> Iterator[Diagnostic]:
    for body in facts.log.all("problem"):
        code = body["code"] if body["code"] in CODES else "HP406"
        told = Thrown("Error", body["message"], body["stack"])
        yield finding(code, body["message"], span=place_of(facts.text, told), hint=way_out(facts.text, told))


# ---------------------------------------------------------------- unload


def _unloading(facts: _Facts, identity: Identity | None) -> Iterator[Diagnostic]:
    owner = f"`{identity.exported_id}`" if identity else "the plugin"
    for body in list(facts.log.all("disposer-failed"))[:_MOST_FINDINGS_OF_A_KIND]:
        thrown = thrown_in(body)
        yield finding(
            "HP410",
            f"a clean-up of {owner} threw: {in_words(facts.text, thrown)}",
            span=thrown.span or place_in(body.get("stack", "")),
            hint="the other clean-ups still ran; guard what may be gone already",
        )
    for leak in list(leaks_of(facts.log))[:_MOST_FINDINGS_OF_A_KIND]:
        yield about_leak(leak)


def _actions(log: EventLog) -> Iterator[str]:
    for body in list(log.all("action"))[:_MOST_ACTIONS]:
        if isinstance(body, dict):
            args = body.get("args")
            shown = ", ".join(json.dumps(one, ensure_ascii=False) for one in args) if isinstance(args, list) else ""
            yield f"{body.get('name', '')}({shown})"[:300]


def _events(log: EventLog) -> Iterator[str]:
    for kind, body in log.events:
        if kind == "event":
            said = "handled" if body["handled"] else "nothing there hears it"
            yield f"{body['type']} {body['target']!r}: {said}"
        elif kind == "event-failed":
            yield f"{body['type']}: threw {thrown_in(body).text}"


def _console(log: EventLog) -> Iterator[ConsoleLine]:
    for body in log.all("console"):
        level = body.get("level")
        yield ConsoleLine(level if level in _LEVELS else "log", str(body.get("text", "")))
