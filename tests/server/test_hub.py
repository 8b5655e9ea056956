"""The hub without a socket: numbering, order, and who pays for whom."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from loader.nouns import Json, Logged, PetLinesChanged
from loader.server.absent_policy import AbsentPolicy
from loader.server.app import host_policy
from loader.server.hub import Client
from loader.server.ports import CallShell, Publish
from tests.server.fakes import make, settle

pytestmark = pytest.mark.anyio


async def frames(client: Client) -> list[dict[str, Any]]:
    return [json.loads(await client.next_text()) for _ in range(len(client.queue))]


async def test_events_are_numbered_without_a_gap() -> None:
    parts, pipeline = make()
    client = parts.hub.connect()
    for number in range(5):
        pipeline.save("clock", str(number))
    numbers = [frame["params"]["seq"] for frame in (await frames(client))[1:]]
    assert numbers == list(range(1, parts.hub.seq + 1))


async def test_one_text_is_written_for_all() -> None:
    parts, pipeline = make()
    one, two = parts.hub.connect(), parts.hub.connect()
    await frames(one), await frames(two)
    pipeline.save("clock")
    assert await one.next_text() is await two.next_text()


class Nested(AbsentPolicy):
    """A policy that publishes while it is told of an event."""

    def __init__(self, publish: Publish) -> None:
        self.publish = publish

    def token_died(self, plugin: str, revision: str, /) -> None:
        self.publish(PetLinesChanged(()))

    def observe(self, _: object, /) -> None:
        self.publish(Logged("info", None, "observed"))


async def test_a_policys_reaction_never_splits_an_unload_from_its_load() -> None:
    def make_policy(publish: Publish, _: CallShell, __: object) -> Nested:
        return Nested(publish)

    parts, pipeline = make(make_policy=make_policy)
    pipeline.save("clock", "1")
    client = parts.hub.connect()
    pipeline.save("clock", "2")
    await settle()
    sent = await frames(client)
    assert [frame["method"] for frame in sent if frame["method"] != "log"] == [
        *("hello", "plugin/unload", "plugin/load", "pet/lines")
    ]
    seqs = [frame["params"]["seq"] for frame in sent[1:]]
    assert seqs == sorted(seqs) and len(set(seqs)) == len(seqs)


async def test_a_plugins_lines_go_with_its_revision() -> None:
    parts, pipeline = make(make_policy=host_policy)
    pipeline.save("clock", "1")
    parts.policy.set_pet(True, "idle")
    token = json.loads(parts.hub.snapshot())["params"]["plugins"][0]["plugin_token"]
    caller = parts.credentials.plugin(token)
    assert caller is not None
    assert parts.policy.say(caller, "hello", {})["ok"] is True
    client = parts.hub.connect()
    assert json.loads(await client.next_text())["params"]["pet"]["lines"][0]["text"] == "hello"
    pipeline.save("clock", "2")
    await settle()
    sent = await frames(client)
    assert [frame["method"] for frame in sent] == ["plugin/unload", "plugin/load", "pet/lines"]
    assert sent[-1]["params"]["lines"] == []
    dead = parts.credentials.plugin(token)
    assert dead is not None and dead.alive is False
    assert parts.policy.say(dead, "still here?", {})["reason"] == "gone"


async def test_a_snapshot_hands_out_the_grant_that_was_announced() -> None:
    parts, pipeline = make()
    client = parts.hub.connect()
    await frames(client)
    pipeline.save("clock")
    load = (await frames(client))[0]["params"]
    entry = json.loads(parts.hub.snapshot())["params"]["plugins"][0]
    assert (entry["module_url"], entry["plugin_token"]) == (load["module_url"], load["plugin_token"])


async def test_a_load_of_the_same_revision_after_an_unload_gets_a_new_grant() -> None:
    parts, pipeline = make()
    first = pipeline.save("clock", "1")
    known = json.loads(parts.hub.snapshot())["params"]["plugins"][0]
    pipeline.stop("clock")
    assert json.loads(parts.hub.snapshot())["params"]["plugins"][0]["module_url"] is None
    again = pipeline.save("clock", "1")
    assert again.revision == first.revision
    assert json.loads(parts.hub.snapshot())["params"]["plugins"][0]["module_url"] != known["module_url"]


async def test_a_disconnected_client_costs_nothing_any_more() -> None:
    parts, pipeline = make()
    client = parts.hub.connect()
    parts.hub.disconnect(client)
    before = len(client.queue)
    pipeline.save("clock")
    assert len(client.queue) == before and not parts.hub.clients


async def test_odd_values_of_a_policy_still_make_a_frame() -> None:
    parts, _ = make()
    client = parts.hub.connect()
    await frames(client)
    odd: Mapping[str, Json] = {"text": "\ud800", "expires_in_ms": float("inf")}
    parts.hub.publish(PetLinesChanged((odd,)))
    assert (await frames(client))[0]["params"]["lines"] == [{"text": "\ud800", "expires_in_ms": None}]
