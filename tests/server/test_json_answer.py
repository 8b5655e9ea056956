"""One plugin's half letter must not cost anybody the list of all."""

from __future__ import annotations

import json

import pytest

from loader.server.json_answer import JsonAnswer
from tests.policy.served import row, serving

pytestmark = pytest.mark.anyio


async def test_half_a_letter_in_a_name_leaves_the_list_and_the_row_readable() -> None:
    async with serving() as here:
        here.pipeline.load(row("odd", name="a\ud800b"))
        here.pipeline.load(row("plain", name="Grüße"))
        listed = await here.http.get("/v1/plugins")
        assert listed.status_code == 200
        assert [plugin["name"] for plugin in listed.json()["plugins"]] == ["a\ud800b", "Grüße"]
        assert "Grüße".encode() in listed.content
        assert (await here.http.get("/v1/plugins/odd")).json()["name"] == "a\ud800b"


async def test_half_a_letter_in_what_is_asked_comes_back_as_it_was_written() -> None:
    async with serving() as here:
        here.pipeline.load(row("demo", directives=["card"]))
        wish = json.dumps({"text": '::card{title="\ud83d"}'})
        answer = await here.http.post(
            "/v1/directives/resolve", content=wish, headers={"content-type": "application/json"}
        )
        assert answer.json() == {"ok": True, "plugin": "demo", "name": "card", "attributes": {"title": "\ud83d"}}


@pytest.mark.parametrize("text", ["\ud800", "\udfff\ud800", '"\ud800\\', "\\ud800", "😀\ud83d", "\u2028"], ids=ascii)
def test_every_text_reads_back_as_itself(text: str) -> None:
    assert json.loads(bytes(JsonAnswer({text: [text]}).body)) == {text: [text]}
