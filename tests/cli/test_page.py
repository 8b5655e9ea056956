"""page check: files, standard input and drafts, in every form."""

import io
import json
from pathlib import Path

import pytest

from loader.pages.drafts import DraftStore
from tests.cli.conftest import Cli
from tests.pages.building import document, line

GOOD = json.dumps(document(line()), indent=1)
BAD = GOOD.replace('"divider"', '"web_view"')
LOOSE = GOOD.replace('"schemaVersion"', '"schema_version"')


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.json"


def test_a_good_page_is_said_to_be_fine(cli: Cli, page: Path) -> None:
    page.write_text(GOOD, "utf-8")
    outcome = cli("page", "check", str(page), "--contribution", "home")
    assert (outcome.code, outcome.out) == (0, "1 file checked: no findings\n")


def test_a_bad_page_fails_with_its_place(cli: Cli, page: Path) -> None:
    page.write_text(BAD, "utf-8")
    outcome = cli("page", "check", str(page), "--format", "concise")
    assert outcome.code == 1
    assert outcome.out == f"{page}:11:13: error HP706 /pages/0/content/type: there is no element 'web_view'\n"


def test_json_has_the_pointer_of_each_finding(cli: Cli, page: Path) -> None:
    page.write_text(BAD, "utf-8")
    (file,) = cli("page", "check", str(page), "--format", "json").json["files"]
    assert file["kind"] == "document"
    assert [(found["code"], found["pointer"]) for found in file["diagnostics"]] == [("HP706", "/pages/0/content/type")]


@pytest.mark.parametrize("form", ["text", "sarif", "github", "junit", "agent"])
def test_every_form_of_check_is_one_here(cli: Cli, page: Path, form: str) -> None:
    page.write_text(BAD, "utf-8")
    outcome = cli("page", "check", str(page), "--format", form)
    assert outcome.code == 1
    assert "HP706" in outcome.out


def test_warnings_fail_a_strict_run_only(cli: Cli, page: Path) -> None:
    page.write_text(LOOSE, "utf-8")
    assert cli("page", "check", str(page)).code == 0
    assert cli("page", "check", str(page), "--strict").code == 1


def test_standard_input_is_a_target(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert "-:11:13: error HP706" in cli("page", "check", "-", "--format", "concise").out


def test_a_manifest_of_another_plugin_is_found_by_the_id_it_should_have(cli: Cli, page: Path) -> None:
    page.write_text('{"id": "climate"}', "utf-8")
    assert cli("page", "check", str(page)).code == 0
    assert "HP716" in cli("page", "check", str(page), "--plugin", "weather").out


def test_a_draft_is_checked_by_its_id(cli: Cli, home: Path) -> None:
    store = DraftStore(home)
    store.draft({"plugin_id": "home", "title": "Home", "document": document(line())}, "s1")
    assert cli("page", "check", "home").out == "1 file checked: no findings\n"
    path = store.root / "home.json"
    path.write_text(path.read_text("utf-8").replace("divider", "web_view"), "utf-8")
    assert "/document/pages/0/content/type" in cli("page", "check", "home").out


@pytest.mark.parametrize(
    ("target", "said"),
    [("nope", "no service runs"), ("nope.json", "no file"), ("a/b", "no file")],
)
def test_what_is_not_there_is_wrong_usage(cli: Cli, target: str, said: str) -> None:
    outcome = cli("page", "check", target)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err


def test_a_file_that_is_no_text_is_wrong_usage(cli: Cli, page: Path) -> None:
    page.write_bytes(b"\xff\xfe{")
    assert "not UTF-8" in cli("page", "check", str(page)).err
