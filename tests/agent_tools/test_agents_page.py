"""docs/agents.md names the tools that there are, and configurations that start the server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from ruamel.yaml import YAML

from loader.agent_tools.registry import TOOLS
from loader.cli.commands import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")


def blocks(info: str) -> list[str]:
    return re.findall(rf"^```{info}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_table_lists_every_tool_and_no_other() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == [tool.name for tool in TOOLS]


def test_every_configuration_starts_the_server() -> None:
    (hermes,) = blocks("yaml")
    (codex,) = blocks("toml")
    claude, vs_code = map(json.loads, blocks("json"))
    servers = [
        YAML(typ="safe").load(hermes)["mcp_servers"],
        claude["mcpServers"],
        vs_code["servers"],
        tomllib.loads(codex)["mcp_servers"],
    ]
    for server in servers:
        assert [server["hermes-desktop"]["command"], *server["hermes-desktop"]["args"]] == ["hermes-desktop", "mcp"]
    assert "mcp" in {command.name for command in COMMANDS}
