"""The gate before the app's tools: what a plugin sees, and what each call is answered."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from loader.agent_tools.registry import TOOLS
from loader.nouns import Json
from loader.packages.grants import CAPABILITIES
from loader.wall.tools import CONTROL_PLANE, Tool, announced, is_control_plane, judge, visible
from tests.wall.fakes import grants, web_app

READ: Json = {"name": "read_page", "description": "Reads", "capability": "read-only", "inputSchema": {"type": "object"}}
CLICK: Json = {"name": "click", "description": "Clicks", "capability": "controls-browser"}
BOTH = {tool.name: tool for tool in announced([READ, CLICK])}


def code(judged: Tool | dict[str, Any]) -> str:
    return "through" if isinstance(judged, Tool) else judged["error"]["code"]


@pytest.mark.parametrize(
    ("apis", "capabilities", "tool", "wanted"),
    [
        ("", "", "read_page", "PERMISSION_DENIED"),
        ("", "read-only controls-browser", "read_page", "PERMISSION_DENIED"),
        ("storage cdp ai", "read-only", "read_page", "PERMISSION_DENIED"),
        ("tools", "", "read_page", "PERMISSION_DENIED"),
        ("tools", "controls-browser", "read_page", "PERMISSION_DENIED"),
        ("tools", "read-only", "read_page", "through"),
        ("tools", "read-only", "click", "PERMISSION_DENIED"),
        ("tools", "controls-browser", "click", "through"),
        ("tools", "read-only controls-browser", "click", "through"),
        ("tools", "read-only controls-browser", "install_plugin", "NOT_FOUND"),
        ("tools", "read-only controls-browser", "READ_PAGE", "NOT_FOUND"),
        ("tools", "read-only controls-browser", "", "NOT_FOUND"),
        ("tools", "read-only", None, "NOT_FOUND"),
        ("tools", "read-only", ["read_page"], "NOT_FOUND"),
        ("tools", "read-only", "__proto__", "NOT_FOUND"),
    ],
)
def test_each_call_is_judged_by_what_was_approved(apis: str, capabilities: str, tool: Json, wanted: str) -> None:
    judged = judge(web_app(grants=grants(apis, capabilities)), tool, {}, BOTH)
    assert code(judged) == wanted


def test_a_refusal_names_what_lacks() -> None:
    lacks_api = judge(web_app(grants=grants("", "read-only")), "read_page", {}, BOTH)
    lacks_capability = judge(web_app(grants=grants("tools")), "click", {}, BOTH)
    assert isinstance(lacks_api, dict) and isinstance(lacks_capability, dict)
    assert "the API 'tools'" in str(lacks_api["error"])
    assert "'controls-browser'" in str(lacks_capability["error"])


DEEP: Json = None
for _ in range(2_000):
    DEEP = [DEEP]


@pytest.mark.parametrize("arguments", [None, [], "x", 1, {"a": "x" * 70_000}, {"a": DEEP}], ids=lambda _: "")
def test_arguments_are_a_bounded_object(arguments: Json) -> None:
    assert code(judge(web_app(grants=grants("tools", "read-only")), "read_page", arguments, BOTH)) == "INVALID"


def test_what_is_listed_is_exactly_what_a_call_would_be_let_through_to() -> None:
    for size, held in itertools.product(
        (0, 1), itertools.chain([()], itertools.combinations(CAPABILITIES, 1), [CAPABILITIES])
    ):
        granted = grants("tools" if size else "", " ".join(held))
        listed = {tool.name for tool in visible(granted, BOTH.values())}
        assert listed == {name for name in BOTH if isinstance(judge(web_app(grants=granted), name, {}, BOTH), Tool)}


@pytest.mark.parametrize("name", [*CONTROL_PLANE, *(tool.name for tool in TOOLS)])
def test_no_tool_of_our_own_is_ever_a_plugins(name: str) -> None:
    spellings = [name, name.upper(), name.replace("_", "-"), name.replace("_", "."), name.replace("_", "")]
    told: list[Json] = [{"name": spelled, "capability": "read-only"} for spelled in spellings]
    assert announced(told) == ()


@pytest.mark.parametrize(
    "name", ["mcp__hermes_desktop__install_plugin", "hermes.uninstall-plugin", "x/ApprovePluginGrants"]
)
def test_not_under_a_prefix_either(name: str) -> None:
    assert is_control_plane(name)


@pytest.mark.parametrize("name", ["open_new", "read_page", "recheck", "install_plugins_list", "explain_page"])
def test_tools_with_words_like_ours_are_tools(name: str) -> None:
    assert not is_control_plane(name)


@pytest.mark.parametrize(
    "told",
    [
        *(
            {"name": "a"},
            {"name": "a", "capability": "writes-files"},
            {"name": "a", "capability": ["read-only"]},
            None,
            1,
        ),
        *(
            {"name": "", "capability": "read-only"},
            {"name": "a\nb", "capability": "read-only"},
            {"capability": "read-only"},
        ),
        *({"name": "a" * 200, "capability": "read-only"}, {"name": "a", "capability": "read-only", "inputSchema": []}),
        {"name": "a", "capability": "read-only", "inputSchema": {"x": "y" * 20_000}},
    ],
)
def test_what_does_not_fit_is_passed_over_and_the_rest_kept(told: Json) -> None:
    assert [tool.name for tool in announced([told, CLICK])] == ["click"]
    assert announced(told) == ()
