"""page check: files, standard input and drafts, in every form."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from loader.pages.drafts import DraftStore
from loader.pages.limits import DOCUMENT_LIMIT_BYTES
from tests.cli.conftest import Cli, RunningService
from tests.pages.building import LABEL, document, line

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


def test_what_cannot_be_read_or_is_too_large_is_said(cli: Cli, page: Path) -> None:
    outcome = cli("page", "check", str(page.parent))
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{page.parent} cannot be read: Is a directory." in outcome.err
    # What is read of it ends in the middle of a letter: too large all the same, and none of its letters is wrong.
    page.write_bytes(b"xx" + "\u20ac".encode() * (DOCUMENT_LIMIT_BYTES // 3 + 2))
    outcome = cli("page", "check", str(page), "--format", "concise")
    assert outcome.code == 1
    assert "HP702" in outcome.out
    assert "UTF-8" not in outcome.out + outcome.err


PLUGIN = """
from fastapi import APIRouter, HTTPException
router = APIRouter()
@router.get("/mobile/manifest")
def manifest():
    return {manifest}
@router.get("/pages/{{name}}")
def page(name: str):
    if name == "gone":
        raise HTTPException(404, "no such page")
    return {document}
"""


def contribution(name: str, path: str) -> dict[str, Any]:
    return {"id": name, "title": name.title(), "document": {"path": path}}


def offer(home: Path, pages: list[dict[str, Any]], shown: Any) -> None:
    """A package whose backend answers for pages, switched on."""
    manifest = {"schema_version": 1, "id": "board", "display_name": "Board", "contributions": pages}
    dashboard = home / "plugins" / "board" / "dashboard"
    dashboard.mkdir(parents=True)
    (dashboard / "manifest.json").write_text('{"name": "board", "api": "plugin_api.py"}', "utf-8")
    (dashboard / "plugin_api.py").write_text(PLUGIN.format(manifest=manifest, document=shown), "utf-8")
    (home / "config.yaml").write_text('{"plugins": {"enabled": ["board"]}}', "utf-8")


def test_a_plugin_that_answers_for_itself_is_checked_with_its_pages_each_document_once(
    cli: Cli, home: Path, service: RunningService
) -> None:
    offer(
        home,
        [contribution("home", "pages/a"), contribution("more", "pages/a")],
        document(line(), more=[{"id": "more", "title": LABEL, "content": line()}]),
    )
    outcome = cli("page", "check", "board", "--format", "json")
    files = outcome.json["files"]
    assert [file["kind"] for file in files] == ["manifest", "document"]
    assert [file["path"] for file in files] == ["/api/plugins/board/mobile/manifest", "/api/plugins/board/pages/a"]


def test_a_path_that_leaves_the_plugin_is_said_with_its_manifest_and_never_asked(
    cli: Cli, home: Path, service: RunningService
) -> None:
    offer(home, [contribution("home", "../../secrets"), contribution("more", "pages/a")], document(line(), page="more"))
    outcome = cli("page", "check", "board", "--format", "json")
    assert outcome.code == 1
    manifest, page = outcome.json["files"]
    assert [found["code"] for found in manifest["diagnostics"]] == ["HP713"]
    assert (page["path"], page["diagnostics"]) == ("/api/plugins/board/pages/a", [])


def test_a_page_of_a_plugin_that_cannot_be_had_is_named_with_the_reason(
    cli: Cli, home: Path, service: RunningService
) -> None:
    offer(home, [contribution("more", "pages/gone")], document(line()))
    outcome = cli("page", "check", "board")
    assert outcome.code == 3
    assert "/api/plugins/board/pages/gone cannot be read: the service answered 404." in outcome.err


def test_a_name_that_no_draft_and_no_plugin_has_is_wrong_usage_beside_a_service(
    cli: Cli, service: RunningService
) -> None:
    outcome = cli("page", "check", "nobody")
    assert (outcome.code, outcome.out) == (2, "")
    assert "no plugin of that name has pages" in outcome.err


def test_a_file_that_is_no_text_is_wrong_usage(cli: Cli, page: Path) -> None:
    page.write_bytes(b"\xff\xfe{")
    assert "not UTF-8" in cli("page", "check", str(page)).err
