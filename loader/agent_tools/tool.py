"""What a tool for agents is, what it works with, and what it answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict

from loader.cli.check_now import Checker
from loader.home import Home


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Texts: TypeAlias = Annotated[list[str], BeforeValidator(_listed)]
"""A list of texts; of a model that gives one text alone it is clear what it means."""


class Arguments(BaseModel):
    """The arguments of a tool; its schema is what the client shows the model. Unknown ones are refused by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """``text`` is for the model. ``failed``: what was asked for did not happen (a plugin's findings are no failure)."""

    text: str
    failed: bool = False


@dataclass(frozen=True)
class Desk:
    """What the tools of one session share.

    ``find_home`` is asked anew at each call that needs a home, and raises UsageError where there is none. ``checker``
    has one pool of workers for the whole session; whoever uses it holds ``turn``, since two jobs of one file at a time
    would cancel each other. ``session`` is whose drafted pages these are: another session does not see them.
    """

    find_home: Callable[[], Home]
    checker: Checker
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    session: str = field(default_factory=lambda: secrets.token_hex(8))


Run: TypeAlias = Callable[[Desk, Any], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class AgentTool:
    """``run`` gets the desk and validated ``arguments``; it may raise LoaderErrors, which become answers.

    ``description`` is read by a model before each choice of a tool: when to use it, and what comes back, in few words.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Run
    changes_something: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, without the titles that only repeat the names."""
        schema = self.arguments.model_json_schema()
        for part in (schema, *schema.get("properties", {}).values()):
            part.pop("title", None)
        schema.pop("description", None)
        return schema
