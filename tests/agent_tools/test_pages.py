"""The tools for drafted pages: strings of JSON, a session's own drafts, and a person's decisions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from loader.agent_tools.answering import answer
from loader.agent_tools.registry import TOOLS
from loader.agent_tools.tool import Answer, Desk
from loader.cli.check_now import Checker
from loader.cli.options import home_of
from loader.pages.drafts import DraftStore
from tests.cli.conftest import RunningService
from tests.pages.building import LABEL, document, line

pytestmark = pytest.mark.anyio

Call = Callable[..., Awaitable[tuple[Any, bool]]]


@pytest.fixture
async def session(home: Path, no_engine: None) -> AsyncIterator[Call]:
    """One agent's session: ``await session("draft_page", plugin_id=…)`` gives the JSON, and whether it failed."""
    checker = Checker((), 1)
    yield _session(Desk(lambda: home_of(None, None), checker))
    await checker.close()


def _session(desk: Desk) -> Call:
    async def call(tool: str, **arguments: Any) -> tuple[Any, bool]:
        found: Answer = await answer(TOOLS, desk, tool, arguments)
        try:
            return json.loads(found.text), found.failed
        except ValueError:
            return found.text, found.failed

    return call


def trip(**more: Any) -> dict[str, Any]:
    return {"plugin_id": "trip", "title": "Trip", "document": document(line(), page="trip"), **more}


async def test_a_page_is_drafted_listed_and_taken_back(session: Call, home: Path) -> None:
    drafted, failed = await session("draft_page", **trip())
    assert not failed
    assert (drafted["id"], drafted["revision"], drafted["findings"]) == ("trip", 1, [])
    listed, _ = await session("list_pages")
    assert [row["digest"] for row in listed["plugins"]] == [drafted["digest"]]
    assert "document" not in listed["plugins"][0]
    assert await session("remove_page", plugin_id=" TRIP ") == ({"ok": True, "id": "trip"}, False)
    assert await session("list_pages") == ({"plugins": []}, False)


async def test_what_no_host_shows_is_refused_with_places_and_fixes(session: Call) -> None:
    asked = {"type": "button", "id": "B", "label": LABEL, "action": {"id": "a", "request": {"path": "x"}}}
    told, failed = await session("draft_page", **trip(document=document(asked, page="trip")))
    assert failed
    assert [line.split()[1] for line in told["findings"]] == ["HP709", "HP714"]
    assert all("Fix: " in line for line in told["findings"])
    assert await session("list_pages") == ({"plugins": []}, False)


async def test_publishing_is_asked_and_never_done(session: Call, home: Path) -> None:
    drafted, _ = await session("draft_page", **trip())
    told, failed = await session("publish_page", plugin_id="trip")
    assert not failed
    assert told["approval_required"] is True
    assert told["digest"] == drafted["digest"]
    store = DraftStore(home)
    assert store.get("trip").status == "draft"
    store.promote("trip", told["digest"])
    asked, _ = await session("remove_page", plugin_id="trip")
    assert (asked["approval_required"], asked["approval_endpoint"]) == (True, "mobile/plugins/trip/remove")
    over, failed = await session("draft_page", **trip())
    assert failed
    assert "published" in over


async def test_another_session_sees_nothing_of_it(session: Call) -> None:
    await session("draft_page", **trip())
    checker = Checker((), 1)
    other = _session(Desk(lambda: home_of(None, None), checker))
    assert await other("list_pages") == ({"plugins": []}, False)
    for tool in ("publish_page", "remove_page"):
        told, failed = await other(tool, plugin_id="trip")
        assert failed
        assert "no draft" in told
    assert (await other("draft_page", **trip()))[1]
    await checker.close()


@pytest.mark.parametrize("arguments", [{}, trip(title=7), trip(document="x"), trip(lifecycle=[]), trip(extra=1)])
async def test_wrong_arguments_are_an_answer(session: Call, arguments: dict[str, Any]) -> None:
    told, failed = await session("draft_page", **arguments)
    assert failed
    assert isinstance(told, str)


async def test_a_hundred_drafts_fit_into_one_answer(session: Call, home: Path) -> None:
    store = DraftStore(home)
    for name in (f"p{number}" for number in range(70)):
        kept = {"plugin_id": name, "document": document(line(), page=name), "lifecycle": "persistent"}
        store.draft(trip() | kept, "s")
    listed, _ = await session("list_pages")
    assert (len(listed["plugins"]), listed["more"]) == (60, 10)


def test_a_draft_is_told_to_the_running_service(service: RunningService, no_engine: None) -> None:
    async def draft() -> Any:
        checker = Checker((), 1)
        told, _ = await _session(Desk(lambda: home_of(None, None), checker))("draft_page", **trip())
        await checker.close()
        return told

    with service.client as connected:
        before = connected.health()["seq"]
        told = asyncio.run(draft())
        assert told["shown_at"].endswith("/workbench/pages.html#/drafts/trip")
        assert connected.health()["seq"] > before
