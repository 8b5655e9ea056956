"""The skill for agents: the common format, and every command, flag, template, file and code that it names exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from loader.agent_tools.registry import TOOLS
from loader.analysis.registry import BY_CODE
from loader.analysis.worker import check
from loader.authoring.templates import TEMPLATES, files_of
from loader.cli.commands import COMMANDS
from loader.cli.main import load
from loader.nouns import Source
from loader.settings import AnalysisSettings

ROOT = Path(__file__).parent.parent
SKILL = ROOT / "skills" / "hermes-desktop-plugins" / "SKILL.md"
TEXT = SKILL.read_text(encoding="utf-8")
_, HEAD, BODY = TEXT.split("---\n", 2)

# Blocks, and code in a line: an agent takes both literally.
CALLS = sorted(
    set(re.findall(r"^\s*\$ (hermes-desktop .+)$", BODY, re.MULTILINE))
    | set(re.findall(r"`(hermes-desktop [^`]+)`", BODY))
)


def test_the_front_matter_is_the_common_one() -> None:
    front: dict[str, Any] = YAML(typ="safe").load(HEAD)
    assert front["name"] == SKILL.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", front["name"])
    assert 50 < len(front["description"]) <= 1024
    assert "<" not in front["description"]
    assert set(front) == {"name", "description", "license"}


def test_it_is_short_enough_to_be_read_whole() -> None:
    assert len(BODY.splitlines()) < 200


@pytest.mark.parametrize("call", CALLS)
def test_every_command_that_it_names_exists_with_those_flags(call: str) -> None:
    words = shlex.split(call)[1:]
    command = next((command for command in COMMANDS if command.name == words[0]), None)
    assert command is not None, call
    params = {option: param for param in load(command).params for option in param.opts}
    wanted_arguments = [param for param in load(command).params if param.param_type_name == "argument"]
    rest = iter(words[1:])
    arguments = []
    for word in rest:
        if not word.startswith("-"):
            arguments.append(word)
            continue
        assert word in params, f"{call}: there is no {word}"
        param: Any = params[word]
        if not param.is_flag:
            value = next(rest)
            choices = getattr(param.type_descriptor, "choices", None)
            assert not choices or value in choices, call
    assert len(arguments) <= (99 if any(param.nargs == -1 for param in wanted_arguments) else len(wanted_arguments)), (
        call
    )


def test_it_names_the_whole_loop() -> None:
    named = {call.split()[1] for call in CALLS}
    assert {"new", "check", "explain", "rehearse", "reload", "doctor", "actions", "rules", "list"} <= named


def test_the_templates_tools_and_codes_that_it_names_exist_and_none_is_missing() -> None:
    listed = re.search(r"Templates: (.+?)\.\n", BODY, re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r"`([\w-]+)`", listed[1])) == tuple(template.name for template in TEMPLATES)
    tools = re.search(r"If you have the tools (.+?) \(MCP", BODY, re.DOTALL)
    assert tools is not None
    assert tuple(re.findall(r"`(\w+)`", tools[1])) == tuple(tool.name for tool in TOOLS)
    assert set(re.findall(r"HP\d{3}", BODY)) <= set(BY_CODE)


def test_the_files_that_it_points_to_are_in_every_new_plugin() -> None:
    files = {file.path for file in files_of(TEMPLATES[0], "mine")}
    named = set(re.findall(r"`(types/[\w-]+\.d\.ts)`", BODY))
    assert len(named) >= 3
    assert named <= files


def test_its_smallest_plugin_passes_the_check() -> None:
    (text,) = re.findall(r"^```js\n(.*?)^```", BODY, re.MULTILINE | re.DOTALL)
    assert check(Source(text.encode(), text, ""), AnalysisSettings(rehearsal="off")).verdict.diagnostics == ()
