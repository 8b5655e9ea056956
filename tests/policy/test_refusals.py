import pytest

from loader.policy.limits import AUDITED_PLUGINS
from loader.policy.refusals import Audit, RefusalLog


def test_the_first_refusal_is_printed_at_once() -> None:
    (line,) = RefusalLog().note("demo", "runAction", "'x' is not a Hermes app action.", 0.0)
    assert line.text == "[plugin:demo] runAction: 'x' is not a Hermes app action."
    assert line.plugin == "demo"


def test_a_plugin_in_a_loop_prints_one_line_a_second_that_counts_the_rest() -> None:
    log = RefusalLog()
    lines = [line.text for step in range(3_000) for line in log.note("demo", "pet.say", "no", step / 1000)]
    assert len(lines) == 3
    assert lines[0] == "[plugin:demo] pet.say: no"
    assert lines[1] == "[plugin:demo] pet.say: no (and 998 more)"
    assert log.next_due_s() == pytest.approx(3.0)
    (last,) = log.due(3.0)
    assert "more)" in last.text


def test_a_single_folded_refusal_is_told_in_its_own_words() -> None:
    log = RefusalLog()
    log.note("demo", "pet.say", "first", 0.0)
    assert log.note("demo", "pet.say", "second", 0.5) == []
    assert [line.text for line in log.due(1.0)] == ["[plugin:demo] pet.say: second"]
    assert log.due(2.0) == []
    assert log.remembered() == 0


def test_plugins_and_kinds_do_not_fold_into_each_other() -> None:
    log = RefusalLog()
    assert len(log.note("a", "pet.say", "no", 0.0)) == 1
    assert len(log.note("a", "runAction", "no", 0.0)) == 1
    assert len(log.note("b", "pet.say", "no", 0.0)) == 1


def test_the_audit_counts_by_outcome() -> None:
    audit = Audit()
    for outcome in ("ok", "ok", "denied", "unavailable"):
        audit.count("demo", "runAction", "nav.settings", outcome)
    audit.count("a", "pet.say", "say", "rate")
    assert audit.as_json() == [
        {"plugin": "a", "kind": "pet.say", "what": "say", "asked": 1, "refused": 1, "outcomes": {"rate": 1}},
        {
            "plugin": "demo",
            "kind": "runAction",
            "what": "nav.settings",
            "asked": 4,
            "refused": 2,
            "outcomes": {"denied": 1, "ok": 2, "unavailable": 1},
        },
    ]


def test_the_audit_is_bounded_and_still_counts_everyone() -> None:
    audit = Audit()
    for number in range(AUDITED_PLUGINS + 500):
        audit.count(f"plugin{number}", "pet.say", "say", "ok")
    rows = audit.as_json()
    assert len(rows) == AUDITED_PLUGINS + 1
    assert sum(row["asked"] for row in rows) == AUDITED_PLUGINS + 500  # type: ignore[index, misc, call-overload]
