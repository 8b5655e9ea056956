"""What the tools for packages share. A tool only asks: what is a person's to decide waits for a person.

With a running service they are its calls, with its queue and its log. Without one, what needs no person is done on the
home itself; what does is answered with the command that a person would run.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from loader import client
from loader.agent_tools.tool import Answer, Desk
from loader.home import Home
from loader.server.endpoint import Endpoint

# Somebody's repository is fetched meanwhile.
LOOK_TIMEOUT_S = 400.0
_FINDINGS = 10


def said(value: Mapping[str, Any], *, failed: bool = False) -> Answer:
    """A result is one string of JSON, as those of the tools for pages."""
    return Answer(json.dumps(value, ensure_ascii=False), failed)


async def service_of(desk: Desk) -> tuple[Home, Endpoint | None]:
    home = desk.find_home()
    return home, await asyncio.to_thread(client.find, home)


async def called(
    endpoint: Endpoint, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
) -> Answer:
    """One call of the service; what waits for a person is an answer, not a failure. Raises LoaderError."""

    def act() -> dict[str, Any]:
        with client.Client(endpoint, face="mcp") as connected:
            return connected.request(method, path, body, timeout_s=timeout_s)

    try:
        return said(await asyncio.to_thread(act))
    except client.ApprovalRequired as asked:
        return said(_short(asked.told) | {"decided_at": f"{endpoint.url}/#/packages"})


def path_of(package_id: str, rest: str = "") -> str:
    return f"/v1/packages/{quote(package_id, safe='')}{rest}"


def needs_person(command: str, what: str) -> Answer:
    """No service runs, so nothing can be queued: the person does it in a terminal."""
    return said({"approval_required": True, "message": f"Only a person may {what}.", "command": command})


def _short(told: dict[str, Any]) -> dict[str, Any]:
    """Without what a page draws from: a model needs what it ships, what it asks for, and what is wrong with it."""
    kept = {key: value for key, value in told.items() if key not in ("type", "title", "status", "detail", "probe")}
    probe = told.get("probe")
    if isinstance(probe, dict):
        check = probe["check"] or {"diagnostics": []}
        findings = [f"{one['severity']} {one['code']} {one['message'][:200]}" for one in check["diagnostics"]]
        kept["probe"] = {key: probe[key] for key in ("kind", "source", "revision", "parts", "requested", "replaces")}
        kept["probe"]["findings"] = findings[:_FINDINGS]
    return kept
