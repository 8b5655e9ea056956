"""Each tool's answer, without worker processes: compact, with codes and ways out, and never an exception."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from loader.agent_tools import answering
from loader.agent_tools.answering import answer
from loader.agent_tools.new import NewArguments
from loader.agent_tools.registry import TOOLS
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.authoring.templates import TEMPLATES
from loader.cli.check_now import Checker
from loader.cli.options import home_of
from loader.errors import LoaderError
from loader.testing import until
from tests.agent_tools.conftest import Ask
from tests.cli.conftest import RunningService, write_plugin
from tests.cli.test_check_options import CommentPool

BROKEN = "import _ from 'lodash'\nexport default { id: 'bad', register() {} }\n"


# ---------------------------------------------------------------- the list


def test_there_are_the_tools_that_were_promised_each_described_for_a_model() -> None:
    assert [tool.name for tool in TOOLS] == [
        "new",
        "check",
        "rehearse",
        "explain",
        "list",
        "reload",
        "events_since",
        "draft_page",
        "list_pages",
        "publish_page",
        "remove_page",
        "list_plugins",
        "install_plugin",
        "approve_plugin_grants",
        "set_plugin_enabled",
        "uninstall_plugin",
        "open_plugin_tab",
    ]
    for tool in TOOLS:
        assert 60 < len(tool.description) < 400, tool.name
        schema = tool.schema
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert all(part.get("description") for part in schema.get("properties", {}).values()), tool.name
    assert {tool.name for tool in TOOLS if tool.changes_something} == {
        *("new", "check", "reload", "draft_page", "remove_page", "set_plugin_enabled", "uninstall_plugin")
    }


def test_the_templates_that_a_model_may_choose_are_those_that_exist() -> None:
    chosen = get_args(NewArguments.model_fields["template"].annotation)
    assert chosen == tuple(template.name for template in TEMPLATES)


# ---------------------------------------------------------------- what goes wrong is an answer


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("chekc", {}, "Did you mean check?"),
        ("\x1b[31m", {}, "There is no tool '\\\\x1b"),
        ("check", {"path": ["x"]}, "path: Extra inputs are not permitted"),
        ("check", {"paths": "/nowhere/alone"}, "There is no /nowhere/alone"),
        ("check", {"paths": {"a": 1}}, "paths: Input should be a valid list"),
        ("check", {"paths": [3]}, "paths.0: Input should be a valid string"),
        ("check", {"paths": ["/nowhere/at/all"]}, "There is no /nowhere/at/all"),
        ("check", {"select": ["nonsense"]}, "select: `nonsense` is no code"),
        ("check", {"select": ["HP9"]}, "select: "),
        ("rehearse", {"events": ["dance:Start"]}, "there is no event 'dance'"),
        ("reload", {"ids": ["nobody"]}, "there is no plugin 'nobody'"),
        ("reload", {"wait_s": 1e9}, "wait_s: "),
        ("explain", {"code": "HP999"}, "There is no rule 'HP999'"),
        ("new", {}, "id: Field required"),
        ("new", {"id": "My Plugin"}, "Did you mean 'my-plugin'?"),
        ("new", {"id": "mine", "template": "widget"}, "template: "),
        ("new", {"id": "mine", "into": "here"}, "is not absolute"),
        ("events_since", {}, "No service runs"),
        ("events_since", {"since": "nonsense"}, "since: "),
    ],
)
def test_what_goes_wrong_is_said_with_the_way_out(ask: Ask, name: str, arguments: dict[str, object], says: str) -> None:
    found = ask(name, arguments)
    assert found.failed
    assert says in found.text
    assert "Traceback" not in found.text


def test_without_a_home_the_tools_that_need_none_work(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "nowhere"))
    assert "HERMES_HOME" in ask("list").text
    assert ask("list").failed
    assert not ask("new", id="mine", into=str(tmp_path)).failed
    assert not ask("check", paths=[str(tmp_path / "mine")]).failed
    assert not ask("explain", code="HP201").failed


async def _with(tool: AgentTool) -> Answer:
    return await answer((tool,), Desk(lambda: home_of(None, None), Checker((), 1)), tool.name, {})


def _tool(run: object) -> AgentTool:
    return AgentTool("mine", "Mine", "A tool of a test.", Arguments, run)  # type: ignore[arg-type]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (LoaderError("it is\x1b so"), "it is\\x1b so"),
        (KeyError("oops"), "Internal failure of hermes-desktop: KeyError: 'oops'"),
        (RecursionError("deep"), "RecursionError"),
        (asyncio.CancelledError(), "Call again"),
    ],
)
async def test_a_tool_that_throws_answers_all_the_same(failure: BaseException, says: str) -> None:
    async def run(desk: Desk, given: Arguments) -> Answer:
        raise failure

    found = await _with(_tool(run))
    assert found.failed
    assert says in found.text


@pytest.mark.anyio
async def test_a_call_that_the_client_cancels_ends() -> None:
    started = asyncio.Event()

    async def run(desk: Desk, given: Arguments) -> Answer:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = asyncio.create_task(_with(_tool(run)))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.anyio
async def test_an_answer_that_is_too_long_is_cut_and_says_so() -> None:
    async def run(desk: Desk, given: Arguments) -> Answer:
        return Answer("x" * 100_000)

    found = await _with(_tool(run))
    assert len(found.text) <= answering.LIMIT_LETTERS
    assert found.text.endswith("letters more were left out.")


# ---------------------------------------------------------------- what they say


def test_a_new_plugin_is_made_once(ask: Ask, home: Path) -> None:
    would = ask("new", id="mine", template="page", dry_run=True)
    assert would.text.startswith(f"Would make {home / 'desktop-plugins' / 'mine'}\n  plugin.js\n")
    assert not (home / "desktop-plugins" / "mine").exists()
    made = ask("new", id="mine", template="page")
    assert str(home / "desktop-plugins" / "mine" / "plugin.js") in made.text
    again = ask("new", id="mine")
    assert again.failed
    assert "nothing is ever overwritten" in again.text


def test_what_is_made_says_what_comes_next(ask: Ask, home: Path, tmp_path: Path) -> None:
    refused = ask("new", id="mine", template="web-app")
    assert refused.failed
    assert "name an absolute folder" in refused.text
    assert ask("new", id="mine", into="here").failed
    app = ask("new", id="mine", template="web-app", into=str(tmp_path))
    assert f"Then call install_plugin with path {tmp_path / 'mine'}: a person answers it." in app.text
    package = ask("new", id="both", template="package")
    assert package.text.endswith("A package is off until a person runs `hermes-desktop enable both`.")


def test_the_check_is_asked_for_what_it_is_told(ask: Ask, home: Path) -> None:
    assert "Begin one with the tool new" in ask("check").text
    path = write_plugin(home, "good")
    found = ask("check", paths=[str(path)], strict=True)
    assert found == Answer("ok: 1 file, no findings.\n")


def test_the_check_mends_what_is_safe_and_says_what_it_left(
    ask: Ask, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.analysis.pool.AnalysisPool", CommentPool)
    loose, kept, fine = (write_plugin(home, name) for name in ("loose", "kept", "fine"))
    for path in (loose, kept):
        path.write_text(path.read_text() + "// HP509\n")
    before = kept.read_bytes()
    digest = base64.b64encode(hashlib.sha256(before).digest()).decode()
    (kept.parent / "integrity.json").write_text(json.dumps({"plugin.js": f"sha256-{digest}"}))
    found = ask("check", fix=True)
    assert loose.read_text().endswith("}\n// \n")
    assert (kept.read_bytes(), fine.read_text().count("HP509")) == (before, 0)
    said, report = found.text.splitlines()[:2], found.text
    assert said[0].startswith(f"{kept} is left as it is: its bytes are vouched for by a hash")
    assert said[1] == f"{loose} was mended: Remove HP509."
    # What is left is told once more, of the files as they are now.
    assert report.count("here is HP509") == 1
    assert str(fine) not in report


def test_codes_that_do_not_exist_are_said(ask: Ask, home: Path) -> None:
    found = ask("check", paths=[str(write_plugin(home, "good"))], select=["HP9"])
    assert found.failed
    assert "select: " in found.text


def test_an_empty_home_and_a_home_without_a_service_are_said(ask: Ask, home: Path) -> None:
    assert (
        ask("list").text
        == f"{home} (HERMES_HOME is set): 0 plugins; no service runs, so nothing is loaded in the app by it"
    )
    write_plugin(home, "good")
    assert ask("list").text.splitlines()[1] == "good ready standalone"
    reloaded = ask("reload", ids=["good"])
    assert reloaded.failed
    assert reloaded.text.startswith(f"Nothing was reloaded: no service runs for {home}.")
    assert "ok: 1 file, no findings." in reloaded.text


def test_all_rules_are_a_line_each_and_one_is_its_paragraph(ask: Ask) -> None:
    lines = ask("explain").text.splitlines()
    assert len(lines) > 30
    assert all(re.match(r"HP\d{3} (error|warning|info) [a-z0-9-]+: \S", line) for line in lines)
    assert ask("explain", code="hp201").text.startswith("HP201 unsupported-import (error)\n")
    assert ask("explain", code="unsupported-import").text == ask("explain", code="HP201").text


def test_with_a_service_list_and_reload_show_what_runs(ask: Ask, home: Path, service: RunningService) -> None:
    write_plugin(home, "good")
    reloaded = ask("reload", wait_s=0)
    assert not reloaded.failed
    assert reloaded.text.splitlines()[0] == "good ready standalone"
    assert "No window of the app is connected" in reloaded.text
    listed = ask("list").text
    assert "service: process " in listed
    assert "1 plugins" in listed


def test_events_are_read_on_from_the_cursor(ask: Ask, home: Path, service: RunningService) -> None:
    write_plugin(home, "good")
    ask("reload", wait_s=0)
    first = ask("events_since").text
    assert "plugin/load" in first
    assert service.endpoint.token not in first
    cursor = first.splitlines()[-1].removeprefix("cursor: ")
    assert re.fullmatch(r"\S+:\d+", cursor)
    assert ask("events_since", since=cursor).text == f"nothing new\ncursor: {cursor}"

    write_plugin(home, "other")
    ask("reload", wait_s=0)
    second = ask("events_since", since=cursor).text
    assert "other" in second
    assert "good" not in second
    everything = ask("events_since", limit=1).text
    assert everything.splitlines()[0].endswith("older ones left out")
    foreign = ask("events_since", since="another-instance:3").text
    assert foreign.startswith("What came before is not known any more")
    assert foreign.splitlines()[-1] == second.splitlines()[-1]


@pytest.mark.anyio
async def test_waiting_for_events_ends_with_the_first_one(ask: Ask, home: Path, service: RunningService) -> None:
    cursor = (await asyncio.to_thread(ask, "events_since")).text.splitlines()[-1].removeprefix("cursor: ")
    waiting = asyncio.create_task(asyncio.to_thread(ask, "events_since", since=cursor, wait_s=60))
    write_plugin(home, "good")
    await asyncio.to_thread(ask, "reload", wait_s=0)
    await until(waiting.done)
    assert "good" in waiting.result().text


def test_rows_in_trouble_show_their_findings_with_the_way_out() -> None:
    from loader.agent_tools.rows import row_lines

    finding = {
        "code": "HP201",
        "rule": "unsupported-import",
        "severity": "error",
        "message": "no `lodash`\x1b",
        "line": 1,
        "column": 15,
        "hint": "copy it in",
    }
    row = {
        "id": "bad",
        "folder": "bad",
        "state": "failed",
        "door": "standalone",
        "path": "/p/plugin.js",
        "revision": "a",
        "running_revision": None,
        "choice_from": "door",
        "pinned": False,
        "shells": [],
        "diagnostics": [finding] * 12 + [{**finding, "severity": "info"}],
    }
    lines = row_lines([row])
    assert lines[0] == "bad failed standalone: 12 errors, 1 info"
    assert lines[1] == "  /p/plugin.js:1:15 error HP201 unsupported-import: no `lodash`\\x1b"
    assert lines[2] == "    fix: copy it in"
    assert lines[-1] == "  2 more: check /p/plugin.js"
