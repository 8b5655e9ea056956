"""A plugin's startup and shutdown: waited for, but not for ever, and what goes wrong is said in one line."""

import asyncio
from typing import Any

import pytest

from loader.backends.inside import lifespan
from loader.backends.inside.lifespan import Lifespan

pytestmark = pytest.mark.anyio


async def test_startup_and_shutdown_are_told_in_turn() -> None:
    heard: list[str] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        for _ in range(2):
            heard.append((await receive())["type"])
            await send({"type": heard[-1] + ".complete"})

    life = Lifespan(app)
    assert await life.startup() is None
    await life.shutdown()
    assert heard == ["lifespan.startup", "lifespan.shutdown"]


async def test_an_app_that_knows_no_lifespan_is_ready_at_once_and_has_nothing_to_shut_down() -> None:
    async def app(*_: object) -> None:
        return None

    life = Lifespan(app)
    assert await life.startup() is None
    await life.shutdown()


@pytest.mark.parametrize(("message", "said"), [("no database", "no database"), ("", "startup failed")])
async def test_a_startup_that_fails_is_said_in_its_own_words_or_in_ours(message: str, said: str) -> None:
    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": message})

    assert await Lifespan(app).startup() == said


async def test_an_app_that_raises_instead_of_answering_is_said_with_its_error() -> None:
    async def app(*_: object) -> None:
        raise KeyError("database")

    assert await Lifespan(app).startup() == "KeyError: 'database'"


async def test_a_startup_and_a_shutdown_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifespan, "LIFESPAN_S", 0.01)
    monkeypatch.setattr(lifespan, "SHUTDOWN_S", 0.01)

    async def app(*_: object) -> None:
        await asyncio.Event().wait()

    life = Lifespan(app)
    assert await life.startup() == "its startup did not end within 0.01 s"
    await life.shutdown()
    assert life._task is not None
    life._task.cancel()
