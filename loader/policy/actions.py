"""runAction and listActions: which of the app's own actions a plugin may run, and with what words it is refused.

Ids are compared whole and exactly, as keys of a mapping: a name that every object has is a name like any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.policy.limits import ACTION_DEADLINE_S, SHELL_ERROR_GRAPHEMES
from loader.policy.text import clean_line, shown

Reason: TypeAlias = Literal["unknown", "denied", "unavailable"]
Verdict: TypeAlias = Literal["ok", "denied", "unavailable"]

WHERE_TO_READ = "ctx.listActions() lists those that are; see docs/policy.md."


@dataclass(frozen=True, slots=True)
class Action:
    """One row of listActions; the label is the English one, a shell localises it."""

    id: str
    label: str
    category: str

    def as_json(self) -> dict[str, Json]:
        return {"id": self.id, "label": self.label, "category": self.category}


@dataclass(frozen=True, slots=True)
class Ran:
    def as_json(self) -> dict[str, Json]:
        return {"ok": True}


@dataclass(frozen=True, slots=True)
class Refused:
    """A no: a value that a plugin reads. ``error`` names the id and where the list stands."""

    reason: Reason
    error: str

    def as_json(self) -> dict[str, Json]:
        return {"ok": False, "reason": self.reason, "error": self.error}


ActionResult: TypeAlias = Ran | Refused


@dataclass(frozen=True, slots=True)
class ActionTable:
    """The app's actions by id: those that plugins may run (in the order of listActions) and those they may not."""

    allowed: Mapping[str, Action]
    denied: Mapping[str, Action]

    @staticmethod
    def of(allowed: Iterable[Action], known: Iterable[Action]) -> ActionTable:
        """``known`` may name allowed ones again: an id is denied only if it is not allowed."""
        permitted = {action.id: action for action in allowed}
        rest = {action.id: action for action in known if action.id not in permitted}
        return ActionTable(MappingProxyType(permitted), MappingProxyType(rest))

    def refusal(self, action: Json) -> Refused | None:
        """Why this id is out of the question, whoever is there to run it: unknown first, then denied."""
        if isinstance(action, str) and action in self.allowed:
            return None
        if isinstance(action, str) and action in self.denied:
            return Refused("denied", f"'{shown(action)}' is not available to plugins. {WHERE_TO_READ}")
        return unknown(action)

    def owned(self, announcements: Iterable[frozenset[str] | None]) -> frozenset[str]:
        """What at least one shell can run: all allowed ids without a shell, or when one announced nothing.

        An announcement only takes away: what it names beyond the allowlist is not heard.
        """
        everything = frozenset(self.allowed)
        heard = tuple(announcements)
        if not heard or None in heard:
            return everything
        return everything & frozenset[str]().union(*(ids for ids in heard if ids is not None))

    def listed(self, owned: frozenset[str]) -> tuple[Mapping[str, Json], ...]:
        """listActions: rows ``{id, label, category}`` in the allowlist's order."""
        return tuple(action.as_json() for action in self.allowed.values() if action.id in owned)

    def verdicts(self, owned: frozenset[str]) -> tuple[Mapping[str, Json], ...]:
        """The table a shell needs to answer in the same tick: rows of listActions with ``verdict``.

        ``ok`` or ``unavailable`` for allowed ids, ``denied`` for known ones; whatever is not in it is unknown.
        """
        allowed = self.allowed.values()
        return (
            *({**action.as_json(), "verdict": "ok" if action.id in owned else "unavailable"} for action in allowed),
            *({**action.as_json(), "verdict": "denied"} for action in self.denied.values()),
        )


def unknown(action: Json) -> Refused:
    return Refused("unknown", f"'{shown(action)}' is not a Hermes app action. {WHERE_TO_READ}")


def unavailable(action: Json, cause: str) -> Refused:
    """An allowed action that nobody ran; ``cause`` is a clause that fits behind a colon."""
    return Refused("unavailable", f"'{shown(action)}' is unavailable: {cause}. See docs/policy.md.")


def no_shell(action: str) -> Refused:
    return unavailable(action, "no app window is connected")


def no_handler(action: str) -> Refused:
    return unavailable(action, "no connected app window has a handler for it")


def too_late(action: str) -> Refused:
    return unavailable(action, f"the app window did not answer within {ACTION_DEADLINE_S:g} s")


def shell_gone(action: str) -> Refused:
    return unavailable(action, "the app window went away before it answered, or has too many calls open")


def crowded(action: Json) -> Refused:
    return unavailable(action, "too many calls wait for the app window already")


def plugin_gone(action: Json) -> Refused:
    return unavailable(action, "this revision of the plugin is no longer running")


def answered(action: str, answer: Json) -> ActionResult:
    """What a shell's answer to ``action/run`` means; a malformed one is a no like any other."""
    if isinstance(answer, dict) and answer.get("ok") is True:
        return Ran()
    said = clean_line(
        answer.get("error") if isinstance(answer, dict) else None,
        graphemes=SHELL_ERROR_GRAPHEMES,
        code_points=4 * SHELL_ERROR_GRAPHEMES,
    ).rstrip(".")
    return unavailable(action, f"the app window refused ({said})") if said else shell_refused(action)


def shell_refused(action: Json) -> Refused:
    return unavailable(action, "the app window refused")


@cache
def app_actions() -> ActionTable:
    """The app's own table, from ``sdk_stubs/app_actions.json``, which the page of the docs is compared with."""
    data = json.loads((files("sdk_stubs") / "app_actions.json").read_text(encoding="utf-8"))
    return ActionTable.of(
        (Action(row["id"], row["label"], row["category"]) for row in data["allowed"]),
        (Action(row["id"], row["label"], row["category"]) for row in data["known"]),
    )
