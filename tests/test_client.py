import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.server import ServerConnection, serve

from loader import client, errors
from loader.client import Client, NoService, ShellsSilent
from loader.home import Home
from loader.server.endpoint import Endpoint, announced, claim
from loader.server.hub import CLOSE_TOO_SLOW
from loader.server.problem_kinds import APPROVAL_REQUIRED, INVALID, REFUSED, TIMED_OUT, UNAUTHORIZED, UNKNOWN_PLUGIN
from loader.server.problems import Problem
from loader.server.protocol import SUBPROTOCOL
from tests.server.served import home_at

ENDPOINT = Endpoint("http://127.0.0.1:8787", "secret-token", 1, "0", "i1", "now")
Answer = Callable[[httpx.Request], httpx.Response]


def a_client(answer: Answer) -> Client:
    return Client(ENDPOINT, transport=httpx.MockTransport(answer))


def recorded(found: list[tuple[str, str, Any]], body: Any) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer secret-token"
        sent = json.loads(request.content) if request.content else None
        found.append((request.method, request.url.raw_path.decode(), sent))
        return httpx.Response(200, json=body)

    return answer


def test_each_method_asks_its_route() -> None:
    found: list[tuple[str, str, Any]] = []
    with a_client(recorded(found, {"plugins": [], "code": "a/b", "id": "x"})) as connected:
        connected.health()
        connected.plugins()
        connected.plugin("standalone:clock")
        connected.source("clock")
        connected.reload()
        connected.reload(["clock"], wait_s=2)
        connected.choose("clock", None)
        connected.pin("clock")
        connected.pin("clock", "sha256-x")
        connected.unpin("../evil")
        connected.allow_heavy("clock")
        assert connected.page_link() == "http://127.0.0.1:8787/#code=a%2Fb"
    assert found == [
        ("GET", "/v1/health", None),
        ("GET", "/v1/plugins", None),
        ("GET", "/v1/plugins/standalone%3Aclock", None),
        ("GET", "/v1/plugins/clock/source", None),
        ("POST", "/v1/reload", {"wait_s": 0.0}),
        ("POST", "/v1/reload", {"wait_s": 2, "ids": ["clock"]}),
        ("PUT", "/v1/plugins/clock/enabled", {"enabled": None}),
        ("PUT", "/v1/plugins/clock/integrity", {"integrity": None}),
        ("PUT", "/v1/plugins/clock/integrity", {"integrity": "sha256-x"}),
        ("DELETE", "/v1/plugins/..%2Fevil/integrity", None),
        ("PUT", "/v1/plugins/clock/heavy", {"allowed": True}),
        ("POST", "/v1/session/code", None),
    ]


@pytest.mark.parametrize(
    ("kind", "error", "exit_code"),
    [
        (UNKNOWN_PLUGIN, errors.UsageError, 2),
        (INVALID, errors.UsageError, 2),
        (REFUSED, errors.LoaderError, 3),
        (UNAUTHORIZED, errors.LoaderError, 3),
        (APPROVAL_REQUIRED, errors.NeedsPerson, 4),
        (TIMED_OUT, errors.TimedOut, 5),
    ],
)
def test_a_problem_becomes_the_exception_of_who_can_mend_it(
    kind: Any, error: type[errors.LoaderError], exit_code: int
) -> None:
    answer = Problem(kind, "this is why").response()

    def refuse(_: httpx.Request) -> httpx.Response:
        return httpx.Response(answer.status_code, content=bytes(answer.body), headers=answer.headers)

    with pytest.raises(error, match="this is why") as found, a_client(refuse) as connected:
        connected.plugins()
    assert type(found.value) is error and found.value.exit_code == exit_code


def test_a_token_that_is_not_known_any_more_means_another_service() -> None:
    refused = httpx.Response(401, json={"type": "x", "detail": "send a token"})
    with pytest.raises(errors.LoaderError, match="connect again"), a_client(lambda _: refused) as connected:
        connected.plugins()


def test_an_answer_that_is_no_problem_document_is_an_error_all_the_same() -> None:
    with pytest.raises(errors.LoaderError, match="502"), a_client(lambda _: httpx.Response(502)) as connected:
        connected.plugins()


def failing(error: Exception) -> Answer:
    def fail(_: httpx.Request) -> httpx.Response:
        raise error

    return fail


def test_a_service_that_went_away_is_told_from_one_that_is_slow() -> None:
    with pytest.raises(errors.LoaderError) as gone, a_client(failing(httpx.ConnectError("refused"))) as connected:
        connected.plugins()
    assert gone.value.exit_code == 3
    with pytest.raises(errors.TimedOut), a_client(failing(httpx.ReadTimeout("slow"))) as connected:
        connected.plugins()


def test_without_a_service_it_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(NoService, match="hermes-desktop serve") as found:
        client.reload(tmp_path)
    assert found.value.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_is_none_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(errors.UsageError):
        client.reload(tmp_path / "nowhere")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_at(tmp_path)


def test_an_address_is_believed_while_its_lock_is_held(home: Home) -> None:
    with claim(home.state_dir), announced(home.state_dir, ENDPOINT):
        # Held by this very process, which is as good as by another one.
        assert client.find(home) == ENDPOINT
    assert client.find(home) is None


def rows(*states: str) -> list[dict[str, Any]]:
    return [{"id": "clock", "shells": [{"shell": f"s{i}", "state": state} for i, state in enumerate(states)]}]


def test_silent_shells_are_those_that_have_not_said_anything() -> None:
    assert client.silent_shells(rows("loaded", "pending", "failed")) == ["clock in s1"]
    assert client.silent_shells(rows()) == []


def test_a_silent_shell_is_an_exception_with_all_that_is_known() -> None:
    silent = ShellsSilent("not within 1 s: clock in s1", rows("pending"))
    assert silent.exit_code == 5 and silent.rows == rows("pending")


def test_a_token_is_in_no_repr() -> None:
    assert "secret-token" not in repr(ENDPOINT) and "secret-token" not in repr(a_client(lambda _: httpx.Response(200)))


# ---------------------------------------------------------------- events


@contextmanager
def saying(*frames: str, code: int = 1001) -> Iterator[Client]:
    """A client of a service that says these frames to whoever connects, and closes."""

    def serve_one(socket: ServerConnection) -> None:
        for frame in frames:
            socket.send(frame)
        socket.close(code)

    with serve(serve_one, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL]) as server:  # type: ignore[list-item]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with Client(replace(ENDPOINT, url=f"http://127.0.0.1:{server.socket.getsockname()[1]}")) as connected:
                yield connected
        finally:
            server.shutdown()
            thread.join()


def frame(method: str, **more: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": {}, **more})


def test_events_come_until_the_service_ends_and_its_questions_to_shells_are_passed_over() -> None:
    asked = frame("pet/lines", id=7)
    with saying(frame("hello"), asked, frame("x", params=None), frame("plugin/loaded")) as connected:
        assert [event.method for event in connected.events("i:1")] == ["hello", "plugin/loaded"]


def test_a_reader_that_was_too_slow_is_told_so() -> None:
    with saying(frame("hello"), code=CLOSE_TOO_SLOW) as connected:
        events = connected.events()
        assert next(events).method == "hello"
        with pytest.raises(errors.LoaderError, match="were not read in time"):
            next(events)


@pytest.mark.parametrize("text", ["no JSON", "[]", "[" * 100_000, '{"a": NaN}'])
def test_what_is_no_event_is_an_error_and_no_end(text: str) -> None:
    with saying(text) as connected, pytest.raises(errors.LoaderError, match="sent what is no event"):
        list(connected.events())


def test_a_service_that_takes_no_connection_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    refused = pytest.raises(errors.LoaderError, match="does not take the connection")
    with Client(replace(ENDPOINT, url=url)) as connected, refused:
        list(connected.events())


def test_a_reload_that_a_shell_does_not_answer_raises_with_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = recorded([], {"plugins": rows("loaded", "pending")})
    monkeypatch.setattr(client, "connect", lambda _: a_client(answer))
    with pytest.raises(ShellsSilent, match="not within 2 s: clock in s1") as raised:
        client.reload(home_at(tmp_path), ["clock"], wait_s=2)
    assert raised.value.rows == rows("loaded", "pending")
    assert client.reload(home_at(tmp_path), ["clock"]) == rows("loaded", "pending")
