"""``/v1/events`` on a real socket."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from loader.server.hub import Hub
from loader.server.sessions import SESSION_LIFE_S
from loader.server.sockets import CLOSE_SESSION_OVER
from loader.testing import until
from tests.server.fakes import TOKEN
from tests.server.running import Running, WsClient, mounted, running

pytestmark = pytest.mark.anyio


async def shake(service: Running, **headers: str) -> int:
    """The status of a handshake: 101, or the refusal's."""
    protocols = headers.pop("protocols", "hermes-plugins.v1")
    try:
        async with connect(
            f"ws://127.0.0.1:{service.port}{headers.pop('path', '/v1/events')}",
            subprotocols=protocols.split(", ") if protocols else None,  # type: ignore[arg-type]
            additional_headers={name: value for name, value in headers.items() if name not in ("Origin", "Host")},
            origin=headers.get("Origin"),  # type: ignore[arg-type]
            proxy=None,
            host="127.0.0.1",
            port=service.port,
        ) as connection:
            await connection.recv()
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


# ---------------------------------------------------------------- entering


async def test_cross_site_handshakes_are_refused_before_the_socket_is_accepted(service: Running) -> None:
    """The case cross-site-websocket."""
    right = f"hermes-plugins.v1, bearer.{TOKEN}"
    own = service.url
    for origin in (
        *("https://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example"),
        "http://evil.example/?http://localhost",
    ):
        assert await shake(service, Origin=origin, protocols=right) == 403, origin
    assert await shake(service, Origin=own) == 401
    assert await shake(service, Origin=own, protocols="hermes-plugins.v1, bearer.wrong") == 401
    assert await shake(service, Origin=own, protocols=right) == 101


async def test_a_rebound_name_is_refused(service: Running) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    writer.write(
        (
            f"GET /v1/events HTTP/1.1\r\nHost: evil.example\r\nOrigin: {service.url}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: hermes-plugins.v1, bearer.{TOKEN}\r\n\r\n"
        ).encode()
    )
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert b"urn:hermes-desktop:problem:foreign-host" in answer
    writer.close()


async def test_tokens_count_in_the_header_too(service: Running) -> None:
    assert await shake(service, Authorization=f"Bearer {TOKEN}") == 101
    assert await shake(service, Authorization=f"Bearer {TOKEN}", protocols="") == 101
    assert await shake(service, Authorization="Bearer wrong", protocols=f"hermes-plugins.v1, bearer.{TOKEN}") == 401


async def test_a_subprotocol_that_is_not_ours_is_refused(service: Running) -> None:
    assert await shake(service, protocols=f"hermes-plugins.v2, bearer.{TOKEN}") == 400


async def test_the_server_selects_its_own_subprotocol(service: Running) -> None:
    async with service.client() as client:
        assert client.connection.subprotocol == "hermes-plugins.v1"


async def test_what_a_session_opened_ends_with_it(service: Running) -> None:
    """Else a page would be told of everything, and could act, after the twelve hours that it was let in for."""
    credentials, now_s = service.parts.credentials, 0.0
    credentials._now_s = lambda: now_s
    session = credentials.redeem(credentials.issue_code())
    assert session is not None
    now_s = SESSION_LIFE_S - 0.2
    async with service.client() as tool, service.client(token=session.token) as person:
        await person.event("hello")
        with pytest.raises(ConnectionClosed) as closed:
            await person.frame()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == CLOSE_SESSION_OVER
        await tool.event("hello")
        assert await tool.result("ping") is not None
    now_s = SESSION_LIFE_S
    assert await shake(service, protocols=f"hermes-plugins.v1, bearer.{session.token}") == 401


async def test_a_plugin_token_does_not_open_the_events(service: Running) -> None:
    token = service.parts.credentials.mint("demo", "ab")
    assert await shake(service, protocols=f"hermes-plugins.v1, bearer.{token}") == 403


async def test_other_paths_take_no_socket(service: Running) -> None:
    assert await shake(service, Authorization=f"Bearer {TOKEN}", path="/v1/nowhere") in (403, 404)
    assert await shake(service, path="/modules/x/plugin.js") == 401
    assert await shake(service, path="/v1/health") == 401


async def test_more_clients_than_there_is_room_for_are_told_to_come_back(anyio_backend: str) -> None:
    async with running(make_hub=lambda announcer: Hub(announcer, clients_limit=1)) as service, service.client():
        assert await shake(service, Authorization=f"Bearer {TOKEN}") == 503


# ---------------------------------------------------------------- what comes


async def test_hello_comes_first_and_holds_all_that_a_late_shell_needs(service: Running) -> None:
    first = service.pipeline.save("clock", "import 'react'")
    service.pipeline.fail("broken")
    async with service.client() as client:
        hello = await client.event("hello")
        assert {
            name: hello[name] for name in ("protocol", "version", "root", "home", "instance", "seq", "resumed")
        } == {
            "protocol": 1,
            "version": "0.1.0",
            "root": "/root",
            "home": "/root",
            "instance": "i1",
            "seq": 2,
            "resumed": False,
        }
        broken, clock = hello["plugins"]
        assert broken["row"]["state"] == "failed" and broken["module_url"] is None and broken["plugin_token"] is None
        assert broken["imports"] == []
        assert clock["row"]["running_revision"] == first.revision
        assert clock["module_url"].startswith("/modules/") and len(clock["plugin_token"]) > 30
        assert clock["imports"] == [{"specifier": "react", "kind": "static", "start": 7, "end": 14}]
        service.pipeline.save("other")
        assert (await client.event("plugin/load"))["seq"] == 3


async def test_a_save_is_an_unload_directly_followed_by_a_load(service: Running) -> None:
    old = service.pipeline.save("clock", "1")
    async with service.client() as client:
        known = (await client.event("hello"))["plugins"][0]
        new = service.pipeline.save("clock", "2")
        unload = await client.event("plugin/unload")
        assert unload == {"seq": 2, "id": "clock", "revision": old.revision, "reason": "changed"}
        load = await client.event("plugin/load")
        assert (load["seq"], load["row"]["revision"], load["reason"]) == (3, new.revision, "changed")
        assert load["module_url"] != known["module_url"] and load["plugin_token"] != known["plugin_token"]


async def test_all_clients_hold_the_same_grant(service: Running) -> None:
    service.pipeline.save("clock")
    async with service.client() as one, service.client() as two:
        assert (await one.event("hello"))["plugins"] == (await two.event("hello"))["plugins"]


async def test_events_of_every_kind_arrive(service: Running) -> None:
    async with service.client() as client:
        await client.event("hello")
        service.pipeline.save("clock")
        service.pipeline.fail("clock", "line one")
        service.pipeline.remove("clock")
        assert (await client.event("plugin/load"))["reason"] == "new"
        failed = await client.event("plugin/failed")
        assert failed["row"]["diagnostics"][0]["message"] == "line one" and failed["running_revision"]
        assert (await client.event("plugin/unload"))["reason"] == "removed"
        assert (await client.event("plugin/changed"))["removed"] is True


# ---------------------------------------------------------------- what goes


async def test_a_shell_mounts_reports_and_leaves(service: Running) -> None:
    running_now = service.pipeline.save("clock")
    async with service.client() as client:
        shell = await mounted(client, exports={"react": ["memo"]}, bundled=["notes"])
        assert ("mounted", shell, "1.0", {"react": ("memo",)}, ("notes",)) in service.pipeline.asked
        assert service.parts.exports.of("react") == ("memo",)
        report = {"id": "clock", "revision": running_now.revision, "phase": "import"}
        await client.result("plugin/report", **report, outcome="failed", error="boom")
        assert service.pipeline.asked[-1] == (
            "report",
            shell,
            "clock",
            running_now.revision,
            "failed",
            "boom",
            "import",
        )
        assert (await client.event("plugin/changed"))["row"]["shells"][0]["error"] == "boom"
        await client.result("shell/unmount")
        gone: Any = service.pipeline.asked[-1]
        assert gone == ("gone", shell)
        assert service.parts.exports.of("react") == ()
        assert (await client.call("plugin/report", **report, outcome="loaded"))["error"]["code"] == -32002


async def test_mounting_again_keeps_the_shells_name(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        assert (await client.result("shell/mount", version="1.0", focused=False))["shell"] == shell


async def test_a_dropped_connection_is_a_shell_that_left(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        client.connection.transport.abort()
    await until(lambda: ("gone", shell) in service.pipeline.asked)


async def test_a_reload_answers_rows_and_waits_for_shells_when_asked(service: Running) -> None:
    service.pipeline.save("clock")
    async with service.client() as client:
        await client.event("hello")
        rows = (await client.result("reload", ids=["clock"], wait_s=1.5))["plugins"]
        assert [row["id"] for row in rows] == ["clock"]
        assert service.pipeline.asked[-2:] == [("reload", ("clock",)), ("wait", ("clock",), 1.5)]
        unknown = await client.call("reload", ids=["nosuch"])
        assert unknown["error"]["code"] == -32004 and "nosuch" in unknown["error"]["message"]


async def test_tokens_of_plugins_are_told_apart(service: Running) -> None:
    service.pipeline.save("clock")
    async with service.client() as client:
        token = (await client.event("hello"))["plugins"][0]["plugin_token"]
        for method in ("runAction", "pet.say", "pet.clear", "action/report"):
            unknown = await client.call(method, plugin_token="nobody")
            assert unknown["error"]["code"] == -32001, method
        assert (await client.result("runAction", plugin_token=token, action="x"))["reason"] == "unavailable"
        service.pipeline.stop("clock")
        assert (await client.result("runAction", plugin_token=token, action="x"))["ok"] is False


async def test_ping(service: Running) -> None:
    async with service.client() as client:
        assert await client.result("ping") == {"ok": True}


async def test_broken_frames_are_answered_and_the_connection_stays(service: Running) -> None:
    async with service.client() as client:
        await client.event("hello")
        for frame, code in [("{", -32700), ("[]", -32600), ('{"jsonrpc":"2.0","method":"x","id":7}', -32601)]:
            await client.connection.send(frame)
            answer = await client.frame()
            assert answer["error"]["code"] == code
        assert await client.result("ping") == {"ok": True}


async def test_a_notification_of_a_client_is_carried_out_and_not_answered(service: Running) -> None:
    async with service.client() as client:
        await mounted(client)
        await client.connection.send('{"jsonrpc":"2.0","method":"shell/unmount"}')
        for wrong in ('"nosuch"', '"reload","params":[]', '"plugin/report","params":{}'):
            await client.connection.send(f'{{"jsonrpc":"2.0","method":{wrong}}}')
        assert await client.result("ping") == {"ok": True}
        assert client.waiting == []
        assert service.pipeline.asked[-1][0] == "gone"


async def test_a_bug_behind_one_call_costs_nobody_the_connection(
    service: Running, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("a bug")

    service.pipeline.on_reload = fail
    async with service.client() as client:
        await client.event("hello")
        answer = await client.call("reload")
        assert answer["error"] == {"code": -32603, "message": "see the service's log"}
        assert await client.result("ping") == {"ok": True}
    assert "a bug" in caplog.text


async def closed_with(client: WsClient) -> int | None:
    try:
        while True:
            await client.frame()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_bytes_are_no_text(service: Running) -> None:
    async with service.client() as client:
        await client.connection.send(b"\x00")
        assert await closed_with(client) == 1003


async def test_a_frame_over_a_mebibyte_is_too_big(service: Running) -> None:
    async with service.client() as client:
        await client.event("hello")
        big = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": ""}}
        room = 1024 * 1024 - len(json.dumps(big))
        big["params"] = {"x": "y" * room}
        await client.connection.send(json.dumps(big))
        assert (await client.frame())["result"] == {"ok": True}
        big["params"] = {"x": "y" * (room + 1)}
        await client.connection.send(json.dumps(big))
        assert await closed_with(client) == 1009
