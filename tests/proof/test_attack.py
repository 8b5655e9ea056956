"""The attacks that a running service can be tried with in seconds; all of them: `make attack`."""

import asyncio
from collections import Counter

import pytest

from bench import attack
from bench.attacking import cases
from bench.attacking.plugins import Workers

# Hostile plugins are played one by one in tests/analysis/rehearsal; texts that bomb are in test_pathological.
QUICK = frozenset(
    {
        "path spelling",
        "request forging",
        "token guessing",
        "header injection",
        "another's rights",
        "bodies",
        "cases",
        "frames",
        "holding on",
        "links",
        "files",
        "hostile names",
        "id squatting",
        "leaks",
        "state",
        "wall: its host",
        "wall: its files",
        "wall: its origin",
        "wall: its credential",
        "wall: its bridge",
    }
)


def test_there_are_enough_attempts_and_each_has_a_name_of_its_own() -> None:
    names = [(each.kind, each.name) for each in attack.attempts(Workers())]
    assert len(names) >= 200
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert {kind for kind, _ in names} >= QUICK


def test_every_case_of_these_kinds_is_tried() -> None:
    assert cases.TRIED.keys() == cases.cases().keys()
    assert len(cases.attempts()) == len(cases.TRIED) >= 11


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_quick_attempt_is_stopped() -> None:
    outcomes = asyncio.run(attack.run(QUICK))
    assert len(outcomes) >= 120
    assert [outcome for outcome in outcomes if not outcome.ok] == []
