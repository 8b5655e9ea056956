"""A shelf that is moved by hand, app windows that answer as told, and a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from loader.nouns import Event, Json
from loader.packages.grants import Grants
from loader.packages.walled import Walled

NOTES = "com.example.notes"
OTHER = "com.example.other"


def grants(apis: str = "", capabilities: str = "") -> Grants:
    return Grants(frozenset(apis.split()), frozenset(capabilities.split()))


def web_app(plugin_id: str = NOTES, folder: Path | None = None, **changes: Any) -> Walled:
    made = Walled(plugin_id, "web-app", plugin_id, folder, None, "index.html", grants(), True, "a1")
    return replace(made, **changes)


class FakeShelf:
    """Fits ``Shelf``. ``put`` and ``take`` do what a switch, an approval, an update or a removal would have done."""

    def __init__(self, *walled: Walled) -> None:
        self.rows = {each.id: each for each in walled}
        self.listeners: list[Callable[[str], None]] = []

    def get(self, plugin_id: str) -> Walled | None:
        return self.rows.get(plugin_id)

    def all(self) -> tuple[Walled, ...]:
        return tuple(self.rows[plugin_id] for plugin_id in sorted(self.rows))

    def subscribe(self, changed: Callable[[str], None]) -> Callable[[], None]:
        self.listeners.append(changed)
        return lambda: self.listeners.remove(changed)

    def observe(self, event: Event) -> None:
        """It is moved by hand alone."""

    async def refresh(self) -> None:
        """As above."""

    async def run(self) -> None:
        await asyncio.Event().wait()

    def put(self, walled: Walled) -> None:
        self.rows[walled.id] = walled
        self._tell(walled.id)

    def change(self, plugin_id: str = NOTES, **changes: Any) -> None:
        self.put(replace(self.rows[plugin_id], **changes))

    def take(self, plugin_id: str = NOTES) -> None:
        del self.rows[plugin_id]
        self._tell(plugin_id)

    def _tell(self, plugin_id: str) -> None:
        for listener in [*self.listeners]:
            listener(plugin_id)


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class FakeWindow:
    """Answers ``CallShell``: by method, a value, an error to raise, or something to await."""

    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, str, Mapping[str, Json]]] = field(default_factory=list)

    async def __call__(self, shell: str, method: str, params: Mapping[str, Json], timeout_s: float) -> Json:
        self.asked.append((shell, method, params))
        answer = self.answers.get(method, {"ok": True, "data": None})
        if callable(answer):
            answer = answer(params)
        if isinstance(answer, Awaitable):
            answer = await answer
        if isinstance(answer, BaseException):
            raise answer
        found: Json = answer
        return found


async def until(condition: Callable[[], bool]) -> None:
    """Let others have their turn until it holds."""
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it did not come to pass")
