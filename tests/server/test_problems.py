from typing import Any

import pytest

from loader.server import problems
from loader.server.problem_kinds import FOREIGN_HOST, Kind
from loader.server.problems import Bugs, Problem, refuse

pytestmark = pytest.mark.anyio
KINDS = [value for value in vars(problems).values() if isinstance(value, Kind)]


class Wire:
    """What an ASGI app sends, and nothing to receive."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))

    async def receive(self) -> Any:
        raise AssertionError("nothing was to be read")


def socket_scope(*extensions: str) -> dict[str, Any]:
    return {"type": "websocket", "path": "/v1/events", "headers": [], "extensions": {key: {} for key in extensions}}


def test_kinds_are_told_apart_by_their_type_alone() -> None:
    assert len({kind.type for kind in KINDS}) == len(KINDS)
    assert all(400 <= kind.status < 600 and kind.title for kind in KINDS)


async def test_a_socket_is_denied_with_its_status_where_the_server_can() -> None:
    wire = Wire()
    await refuse(Problem(FOREIGN_HOST, "why"), socket_scope("websocket.http.response"), wire.receive, wire.send)
    assert [message["type"] for message in wire.sent] == [
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert wire.sent[0]["status"] == 421


async def test_a_socket_is_closed_before_it_is_accepted_where_the_server_cannot() -> None:
    wire = Wire()
    await refuse(Problem(FOREIGN_HOST, "why"), socket_scope(), wire.receive, wire.send)
    assert [message["type"] for message in wire.sent] == ["websocket.close"]


def test_a_lone_surrogate_in_the_detail_still_makes_a_document() -> None:
    assert b"\\ud800" in bytes(Problem(FOREIGN_HOST, "\ud800").response().body)


async def test_a_failure_in_the_middle_of_an_answer_adds_no_second_one(caplog: pytest.LogCaptureFixture) -> None:
    async def half(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("a bug")

    wire = Wire()
    await Bugs(half)({"type": "http", "path": "/modules/secret-capability/plugin.js"}, wire.receive, wire.send)
    assert len(wire.sent) == 1
    assert "a bug" in caplog.text and "secret-capability" not in caplog.text
