"""The tools of the app that a walled plugin may see and call: what shells announce, judged by what was approved. Pure.

A shell announces each tool with one capability of the closed list. What has another one, or none, is no tool of a
plugin's: a new kind of power needs a new word, a new question to the person, and a new line here.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loader.nouns import Json
from loader.packages.grants import CAPABILITIES, Grants
from loader.packages.walled import Walled
from loader.wall.results import Result, refused

TOOLS_LIMIT = 500
SCHEMA_LIMIT_BYTES = 16 * 1024
DESCRIPTION_LETTERS = 2_000
ARGUMENTS_LIMIT_BYTES = 64 * 1024
ANSWER_LIMIT_BYTES = 256 * 1024
DEPTH_LIMIT = 64

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}", re.ASCII)
# What manages plugins is no plugin's, whatever its grants. A registry may hold it under a prefix (an agent's
# ``mcp__hermes_desktop__install_plugin``), so these count at the end of a longer name too.
CONTROL_PLANE = (
    *("list_plugins", "install_plugin", "update_plugin", "approve_plugin_grants", "set_plugin_enabled"),
    *("uninstall_plugin", "open_plugin_tab", "trust_plugin", "draft_page", "publish_page", "remove_page"),
)
# Of our own too, but words that another tool may end in.
_OURS_AS_THEY_STAND = frozenset({"list", "new", "check", "rehearse", "explain", "reload", "eventssince", "listpages"})
_CONTROL_PLANE = tuple(re.sub("[^a-z0-9]", "", name) for name in CONTROL_PLANE)


@dataclass(frozen=True, slots=True)
class Tool:
    """``input_schema`` is the shell's own JSON schema; nothing here reads it."""

    name: str
    description: str
    capability: str
    input_schema: Mapping[str, Json]

    def as_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "description": self.description,
            "capability": self.capability,
            "inputSchema": dict(self.input_schema),
        }


def is_control_plane(name: str) -> bool:
    """Whether a name is one of our own tools, in any case and with any separators."""
    bare = re.sub("[^a-z0-9]", "", name.casefold())
    return bare in _OURS_AS_THEY_STAND or bare.endswith(_CONTROL_PLANE)


def announced(told: Json) -> tuple[Tool, ...]:
    """The tools in a shell's announcement that a plugin could ever be let to. What does not fit is passed over."""
    if not isinstance(told, list):
        return ()
    found: dict[str, Tool] = {}
    for each in told[:TOOLS_LIMIT]:
        tool = _tool(each)
        if tool is not None:
            found.setdefault(tool.name, tool)
    return tuple(found.values())


def _tool(told: Json) -> Tool | None:
    if not isinstance(told, dict):
        return None
    name, description, schema = told.get("name"), told.get("description", ""), told.get("inputSchema", {})
    capability = told.get("capability")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or is_control_plane(name):
        return None
    if capability not in CAPABILITIES or not isinstance(capability, str) or not isinstance(schema, dict):
        return None
    if size_bytes(schema) > SCHEMA_LIMIT_BYTES:
        return None
    return Tool(name, description[:DESCRIPTION_LETTERS] if isinstance(description, str) else "", capability, schema)


def visible(grants: Grants, tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """What ``tools.list`` shows: what a call would be let through to, and nothing of the rest."""
    if "tools" not in grants.apis:
        return ()
    return tuple(tool for tool in tools if tool.capability in grants.capabilities)


def judge(walled: Walled, name: Json, arguments: Json, tools: Mapping[str, Tool]) -> Tool | Result:
    """The tool that may be called, or the refusal; in this order: the namespace, the name, the capability, the size."""
    if "tools" not in walled.grants.apis:
        return refused("PERMISSION_DENIED", f"{walled.id} lacks the API 'tools'")
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        shown = name[:80] if isinstance(name, str) else json.dumps(name)[:80]
        return refused(
            "NOT_FOUND", f"no app window has a tool {shown!r} for plugins; tools.list() names those that are"
        )
    if tool.capability not in walled.grants.capabilities:
        return refused(
            "PERMISSION_DENIED", f"{walled.id} lacks the capability '{tool.capability}', which {tool.name} needs"
        )
    if not isinstance(arguments, dict):
        return refused("INVALID", "a tool's arguments are an object")
    if size_bytes(arguments) > ARGUMENTS_LIMIT_BYTES:
        return refused("INVALID", f"arguments have at most {ARGUMENTS_LIMIT_BYTES} bytes")
    return tool


def size_bytes(value: Json | Mapping[str, Json]) -> int:
    """As a frame would carry it. What is nested deeper than anything real is larger than anything."""
    level: list[Json | Mapping[str, Json]] = [value]
    for _ in range(DEPTH_LIMIT):
        level = [inner for each in level if isinstance(each, list | dict) for inner in _inside(each)]
        if not level:
            return len(json.dumps(value, ensure_ascii=True, separators=(",", ":")))
    return sys.maxsize


def _inside(value: list[Json] | dict[str, Json]) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value
