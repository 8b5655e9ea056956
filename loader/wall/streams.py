"""``ai.streamText``: a session of the app's model that lives as long as one call, and is deleted whatever happens.

The service names the stream and the owner; the app window makes a session for it, sends text as it comes, and answers
at the end. ``ai/end`` is sent for every stream that was begun: when it is done, cancelled, late, or nobody's any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from loader.nouns import Json
from loader.wall.frames import Frame
from loader.wall.results import Result, done, from_shell, refused
from loader.wall.shells import WallShells

CallShell: TypeAlias = Callable[[str, str, Mapping[str, Json], float], Awaitable[Json]]

STREAM_DEADLINE_S = 300.0
END_DEADLINE_S = 5.0
PROMPT_LIMIT_LETTERS = 32_000
# An answer over the bridge holds less than 256 KiB; the text is its greatest part.
TEXT_LIMIT_LETTERS = 32_000
STREAMS_OF_A_FRAME = 2


@dataclass(eq=False, slots=True)
class _Stream:
    id: str
    frame: Frame
    call: str
    shell: str
    on_text: Callable[[str], None]
    task: asyncio.Task[Json]
    letters: int = 0
    stopped: str | None = None


class Streams:
    def __init__(self, shells: WallShells, call_shell: CallShell) -> None:
        self._shells = shells
        self._call_shell = call_shell
        self._running: dict[str, _Stream] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._numbers = count(1)

    async def run(self, frame: Frame, owner: str, prompt: Json, call: str, on_text: Callable[[str], None]) -> Result:
        if not isinstance(prompt, str) or not prompt.strip() or len(prompt) > PROMPT_LIMIT_LETTERS:
            return refused("INVALID", f"a prompt is a text of at most {PROMPT_LIMIT_LETTERS} letters")
        shell = self._shells.offering("ai")
        if shell is None:
            return refused("UNAVAILABLE", "no connected app window offers this")
        if sum(each.frame is frame for each in self._running.values()) >= STREAMS_OF_A_FRAME:
            return refused("BUSY", f"more than {STREAMS_OF_A_FRAME} streams at a time")
        name = f"stream-{next(self._numbers)}"
        request: dict[str, Json] = {
            "stream": name,
            "prompt": prompt,
            "plugin": frame.walled.id,
            "owner": owner,
            "ephemeral": True,
        }
        asked = asyncio.ensure_future(self._asked(shell, request))
        stream = self._running[name] = _Stream(name, frame, call, shell, on_text, asked)
        try:
            async with asyncio.timeout(STREAM_DEADLINE_S):
                result = from_shell(await asked)
        except TimeoutError:
            result = refused("UNAVAILABLE", f"the model did not come to its end within {STREAM_DEADLINE_S:g} s")
        except ConnectionError:
            result = refused("UNAVAILABLE", "the app window has left")
        except asyncio.CancelledError:
            whole = asyncio.current_task()
            if stream.stopped is None or (whole is not None and whole.cancelling()):
                raise
            result = refused("TOO_LARGE" if stream.stopped == "size" else "CANCELLED", "the stream was stopped")
        finally:
            asked.cancel()
            del self._running[name]
            self._end(shell, name)
        if result["ok"] is True:
            data = result["data"]
            text = data.get("text") if isinstance(data, dict) else data
            return done({"text": text[:TEXT_LIMIT_LETTERS] if isinstance(text, str) else ""})
        return result

    async def _asked(self, shell: str, request: Mapping[str, Json]) -> Json:
        return await self._call_shell(shell, "ai/stream", request, STREAM_DEADLINE_S)

    def text(self, shell: str, stream: str, text: str) -> bool:
        """What a shell says of a stream that it was asked for; False when it is not (any more) its own."""
        found = self._running.get(stream)
        if found is None or found.shell != shell or found.stopped is not None:
            return False
        if found.frame.ended is not None:
            self._stop(found, "cancelled")
            return False
        found.letters += len(text)
        if found.letters > TEXT_LIMIT_LETTERS:
            self._stop(found, "size")
            return False
        found.on_text(text)
        return True

    def cancel(self, frame: Frame, call: str) -> bool:
        found = [each for each in self._running.values() if each.frame is frame and each.call == call]
        for each in found:
            self._stop(each, "cancelled")
        return bool(found)

    def frame_ended(self, frame: Frame) -> None:
        for each in [*self._running.values()]:
            if each.frame is frame:
                self._stop(each, "cancelled")

    def _stop(self, stream: _Stream, why: str) -> None:
        if stream.stopped is None:
            stream.stopped = why
            stream.task.cancel()

    def _end(self, shell: str, stream: str) -> None:
        async def ended() -> None:
            try:
                await self._call_shell(shell, "ai/end", {"stream": stream}, END_DEADLINE_S)
            except (TimeoutError, ConnectionError):
                return  # gone, and its sessions with it, or it has been told

        task = asyncio.ensure_future(ended())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
