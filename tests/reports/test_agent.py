"""For a model: the place, the cause, the fix; nothing twice, errors first, and never more than was promised."""

from dataclasses import replace

import pytest

from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.nouns import Diagnostic, Edit, Fix, Span
from loader.reports.agent import LIMIT_LETTERS, agent_report


def at(line: int, code: str = "HP502", message: str = "a colour", **more: object) -> Diagnostic:
    return finding(code, message, span=Span(line, 3, line, 4), **more)  # type: ignore[arg-type]


def report(*findings: Diagnostic, text: str = "one\n  two\nthree\n", **more: int) -> str:
    return agent_report(CheckRun((CheckedFile("a/plugin.js", "a", diagnostics=findings, text=text),)), **more)


def test_place_cause_code_and_fix(run: CheckRun) -> None:
    assert agent_report(run) == (
        "FAILED: 3 files, 2 errors, 1 warning, 1 info.\n"
        'one/plugin.js:1:15 error HP201 unsupported-import: import of "lodash"\n'
        '  code: import _ from "lodash"\n'
        "  fix: copy what you need into the file\n"
        "two/plugin.js error HP001 unreadable-file: there is a folder\n"
        "  see: docs/rules/HP001.md\n"
        "one/plugin.js:2:1 warning HP502 hard-coded-color: colour \\x1b[31m literal\n"
        '  code: export default { id: "one", register() {} }\n'
        "  see: docs/rules/HP502.md\n"
        "one/plugin.js info HP003 large-file: 600 KiB in one file\n"
        "  see: docs/rules/HP003.md\n"
    )


def test_nothing_to_do_is_one_line() -> None:
    assert report() == "ok: 1 file, no findings.\n"


def test_the_same_of_several_places_is_said_once() -> None:
    told = report(*(at(line, hint="use a variable") for line in (1, 2, 3)))
    assert told.count("use a variable") == 1
    assert "a/plugin.js:1:3,2:3,3:3 warning HP502" in told
    many = report(*(at(line) for line in range(1, 21)))
    assert ",8:3,+12 more warning" in many


def test_what_check_mends_itself_is_marked() -> None:
    told = report(at(1, "HP509", hint="remove it", fix=Fix("x", (Edit(0, 1, ""),))))
    assert "  fix: [auto] remove it\n" in told
    assert told.endswith("Fixes marked [auto] are applied by `check --fix`.\n")


@pytest.mark.parametrize("limit", [1_000, 3_000, LIMIT_LETTERS])
def test_it_is_bounded_and_counts_what_it_leaves_out(limit: int) -> None:
    findings = [at(line, message=f"message {line} " + "x" * 900, hint="h" * 900) for line in range(1, 400)]
    told = report(*findings, at(1, "HP201", "an error"), limit=limit)
    assert len(told) <= limit
    assert "HP201" in told.splitlines()[1], "errors come first"
    shown = told.count(" warning HP502 ")
    assert f"{399 - shown} more left out ({399 - shown} HP502)" in told
    assert "--select CODE" in told


def test_many_codes_left_out_are_bounded_too() -> None:
    codes = [f"HP5{number:02}" for number in range(1, 16)] + ["HP601", "HP602", "HP611", "HP612"]
    told = report(*(at(1, code, "m" * 390, hint="h" * 500) for code in codes for _ in range(1)), limit=1_000)
    assert len(told) <= 1_000
    assert ", …)" in told


def test_one_long_line_is_shown_around_the_finding() -> None:
    text = "a" * 5_000 + "COLOR" + "b" * 5_000
    found = finding("HP502", "x", span=Span(1, 5_001, 1, 5_006))
    told = report(found, text=text)
    assert "COLOR" in told
    assert len(told) < 400


def test_what_is_known_is_counted() -> None:
    run = CheckRun((replace(CheckedFile("p", "p"), known=3),))
    assert agent_report(run) == "ok: 1 file, no findings. Left out as known (baseline): 3.\n"
