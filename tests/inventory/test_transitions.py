"""Every pair of a standing and a goal, and what is told for it."""

import pytest

from loader.inventory.transitions import Goal, Standing, Step, steps

OLD, NEW = "a" * 64, "b" * 64
RUNS_OLD, RUNS_NEW = ("demo", OLD), ("demo", NEW)
BROKEN, OTHERWISE_BROKEN = (NEW, "HP101"), ("c" * 64, "HP101")

NOTHING = Standing()
READY = Standing("ready", RUNS_OLD)
DISABLED = Standing("disabled")
SHADOWED = Standing("shadowed")
FAILED = Standing("failed", None, BROKEN)
KEPT = Standing("failed", RUNS_OLD, BROKEN)

TO_READY = Goal("ready", "demo", NEW)
TO_SAME = Goal("ready", "demo", OLD)
TO_DISABLED = Goal("disabled", "demo", NEW)
TO_SHADOWED = Goal("shadowed", "demo", NEW)
TO_FAILED = Goal("failed", "demo", NEW, BROKEN)
TO_OTHER_FAILURE = Goal("failed", "demo", "c" * 64, OTHERWISE_BROKEN)
TO_REFUSED = Goal("failed", "demo", NEW, BROKEN, refused=True)
RUNNING_TURNS_BAD = Goal("failed", "demo", OLD, (OLD, "HP204"))
TO_GONE = Goal(None)

REMOVED, CHANGED = Step("unload", "removed"), Step("unload", "changed")
OFF, STOPPED, MADE_WAY = Step("unload", "disabled"), Step("unload", "failed"), Step("unload", "duplicate")
LOAD, FAIL, SHOW, REMOVE = Step("load"), Step("fail"), Step("show"), Step("remove")

TABLE: list[tuple[Standing, Goal, tuple[Step, ...]]] = [
    (NOTHING, TO_READY, (LOAD,)),
    (NOTHING, TO_DISABLED, (SHOW,)),
    (NOTHING, TO_SHADOWED, (SHOW,)),
    (NOTHING, TO_FAILED, (FAIL,)),
    (NOTHING, TO_REFUSED, (FAIL,)),
    (NOTHING, TO_GONE, ()),
    (READY, TO_SAME, (SHOW,)),
    (READY, TO_READY, (CHANGED, LOAD)),
    (READY, TO_DISABLED, (OFF, SHOW)),
    (READY, TO_SHADOWED, (MADE_WAY, SHOW)),
    (READY, TO_FAILED, (FAIL,)),
    (READY, TO_REFUSED, (STOPPED, FAIL)),
    (READY, RUNNING_TURNS_BAD, (STOPPED, FAIL)),
    (READY, TO_GONE, (REMOVED, REMOVE)),
    (DISABLED, TO_READY, (LOAD,)),
    (DISABLED, TO_DISABLED, (SHOW,)),
    (DISABLED, TO_SHADOWED, (SHOW,)),
    (DISABLED, TO_FAILED, (FAIL,)),
    (DISABLED, TO_REFUSED, (FAIL,)),
    (DISABLED, TO_GONE, (REMOVE,)),
    (SHADOWED, TO_READY, (LOAD,)),
    (SHADOWED, TO_DISABLED, (SHOW,)),
    (SHADOWED, TO_SHADOWED, (SHOW,)),
    (SHADOWED, TO_FAILED, (FAIL,)),
    (SHADOWED, TO_GONE, (REMOVE,)),
    (FAILED, TO_READY, (LOAD,)),
    (FAILED, TO_DISABLED, (SHOW,)),
    (FAILED, TO_SHADOWED, (SHOW,)),
    (FAILED, TO_FAILED, (SHOW,)),
    (FAILED, TO_REFUSED, (SHOW,)),
    (FAILED, TO_OTHER_FAILURE, (FAIL,)),
    (FAILED, TO_GONE, (REMOVE,)),
    (KEPT, TO_SAME, (SHOW,)),
    (KEPT, TO_READY, (CHANGED, LOAD)),
    (KEPT, TO_DISABLED, (OFF, SHOW)),
    (KEPT, TO_SHADOWED, (MADE_WAY, SHOW)),
    (KEPT, TO_FAILED, (SHOW,)),
    (KEPT, TO_OTHER_FAILURE, (FAIL,)),
    (KEPT, TO_REFUSED, (STOPPED, FAIL)),
    (KEPT, TO_GONE, (REMOVED, REMOVE)),
    # The id changed with the bytes, or with the bytes unchanged: another plugin for every shell.
    (READY, Goal("ready", "other", NEW), (CHANGED, LOAD)),
    (READY, Goal("ready", "other", OLD), (CHANGED, LOAD)),
]


@pytest.mark.parametrize(("before", "goal", "told"), TABLE)
def test_steps(before: Standing, goal: Goal, told: tuple[Step, ...]) -> None:
    assert steps(before, goal) == told


def test_every_state_meets_every_goal() -> None:
    met = {(before.state, bool(before.running), goal.state) for before, goal, _ in TABLE}
    standings = {(None, False), ("ready", True), ("disabled", False), ("shadowed", False), ("failed", False)}
    for state, runs in standings | {("failed", True)}:
        for goal in ("ready", "disabled", "shadowed", "failed", None):
            assert (state, runs, goal) in met


@pytest.mark.parametrize("goal", [Goal("ready", "demo", ""), Goal("ready", "", NEW)])
def test_nothing_becomes_ready_without_an_id_and_bytes(goal: Goal) -> None:
    with pytest.raises(ValueError, match="disabled cannot become ready"):
        steps(DISABLED, goal)
