"""One attempt: what kind it is of, what is tried, and how it came out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx

from bench.service import Running


class Through(Exception):
    """Nothing stopped it: says what was reached."""


@dataclass(frozen=True)
class Field:
    """Where attempts are made: the service, a tool's client, and what a plugin called ``board`` was handed."""

    service: Running
    http: httpx.AsyncClient
    plugin_token: str
    module_url: str

    @property
    def port(self) -> int:
        return int(self.service.endpoint.url.rpartition(":")[2])

    @property
    def token(self) -> str:
        return self.service.endpoint.token


@dataclass(frozen=True)
class Attempt:
    """``run`` gives what stopped it, or raises Through."""

    kind: str
    name: str
    run: Callable[[Field], Awaitable[str]]


@dataclass(frozen=True)
class Outcome:
    kind: str
    name: str
    stopped_by: str
    ok: bool


async def made(attempt: Attempt, field: Field) -> Outcome:
    try:
        return Outcome(attempt.kind, attempt.name, await attempt.run(field), True)
    except Through as through:
        return Outcome(attempt.kind, attempt.name, f"nothing: {through}", False)
    except (OSError, TimeoutError, httpx.HTTPError) as error:
        return Outcome(attempt.kind, attempt.name, f"no answer at all ({type(error).__name__})", False)
