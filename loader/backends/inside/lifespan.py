"""The ASGI lifespan of the plugin's app."""

from __future__ import annotations

import asyncio
from typing import Any

LIFESPAN_S = 30.0
SHUTDOWN_S = 2.0

Message = dict[str, Any]


class Lifespan:
    """The app's startup and shutdown. An app that knows no lifespan is ready at once."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._to_app: asyncio.Queue[str] = asyncio.Queue()
        self._from_app: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def startup(self) -> str | None:
        """None, or what the plugin said when its startup failed."""
        self._task = asyncio.ensure_future(self._run())
        return await self._ask("startup", LIFESPAN_S)

    async def shutdown(self) -> None:
        if self._task is not None and not self._task.done():
            await self._ask("shutdown", SHUTDOWN_S)

    async def _run(self) -> None:
        async def receive() -> Message:
            return {"type": "lifespan." + await self._to_app.get()}

        await self._app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, self._from_app.put)

    async def _ask(self, what: str, within_s: float) -> str | None:
        assert self._task is not None  # noqa: S101 - startup comes first
        self._to_app.put_nowait(what)
        answer = asyncio.ensure_future(self._from_app.get())
        await asyncio.wait({answer, self._task}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            message = answer.result()
            return str(message.get("message") or "startup failed") if message["type"].endswith(".failed") else None
        answer.cancel()
        if not self._task.done():
            return f"its {what} did not end within {within_s:g} s"
        error = self._task.exception()
        return None if error is None else f"{type(error).__name__}: {error}"
