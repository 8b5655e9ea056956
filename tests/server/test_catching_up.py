"""Clients of ``/v1/events`` that come back after a break, and those that do not keep up."""

import asyncio

import pytest

from loader.server.announcer import Announcer
from loader.server.hub import Hub
from loader.testing import until
from tests.server.running import Running, running, stalled_socket

pytestmark = pytest.mark.anyio

# ---------------------------------------------------------------- coming back


async def test_a_client_that_comes_back_gets_what_it_missed_once_and_in_order(service: Running) -> None:
    """The case missed-events-after-reconnect, with the ring."""
    service.pipeline.save("a", "a1")
    service.pipeline.save("b", "b1")
    async with service.client() as client:
        hello = await client.event("hello")
        assert [entry["row"]["id"] for entry in hello["plugins"]] == ["a", "b"]
        client.connection.transport.abort()
    service.pipeline.remove("a")
    second = service.pipeline.save("b", "b2")
    third = service.pipeline.save("c", "c1")
    async with service.client(since=f"{hello['instance']}:{hello['seq']}") as client:
        again = await client.event("hello")
        assert (again["resumed"], again["plugins"], again["seq"]) == (True, None, hello["seq"])
        missed = [await client.frame() for _ in range(5)]
        assert [frame["method"] for frame in missed] == [
            *("plugin/unload", "plugin/changed", "plugin/unload", "plugin/load", "plugin/load")
        ]
        assert [frame["params"]["seq"] for frame in missed] == [3, 4, 5, 6, 7]
        assert missed[3]["params"]["row"]["revision"] == second.revision
        assert missed[4]["params"]["row"]["revision"] == third.revision
        service.pipeline.save("c", "c2")
        assert (await client.event("plugin/unload"))["id"] == "c"
        assert (await client.event("plugin/load"))["seq"] == 9
        assert await client.result("ping") == {"ok": True}
        assert client.waiting == []


async def test_without_since_the_snapshot_tells_all(service: Running) -> None:
    """The case missed-events-after-reconnect, with a snapshot."""
    service.pipeline.save("a")
    service.pipeline.save("b", "b1")
    service.pipeline.remove("a")
    second = service.pipeline.save("b", "b2")
    async with service.client() as client:
        hello = await client.event("hello")
        assert [(entry["row"]["id"], entry["row"]["revision"]) for entry in hello["plugins"]] == [
            ("b", second.revision)
        ]
        assert await client.result("ping") == {"ok": True}
        assert client.waiting == []


@pytest.mark.parametrize(
    "since", ["i0:1", "i1:99", "i1:x", "i1:", "i1", "", "i1:-1", "i1:1.0", "i1:" + "9" * 400, "%00:1"]
)
async def test_a_since_that_means_nothing_gets_a_snapshot(service: Running, since: str) -> None:
    service.pipeline.save("a")
    async with service.client(since=since) as client:
        hello = await client.event("hello")
        assert hello["resumed"] is False and len(hello["plugins"]) == 1


async def test_nothing_missed_is_nothing_sent(service: Running) -> None:
    service.pipeline.save("a")
    async with service.client(since="i1:1") as client:
        assert (await client.event("hello"))["resumed"] is True
        assert await client.result("ping") == {"ok": True}
        assert client.waiting == []


# ---------------------------------------------------------------- slow clients


async def test_a_client_that_stops_reading_holds_nobody_up(service: Running) -> None:
    """The case slow-client-blocks-others, also with what it costs in memory."""
    stalled = stalled_socket(service.port)
    with stalled:
        async with service.client() as client:
            await client.event("hello")
            await until(lambda: len(service.parts.hub.clients) == 2)
            for number in range(300):
                service.pipeline.fail("demo", f"{number} " + "x" * 20_000)
                failed = await client.event("plugin/failed")
                assert failed["seq"] == number + 1
                assert failed["row"]["diagnostics"][0]["message"].startswith(f"{number} ")
            held = [other.queue.size_bytes for other in service.parts.hub.clients]
            assert max(held) > 1_000_000, "the stalled one was to have a queue"
            assert max(held) <= 8 * 1024 * 1024
            assert service.parts.hub.ring_bytes <= 8 * 1024 * 1024


async def test_a_slow_client_gets_one_snapshot_in_place_of_what_it_missed(anyio_backend: str) -> None:
    def hub(announcer: Announcer) -> Hub:
        return Hub(announcer, queue_limit_messages=10)

    async with running(make_hub=hub) as service, service.client() as client:
        await client.event("hello")
        # All in one turn of the loop: the sender has no chance to send between them.
        for number in range(50):
            service.pipeline.save("demo", str(number))
        hello = await client.event("hello")
        assert hello["resumed"] is False and hello["seq"] == 99
        assert hello["plugins"][0]["row"]["revision"] == service.pipeline.live["demo"].revision
        service.pipeline.save("demo", "last")
        assert (await client.event("plugin/unload"))["seq"] == 100
        assert (await client.event("plugin/load"))["seq"] == 101


async def test_a_client_that_never_reads_again_is_closed(anyio_backend: str) -> None:
    def hub(announcer: Announcer) -> Hub:
        return Hub(announcer, queue_limit_messages=10, overflow_grace_s=0.05)

    async with running(make_hub=hub) as service:
        with stalled_socket(service.port) as stalled:
            await until(lambda: bool(service.parts.hub.clients))

            def is_closed() -> bool:
                service.pipeline.fail("demo", "x" * 20_000)
                return not service.parts.hub.clients

            await until(is_closed)
            # Should it read again, the last thing it finds is the reason.
            close_frame = b"\x88\x0a\x0f\xa8too slow"  # 4008
            received = b""
            stalled.setblocking(False)
            async with asyncio.timeout(20):
                while not received.endswith(close_frame):
                    chunk = await asyncio.get_running_loop().sock_recv(stalled, 65536)
                    assert chunk, "the end came without a reason"
                    received += chunk
