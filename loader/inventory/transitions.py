"""From where a plugin stands to where it should stand: the legal steps, and nothing else. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.nouns import PluginState, UnloadReason

StepKind: TypeAlias = Literal["unload", "load", "fail", "show", "remove"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a plugin stands. ``state`` None: it has no row. ``running``: the (id, revision) that shells run.

    ``broken`` tells one failure from another (revision and codes); it counts only in the state failed.
    """

    state: PluginState | None = None
    running: tuple[str, str] | None = None
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """Where it should stand. ``state`` None: it is gone. ``refused``: the running revision must go too."""

    state: PluginState | None
    id: str = ""
    revision: str = ""
    broken: tuple[str, ...] = ()
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """``show`` is said only if the row differs from the one that was last shown."""

    kind: StepKind
    reason: UnloadReason | None = None


def steps(before: Standing, goal: Goal) -> tuple[Step, ...]:
    """What has to be told, in order.

    A reload is an unload directly followed by a load. A failure is told once for each distinct broken revision.
    When the broken revision is the very one that runs (it was judged anew), there is no last good one to keep.

    Raises ValueError for a goal that cannot be: ready without bytes.
    """
    runs = before.running is not None
    match goal.state:
        case None:
            gone = (Step("remove"),) if before.state is not None else ()
            return (*_unload(runs, "removed"), *gone)
        case "disabled":
            return (*_unload(runs, "disabled"), Step("show"))
        case "shadowed":
            return (*_unload(runs, "duplicate"), Step("show"))
        case "failed":
            stops = before.running is not None and (goal.refused or before.running[1] == goal.revision)
            news = stops or before.state != "failed" or before.broken != goal.broken
            return (*_unload(stops, "failed"), Step("fail" if news else "show"))
        case "ready":
            if not goal.revision or not goal.id:
                raise ValueError(f"{before.state or 'nothing'} cannot become ready without an id and bytes")
            if before.running == (goal.id, goal.revision):
                return (Step("show"),)
            return (*_unload(runs, "changed"), Step("load"))


def _unload(runs: bool, reason: UnloadReason) -> tuple[Step, ...]:
    return (Step("unload", reason),) if runs else ()
