"""A desk without worker processes, and the home and service of the command line's tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest

from loader.agent_tools.answering import answer
from loader.agent_tools.registry import TOOLS
from loader.agent_tools.tool import Answer, Desk
from loader.cli.check_now import Checker
from loader.cli.options import home_of
from tests.cli.conftest import home, no_engine, service

__all__ = ["home", "no_engine", "service"]

Ask: TypeAlias = Callable[..., Answer]


@pytest.fixture
def ask(home: object, no_engine: None) -> Ask:
    """Calls a tool as the server does, in a session of its own: ``ask("check", paths=[...])``."""

    def call(name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        async def session() -> Answer:
            checker = Checker((), 1)
            try:
                desk = Desk(lambda: home_of(None, None), checker)
                return await answer(TOOLS, desk, name, {**(arguments or {}), **more})
            finally:
                await checker.close()

        return asyncio.run(session())

    return call
