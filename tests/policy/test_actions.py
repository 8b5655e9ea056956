import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.nouns import Json
from loader.policy.actions import Ran, Refused, answered, app_actions, unavailable
from tests.naming import spelled

TABLE = app_actions()


def reason(action: Json) -> str | None:
    refusal = TABLE.refusal(action)
    return refusal.reason if refusal else None


def test_the_table_is_the_one_in_the_data_file() -> None:
    data = json.loads((files("sdk_stubs") / "app_actions.json").read_text(encoding="utf-8"))
    assert list(TABLE.allowed) == [row["id"] for row in data["allowed"]]
    assert list(TABLE.denied) == [row["id"] for row in data["known"]]
    assert len(TABLE.allowed) == 21
    assert not set(TABLE.allowed) & set(TABLE.denied)
    assert not set(data["fixed_rows"]) & (set(TABLE.allowed) | set(TABLE.denied))


@pytest.mark.parametrize("action", TABLE.allowed)
def test_allowed_ids_pass(action: str) -> None:
    assert reason(action) is None


@pytest.mark.parametrize("action", TABLE.denied)
def test_known_ids_are_denied(action: str) -> None:
    assert reason(action) == "denied"


@pytest.mark.parametrize(
    "action",
    [
        *("constructor", "__proto__", "toString", "hasOwnProperty", "__class__", "__init__", "__dict__"),
        *("View.showBrowser", "view.showbrowser", " view.showBrowser", "view.showBrowser ", "view.showBrowser\n"),
        *("view․showBrowser", "viеw.showBrowser", "ｖiew.showBrowser", "view.showBrowser\u200b", "view"),
        *(
            "nav.skills",
            "composer.send",
            "session.delete",
            "app.quit",
            "auth.signOut",
            "model.switch",
            "",
            "x" * 100_000,
        ),
        *(None, True, 0, 1.5, [], ["view.showBrowser"], {}, {"action": "view.showBrowser"}),
    ],
    ids=spelled,
)
def test_everything_else_is_unknown(action: Json) -> None:
    refusal = TABLE.refusal(action)
    assert refusal is not None and refusal.reason == "unknown"
    assert len(refusal.error) < 250


@given(st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.text()), st.none()))
def test_no_id_raises_and_the_answer_is_bounded(action: Json) -> None:
    refusal = TABLE.refusal(action)
    assert refusal is None or len(json.dumps(refusal.as_json())) < 1_500


def test_the_words_of_the_refusals() -> None:
    denied, unknown = TABLE.refusal("session.archive"), TABLE.refusal("app.quit")
    assert denied is not None and denied.error.startswith("'session.archive' is not available to plugins. ")
    assert unknown is not None and unknown.error.startswith("'app.quit' is not a Hermes app action. ")
    for refusal in (denied, unknown):
        assert "listActions" in refusal.error
    assert denied.as_json() == {"ok": False, "reason": "denied", "error": denied.error}
    assert Ran().as_json() == {"ok": True}


def test_an_announcement_takes_away_and_never_adds() -> None:
    assert TABLE.owned([]) == frozenset(TABLE.allowed)
    assert TABLE.owned([None]) == frozenset(TABLE.allowed)
    assert TABLE.owned([frozenset()]) == frozenset()
    assert TABLE.owned([frozenset({"nav.settings", "session.archive", "app.quit"})]) == {"nav.settings"}
    assert TABLE.owned([frozenset({"nav.settings"}), frozenset({"session.new"})]) == {"nav.settings", "session.new"}
    assert TABLE.owned([frozenset({"nav.settings"}), None]) == frozenset(TABLE.allowed)


def test_the_list_keeps_the_order_of_the_allowlist() -> None:
    owned = frozenset({"keybinds.openPanel", "composer.focus", "view.showBrowser"})
    assert [row["id"] for row in TABLE.listed(owned)] == ["view.showBrowser", "composer.focus", "keybinds.openPanel"]
    assert TABLE.listed(owned)[0] == {"id": "view.showBrowser", "label": "Toggle browser", "category": "view"}


def test_the_table_for_shells_has_a_verdict_for_every_action() -> None:
    rows = {row["id"]: row["verdict"] for row in TABLE.verdicts(frozenset({"nav.settings"}))}
    assert rows.keys() == TABLE.allowed.keys() | TABLE.denied.keys()
    assert rows["nav.settings"] == "ok"
    assert rows["nav.cron"] == "unavailable"
    assert rows["session.archive"] == "denied"


@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        "ok",
        [],
        {},
        {"ok": False},
        {"ok": 1},
        {"ok": "true"},
        {"error": "x"},
        {"ok": False, "error": {"a": 1}},
    ],
    ids=spelled,
)
def test_an_answer_that_is_no_plain_yes_is_unavailable(answer: Json) -> None:
    result = answered("nav.settings", answer)
    assert isinstance(result, Refused) and result.reason == "unavailable"


def test_the_words_of_a_shell_are_cleaned_and_bounded() -> None:
    result = answered("nav.settings", {"ok": False, "error": "no\u202e pane\n" * 10_000})
    assert isinstance(result, Refused)
    assert "no pane no pane" in result.error
    assert "\u202e" not in result.error and "\n" not in result.error
    assert len(result.error) < 300


def test_every_unavailable_names_its_action() -> None:
    assert "'nav.settings'" in unavailable("nav.settings", "no window").error
