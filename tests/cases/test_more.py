"""The cases of more.jsonl that need no server: texts through the whole analysis, hashes, switches, archives, policy."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from loader.analysis import worker
from loader.integrity import check_integrity, parse_declaration
from loader.inventory.app_choices import AppChoices
from loader.nouns import Diagnostic, Source, Verdict
from loader.packages.archives import extract_archive
from loader.packages.refused import Invalid
from loader.policy.pet import PetBook
from loader.settings import AnalysisSettings
from tests.cases.given import CASES, Case, named, of, spelled
from tests.policy.conftest import DEMO, world

IMPORT_CODES = {"HP201", "HP202", "HP203", "HP208"}
# Up to here a code is about loading and running; beyond it is advice.
ABOUT_RUNNING = "HP5"


def source(text: str) -> Source:
    data = text.encode()
    return Source(data, text, hashlib.sha256(data).hexdigest())


def judged(text: str) -> Verdict:
    """As a worker does it, with a shorter limit so that what loops for ever takes no longer here."""
    settings = AnalysisSettings(rehearsal_cpu_s=1.0)
    whole = source(text)
    checked = worker.check(whole, settings)
    return worker.rehearse_checked(whole, checked, settings) if checked.verdict.ok else checked.verdict


def hold(expected: Case, text: str) -> None:
    verdict = judged(text)
    found = [one for one in verdict.diagnostics if one.code < ABOUT_RUNNING]
    assert verdict.ok == (expected["check"] == "allow"), found
    if "refused" in expected:
        places = {one.span for one in found if one.code in IMPORT_CODES}
        assert [one.specifier for one in verdict.imports if one.span in places] == expected["refused"]
    if "specifiers" in expected:
        assert [one.specifier for one in verdict.imports] == expected["specifiers"]
    if "codes" in expected:
        assert [one.code for one in found] == expected["codes"], found
    if "line" in expected:
        assert [one.span.line for one in found if one.span] == [expected["line"]]
    assert not {one.code for one in found} & set(expected.get("without", ()))
    if expected.get("utf8"):
        assert verdict.identity.name is not None
        json.dumps(verdict.identity.name).encode()


@pytest.mark.parametrize("case", of("import-check", "parse", "security", "encoding"), ids=named)
def test_a_text_ends_as_it_should(case: Case) -> None:
    expected = case["expected"]
    for place, text in case["input"]["files"].items():
        hold(expected.get("per_plugin", {}).get(Path(place).parts[1], expected), text)


@pytest.mark.parametrize("case", of("integrity"), ids=named)
def test_a_hash_counts_as_it_should(case: Case) -> None:
    given = case["input"]
    file = source(given["text"])

    def outcome(value: str | Diagnostic | None) -> str:
        wrong = isinstance(value, Diagnostic) or check_integrity(value, file)
        return "refuse" if wrong else "pass"

    values = [spelled(value) for value in given.get("tries", ())]
    values += [parse_declaration(text) for text in given.get("declarations", ())]
    assert [outcome(value) for value in values] == case["expected"]["results"]


@pytest.mark.parametrize("case", of("enablement"), ids=named)
def test_a_switch_counts_as_it_should(case: Case, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(case["input"]["config"], "utf-8")
    choices = AppChoices(tmp_path / "config.yaml")
    assert choices.refresh() is None
    assert choices.decisions == case["expected"]["decisions"]


def zipped(given: Any) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in given["members"]:
            entry = zipfile.ZipInfo("x")
            entry.filename, entry.create_system = name, given["system"]
            archive.writestr(entry, text)
    return held.getvalue()


@pytest.mark.parametrize("case", of("archive"), ids=named)
def test_an_archive_ends_as_it_should(case: Case, tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    for number, one in enumerate(given.get("zips") or [given["zip"]]):
        file, into = tmp_path / f"{number}.zip", tmp_path / str(number)
        file.write_bytes(zipped(one))
        into.mkdir()
        if expected["result"] == "refuse":
            with pytest.raises(Invalid):
                extract_archive(file, into)
        else:
            extract_archive(file, into)
        there = sorted(path.relative_to(into).as_posix() for path in into.rglob("*") if path.is_file())
        assert there == expected.get("files", [])


@pytest.mark.parametrize("case", of("policy-pet"), ids=named)
def test_a_line_is_said_as_it_should_be(case: Case) -> None:
    for call, text in zip(case["input"]["calls"], case["expected"]["texts"], strict=True):
        book = PetBook()
        answer = book.say("demo", spelled(call["text"]), 0.0)
        assert [line.text for line in book.live(0.0)] == ([] if text is None else [spelled(text)])
        assert answer.reason == ("empty" if text is None else None)


@pytest.mark.anyio
@pytest.mark.parametrize("case", of("policy-action"), ids=named)
async def test_an_action_is_answered_as_it_should_be(case: Case) -> None:
    here = world()
    here.policy.shell_mounted("shell", True, None)
    answers = []
    for action in case["input"]["calls"]:
        result = await here.policy.run_action(DEMO, action)
        answers.append("ok" if result["ok"] else result["reason"])
        json.dumps(result).encode()
    assert answers == case["expected"]["answers"]
    assert here.shells.asked == []


def test_every_case_is_whole_and_played_somewhere() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    for case in CASES:
        assert set(case) == {"id", "kind", "url", "did", "input", "expected", "why", "basis"}
        assert case["url"].startswith("https://github.com/")
        assert case["basis"] in ("language", "stated-policy", "upstream", "inferred")
    here = {"import-check", "parse", "security", "encoding", "integrity", "enablement", "archive"}
    here |= {"policy-pet", "policy-action"}
    assert {case["kind"] for case in CASES} == here | {"watch", "reload", "identity", "backend", "websocket"}
