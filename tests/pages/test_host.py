"""The host's side: catalogue, probes, pages, and who may press what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loader.pages.grants import Call, Choice, Grants, NoCall, judge_action, scope_of
from loader.pages.host import (
    MANIFEST_LIMIT_LETTERS,
    CatalogEntry,
    Fetched,
    Judged,
    open_page,
    page_path,
    probe,
    read_catalog,
    read_manifest,
    read_page,
)
from loader.pages.limits import poll_interval_s
from loader.pages.paths import PathFault
from loader.state import StateFile
from tests.pages.building import document, line

ENTRY = CatalogEntry("weather", "Weather")
WRITES = Choice(True, frozenset({"plugin.api.write"}))


def answer(value: Any, status: int = 200) -> Fetched:
    return Fetched(status, json.dumps(value))


def manifest(*contributions: Any, **more: Any) -> Fetched:
    return answer({"schema_version": 1, "id": "weather", "contributions": list(contributions), **more})


def contribution(name: str = "home", **more: Any) -> dict[str, Any]:
    return {"id": name, "title": name, "document": {"path": f"pages/{name}"}, **more}


def test_a_catalogue_says_what_is_worth_a_probe_and_why_the_rest_is_not() -> None:
    rows = [
        {"name": " weather ", "label": "", "has_api": True},
        {"name": "bare"},
        {"name": "by-file", "api": "plugin_api.py", "icon": "Sun"},
        {"name": "../x", "has_api": True},
        {"name": "weather", "has_api": True},
        {"label": "nameless"},
        7,
    ]
    found = read_catalog(rows)
    assert not isinstance(found, str)
    entries, faults = found
    assert [(entry.id, entry.label, entry.icon) for entry in entries] == [
        ("weather", "weather", "Puzzle"),
        ("by-file", "by-file", "Sun"),
    ]
    assert [fault.name for fault in faults] == ["bare", "../x", "weather", "", ""]


@pytest.mark.parametrize("value", [{}, None, "[]"])
def test_what_is_no_array_is_no_catalogue(value: object) -> None:
    assert isinstance(read_catalog(value), str)


@pytest.mark.parametrize(
    ("fetched", "said"),
    [
        (Fetched(404, "{}"), "404"),
        (Fetched(0, "", "no answer within 5 s"), "no answer"),
        (Fetched(200, "<html>"), "HP701"),
        (answer([]), "HP705"),
        (answer({"id": "climate"}), "HP716"),
        (answer({"id": "weather", "schema_version": 2}), "HP708"),
        (manifest(contribution(), {"id": "b", "document": {"path": "x"}}), "HP704"),
    ],
)
def test_a_manifest_that_is_refused_says_why(fetched: Fetched, said: str) -> None:
    surface = read_manifest(ENTRY, fetched)
    assert surface.manifest is None
    assert surface.pages == ()
    assert surface.why is not None
    assert said in surface.why


def test_one_bad_path_costs_its_page_only() -> None:
    surface = read_manifest(ENTRY, manifest(contribution("a", document={"path": "../config"}), contribution("b")))
    assert surface.why is None
    assert surface.check is not None
    assert not surface.check.ok
    assert isinstance(page_path(surface, "a"), PathFault)
    assert page_path(surface, "b") == "/api/plugins/weather/pages/b"


def test_pages_are_what_can_be_opened() -> None:
    surface = read_manifest(
        ENTRY,
        manifest(
            contribution("a"),
            contribution("a", title="second"),
            contribution("w", surface="widget"),
            contribution("p", document={"path": "p", "method": "POST"}),
            display_name="Sky",
            updates={"poll_seconds": 900},
        ),
    )
    assert [page.id for page in surface.pages] == ["a"]
    assert (surface.name, surface.poll_s) == ("Sky", 300)
    assert isinstance(page_path(surface, "p"), PathFault)


@pytest.mark.parametrize(("said", "every"), [(None, None), (-1, 5), (0, 5), (5, 5), (30, 30), (300, 300), (900, 300)])
def test_polling_is_held_between_five_seconds_and_five_minutes(said: int | None, every: int | None) -> None:
    assert poll_interval_s(said) == every


def test_a_page_is_canonical_or_says_why_not() -> None:
    good = read_page(("weather", "home"), answer(document(line())))
    assert good.document is not None
    assert good.document["pages"][0]["content"]["animation"] == {"enter": "NONE", "change": "NONE", "speed": "NORMAL"}
    assert "no page 'other'" in str(read_page(("weather", "other"), answer(document(line()))).why)
    assert "HP706" in str(read_page(("weather", "home"), answer(document({"type": "web_view", "id": "w"}))).why)
    assert "500" in str(read_page(("weather", "home"), answer({}, 500)).why)


@pytest.mark.anyio
async def test_a_plugin_is_asked_below_its_own_routes_only() -> None:
    asked: list[str] = []
    judged = Judged()
    answers = {
        "/api/plugins/weather/mobile/manifest": manifest(contribution(), contribution("x", document={"path": "//e"}))
    }

    async def fetch(path: str, timeout_s: float) -> Fetched:
        asked.append(path)
        return answers.get(path, answer(document(line())))

    surface = await probe(ENTRY, fetch, judged)
    assert (await open_page(surface, "home", fetch, judged)).document is not None
    assert (await open_page(surface, "x", fetch, judged)).document is None
    assert (await open_page(surface, "unknown", fetch, judged)).document is None
    assert asked == ["/api/plugins/weather/mobile/manifest", "/api/plugins/weather/pages/home"]


def test_a_manifest_that_nobody_would_read_is_not_judged() -> None:
    most = manifest(contribution(), display_name="x" * 100)
    filler = "x" * (100 + MANIFEST_LIMIT_LETTERS - len(most.text))
    assert read_manifest(ENTRY, manifest(contribution(), display_name=filler)).why is None
    beyond = read_manifest(ENTRY, manifest(contribution(), display_name=filler + "x"))
    assert "262144 letters" in str(beyond.why) and beyond.pages == ()


@pytest.mark.anyio
async def test_the_same_answer_is_judged_once_however_often_it_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a host that sends a large manifest costs its seconds at every look."""
    monkeypatch.setattr("loader.pages.host.JUDGED_LIMIT_LETTERS", 3 * 1024)
    read: list[tuple[str, str]] = []

    def judge(key: str, fetched: Fetched) -> str:
        read.append((key, fetched.text))
        return fetched.text

    judged = Judged()
    for text in ("one", "one", "two", "two", "one"):
        assert await judged.of(judge, "weather", Fetched(200, text)) == text
    assert read == [("weather", "one"), ("weather", "two"), ("weather", "one")]
    # What is kept is bounded: the oldest goes, what is too large alone is kept until another comes.
    for key in ("a", "b", "weather", "a", "b", "weather"):
        await judged.of(judge, key, Fetched(200, key * 100))
    assert [key for key, _ in read[3:]] == ["a", "b", "weather", "a", "b", "weather"]


# ---------------------------------------------------------------- enablement and grants


def press(choice: Choice = WRITES, **more: Any) -> Call | NoCall:
    given: dict[str, Any] = {"default_enabled": False, "asks": False, "confirmed": False, **more}
    return judge_action("weather", given.pop("method", "POST"), given.pop("path", "save"), choice=choice, **given)


@pytest.mark.parametrize(
    ("method", "body"), [("POST", True), ("put", True), ("PATCH", True), ("DELETE", False), ("GET", False)]
)
def test_a_granted_action_is_sent_below_its_own_routes(method: str, body: bool) -> None:
    assert press(method=method) == Call(method.upper(), "/api/plugins/weather/save", body)


def test_nothing_is_on_or_granted_by_default() -> None:
    assert press(Choice()) == NoCall("disabled", "the plugin's pages are switched off")
    answered = press(Choice(), default_enabled=True)
    assert isinstance(answered, NoCall)
    assert answered.why == "not-granted"
    assert isinstance(press(Choice(), default_enabled=True, method="GET"), Call)
    # An explicit off outlives the manifest's wish.
    assert isinstance(press(Choice(enabled=False), default_enabled=True, method="GET"), NoCall)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"asks": True}, "unconfirmed"),
        ({"asks": True, "method": "GET"}, "unconfirmed"),
        ({"method": "FETCH"}, "method"),
        ({"path": "../config"}, "path"),
        ({"path": "/api/plugins/other/x"}, "path"),
        ({"choice": Choice(True), "method": "FETCH"}, "not-granted"),
    ],
)
def test_what_is_not_sent_says_why(more: dict[str, Any], why: str) -> None:
    answered = press(**more)
    assert isinstance(answered, NoCall)
    assert answered.why == why
    assert not isinstance(press(asks=True, confirmed=True), NoCall)


def test_a_scope_is_one_for_every_spelling_of_the_default_profile() -> None:
    assert len({scope_of("here", profile, "weather").key for profile in (None, "", " ", "__server_default__")}) == 1
    others = {
        scope_of("here", "a", "weather").key,
        scope_of("there", "a", "weather").key,
        scope_of("here", "a", "x").key,
    }
    assert len(others) == 3
    for connection, plugin in (("", "weather"), ("here", "../x")):
        with pytest.raises(ValueError, match="scope"):
            scope_of(connection, None, plugin)


def test_choices_are_kept_by_scope_and_switching_off_keeps_grants(tmp_path: Path) -> None:
    grants = Grants(StateFile(tmp_path / "state" / "page-grants.json"))
    here, there = scope_of("here", None, "weather"), scope_of("there", None, "weather")
    assert grants.of(here) == Choice()
    grants.enable(here, True)
    assert grants.grant(here, True) == WRITES
    assert grants.enable(here, False) == Choice(False, WRITES.grants)
    assert grants.grant(here, False) == Choice(False)
    assert grants.of(there) == Choice()
    assert "weather" not in (tmp_path / "state" / "page-grants.json").read_text("utf-8")
