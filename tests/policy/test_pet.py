import pytest

from loader.nouns import Json
from loader.policy.pet import PetBook, ttl_ms
from tests.naming import spelled


def book(**names: str) -> PetBook:
    made = PetBook(label_of=names.get)
    made.visible = True
    return made


def texts(made: PetBook, now_s: float) -> list[str]:
    return [line.text for line in made.shown(now_s)]


def test_a_line_is_accepted_shown_and_ends() -> None:
    pet = book(demo="Demo")
    said = pet.say("demo", "  build\n done ", 10.0, line_id="ci", tone="wait", ttl=2_000)
    assert said.as_json() == {"ok": True, "line": "ci"}
    (line,) = pet.shown(11.0)
    assert line.as_json(11.0) == {
        "plugin": "demo",
        "id": "ci",
        "label": "Demo",
        "text": "build done",
        "tone": "wait",
        "expires_in_ms": 1000,
    }
    assert line.as_json(11.9997)["expires_in_ms"] == 1
    assert line.as_json(11.9988)["expires_in_ms"] == 2
    assert line.as_json(12.0)["expires_in_ms"] == line.as_json(99.0)["expires_in_ms"] == 0
    assert texts(pet, 11.999) == ["build done"]
    assert texts(pet, 12.0) == []


@pytest.mark.parametrize("now_s", [1231.0, 1000.001, 77_777.7, 0.1])
@pytest.mark.parametrize("ttl", [1000, 1001, 6001, 29_999, 30_000])
def test_a_fresh_line_lives_exactly_as_long_as_was_asked_for(now_s: float, ttl: int) -> None:
    pet = book()
    pet.say("demo", "x", now_s, ttl=ttl)
    (line,) = pet.shown(now_s)
    assert line.as_json(now_s)["expires_in_ms"] == ttl


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, 6000),
        (5000, 5000),
        (1, 1000),
        (-5, 1000),
        (0, 1000),
        (30_001, 30_000),
        (10**400, 30_000),
        (-(10**400), 1000),
        (1e308, 30_000),
        (float("inf"), 6000),
        (float("nan"), 6000),
        ("5000", 6000),
        (True, 6000),
        ([], 6000),
        ({}, 6000),
    ],
    ids=spelled,
)
def test_ttl_is_clamped_and_defaults(value: Json, expected: float) -> None:
    assert ttl_ms(value) == expected


@pytest.mark.parametrize("text", [None, "", "  \n\t", "\u202e\u2066\x07 \u200e", "\u200b"], ids=spelled)
def test_an_empty_text_is_dropped_and_not_counted(text: Json) -> None:
    pet = book()
    for _ in range(50):
        assert pet.say("demo", text, 0.0).as_json() == {"ok": False, "reason": "empty"}
    assert pet.say("demo", "x", 0.0).reason is None


def test_a_bad_id_is_dropped_and_not_counted() -> None:
    pet = book()
    for bad in ["x" * 65, "\u202e", "", "🙂" * 65] * 5:
        assert pet.say("demo", "x", 0.0, line_id=bad).reason == "id"
    assert pet.say("demo", "x", 0.0, line_id="🙂" * 64).reason is None
    assert pet.say("demo", "x", 0.0, line_id=7).line == "7"


def test_the_checks_come_in_the_order_empty_id_rate_lines() -> None:
    pet = book()
    for number in range(3):
        pet.say("demo", "x", 0.0, line_id=str(number))
    for _ in range(7):
        assert pet.say("demo", "x", 0.0).reason == "lines"
    assert pet.say("demo", "x", 0.0).reason == "rate"
    assert pet.say("demo", "x", 0.0, line_id="x" * 65).reason == "id"
    assert pet.say("demo", "", 0.0, line_id="x" * 65).reason == "empty"


@pytest.mark.parametrize("tone", ["info", "wait", "warn", "error"])
def test_known_tones_are_kept_without_a_word(tone: str) -> None:
    pet = book()
    assert pet.say("demo", "x", 0.0, tone=tone).warning is None
    assert pet.shown(0.0)[0].tone == tone


@pytest.mark.parametrize("tone", ["loud", "INFO", 5, [], {}, True, "x" * 10_000], ids=spelled)
def test_an_unknown_tone_is_info_with_a_warning(tone: Json) -> None:
    pet = book()
    said = pet.say("demo", "x", 0.0, tone=tone)
    assert said.reason is None
    assert said.warning is not None and len(said.warning) < 150
    assert pet.shown(0.0)[0].tone == "info"


def test_the_same_id_replaces_in_place_and_restarts_its_life() -> None:
    pet = book()
    for name in "abc":
        pet.say("demo", name, 0.0, line_id=name)
    assert pet.say("demo", "B", 5.0, line_id=" b\u202e").line == "b"
    assert texts(pet, 5.0) == ["a", "B", "c"]
    assert texts(pet, 6.0) == ["B"]
    assert texts(pet, 10.999) == ["B"]
    assert texts(pet, 11.0) == []


def test_a_replacement_of_an_ended_line_is_a_new_line_at_the_end() -> None:
    pet = book()
    pet.say("demo", "a", 0.0, line_id="a", ttl=1000)
    pet.say("demo", "b", 0.0, line_id="b")
    pet.say("demo", "A", 2.0, line_id="a")
    assert texts(pet, 2.0) == ["b", "A"]


def test_replacements_count_as_calls() -> None:
    pet = book()
    reasons = [pet.say("demo", "x", 0.0, line_id="a").reason for _ in range(11)]
    assert reasons == [None] * 10 + ["rate"]


def test_a_dropped_call_does_not_extend_the_window() -> None:
    pet = book()
    for _ in range(10):
        pet.say("demo", "x", 0.0, line_id="a")
    for second in range(1, 10):
        assert pet.say("demo", "x", float(second), line_id="a").reason == "rate"
    assert pet.say("demo", "x", 10.0, line_id="a").reason is None


def test_a_line_over_the_limit_counts_as_a_call() -> None:
    pet = book()
    reasons = [pet.say("demo", "x", 0.0).reason for _ in range(12)]
    assert reasons == [None] * 3 + ["lines"] * 7 + ["rate"] * 2


def test_the_limits_of_one_plugin_are_not_those_of_another() -> None:
    pet = book()
    for _ in range(20):
        pet.say("noisy", "x", 0.0)
    assert pet.say("quiet", "x", 0.0).reason is None


def test_the_window_survives_a_reload_and_the_lines_do_not() -> None:
    pet = book()
    for _ in range(10):
        pet.say("demo", "x", 0.0, line_id="a", revision="r1")
    pet.drop_revision("demo", "r1")
    assert texts(pet, 0.0) == []
    assert pet.say("demo", "x", 1.0, revision="r2").reason == "rate"


def test_a_late_goodbye_to_the_old_revision_spares_lines_of_the_new() -> None:
    pet = book()
    pet.say("demo", "old", 0.0, line_id="a", revision="r1")
    pet.say("demo", "new", 0.0, line_id="b", revision="r2")
    pet.drop_revision("demo", "r1")
    assert texts(pet, 0.0) == ["new"]


def test_clear_takes_only_the_callers_own_lines() -> None:
    pet = book()
    pet.say("a", "a1", 0.0, line_id="x")
    pet.say("a", "a2", 0.0, line_id="y")
    pet.say("b", "b1", 0.0, line_id="x")
    assert pet.clear("a", 0.0, line_id="x")
    assert texts(pet, 0.0) == ["a2", "b1"]
    assert not pet.clear("a", 0.0, line_id="nothing")
    assert not pet.clear("c", 0.0)
    assert pet.clear("a", 0.0)
    assert texts(pet, 0.0) == ["b1"]


def test_a_disposer_spares_a_later_replacement() -> None:
    pet = book()
    pet.say("demo", "one", 0.0, line_id="x", call="1")
    pet.say("demo", "two", 0.0, line_id="x", call="2")
    assert not pet.clear("demo", 0.0, call="1")
    assert texts(pet, 0.0) == ["two"]
    assert pet.clear("demo", 0.0, call="2")
    assert texts(pet, 0.0) == []


def test_made_ids_never_meet_an_id_that_a_plugin_gave() -> None:
    pet = book()
    pet.say("demo", "given", 0.0, line_id="line:1")
    assert pet.say("demo", "made", 0.0).line == "line:2"
    assert texts(pet, 0.0) == ["given", "made"]


def test_the_label_is_the_inventorys_name_cleaned_and_cut_else_the_id() -> None:
    pet = book(long="Very\u202e long\n" + "🙂" * 60, blank=" \u202e ")
    pet.say("long", "x", 0.0)
    pet.say("blank", "x", 0.0)
    pet.say("nameless", "x", 0.0)
    labels = [line.label for line in pet.shown(0.0)]
    assert labels == ["Very long " + "🙂" * 30, "blank", "nameless"]


def test_nothing_shows_until_a_pet_is_reported_visible() -> None:
    pet = PetBook()
    pet.say("demo", "x", 0.0)
    assert pet.shown(0.0) == ()
    pet.visible = True
    assert texts(pet, 0.0) == ["x"]


@pytest.mark.parametrize("status", ["error", "waiting"])
def test_the_cores_status_wins_and_lines_come_back_if_they_still_live(status: str) -> None:
    pet = book()
    pet.say("demo", "short", 0.0, ttl=1000)
    pet.say("demo", "long", 0.0)
    pet.core_status = "error" if status == "error" else "waiting"
    assert pet.shown(0.5) == ()
    assert pet.say("demo", "meanwhile", 0.5).reason is None
    pet.core_status = "idle"
    assert texts(pet, 2.0) == ["long", "meanwhile"]


def test_hidden_calls_still_count() -> None:
    pet = PetBook()
    reasons = [pet.say("demo", "x", 0.0, line_id="a").reason for _ in range(11)]
    assert reasons[-1] == "rate"


def test_a_clock_that_steps_back_changes_nothing() -> None:
    pet = book()
    for _ in range(10):
        pet.say("demo", "x", 100.0, line_id="a")
    assert pet.say("demo", "x", 0.0, line_id="a").reason == "rate"
    assert texts(pet, -1e9) == ["x"]
    assert texts(pet, 106.0) == []


def test_nothing_is_remembered_of_plugins_that_fell_silent() -> None:
    pet = book()
    for number in range(2_000):
        pet.say(f"plugin{number}", "x", number * 1.0)
    lines, windows = pet.remembered()
    assert lines <= 6 and windows <= 10
    pet.live(5_000.0)
    assert pet.remembered() == (0, 0)
    assert pet.next_expiry_s() is None
