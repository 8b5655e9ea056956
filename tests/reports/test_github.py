"""Workflow commands: one line each, and nothing of a plugin gets out of it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.nouns import Diagnostic, Span
from loader.reports.github import github_command, github_report
from loader.reports.safe import is_unsafe

CWD = Path.cwd()


def command(found: Diagnostic, path: str = "one/plugin.js") -> str:
    return github_report(CheckedFile(path, "one", diagnostics=(found,)), cwd=CWD)


def test_each_severity_has_its_command(run: CheckRun) -> None:
    lines = github_report(run.files[0], cwd=CWD).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::error", "::warning"]
    assert github_report(run.files[2], cwd=CWD) == ""


def test_the_place_the_title_the_message_and_the_hint() -> None:
    found = finding("HP201", "no", span=Span(2, 15, 2, 23), hint="copy it")
    assert command(found) == (
        "::error file=one/plugin.js,line=2,endLine=2,col=15,endColumn=23,title=HP201 unsupported-import::no%0Acopy it\n"
    )


def test_over_several_lines_there_is_no_end_column_and_without_a_place_no_line() -> None:
    assert "endLine=4,col=2,title" in command(finding("HP502", "x", span=Span(1, 2, 4, 9)))
    assert command(finding("HP003", "large")).startswith("::notice file=one/plugin.js,title=HP003 ")


def test_what_commands_are_made_of_is_escaped() -> None:
    told = command(finding("HP201", "50%,\r\n::error::x: y"), path="a,b:c%/plugin.js")
    assert "file=a%2Cb%3Ac%25/plugin.js,title" in told
    assert told.endswith("::50%25,\\r\\n::error::x: y\n")
    assert told.count("\n") == 1


@given(st.text(), st.text(), st.text())
def test_whatever_a_plugin_says_it_is_one_command_of_one_line(path: str, message: str, hint: str) -> None:
    told = github_command(path, finding("HP201", message, hint=hint))
    assert re.fullmatch(r"::error file=[^\r\n,:]*,title=HP201 unsupported-import::[^\r\n]*", told)
    assert not any(is_unsafe(letter) for letter in told)


@pytest.mark.parametrize("path", ["one/plugin.js", "./one/plugin.js", str(CWD / "one" / "plugin.js")])
def test_paths_begin_at_the_checkout(path: str) -> None:
    assert "file=one/plugin.js," in command(finding("HP003", "large"), path=path)
