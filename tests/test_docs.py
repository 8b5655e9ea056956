"""The documents say what the program does: generated pages are up to date, links lead somewhere, examples hold."""

import json
import re
from pathlib import Path

import pytest

from loader.analysis.registry import RULES
from loader.analysis.worker import check
from loader.backends import host
from loader.cli import rules_docs
from loader.cli.commands import COMMANDS
from loader.cli.main import load
from loader.cli.reference import reference
from loader.codes import CODES
from loader.home import RECORDS_FOLDER
from loader.inventory import allowances, choices, pins
from loader.nouns import Source
from loader.packages import audit, install, planning, storages, waiting
from loader.pages import connections, grants
from loader.reports.rule_page import rule_pages
from loader.server import endpoint
from loader.settings import AnalysisSettings

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def blocks(page: Path, info: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [match["body"] for match in _FENCE.finditer(text) if match["info"].strip() == info]


def prose(page: Path) -> str:
    """A page without its code, where brackets mean something else."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# ---------------------------------------------------------------- generated pages


def test_the_command_lines_page_is_made_from_the_commands() -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert page == reference(), "make it anew: python -m loader.cli.reference > docs/cli.md"


def test_the_rules_pages_are_made_from_the_rules_and_no_page_is_left_over() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in (DOCS / "rules").glob("*.md")}
    assert pages == rule_pages(RULES), "make them anew: python -m loader.cli.rules_docs docs/rules"


def test_making_them_anew_writes_what_is_there_and_removes_the_page_of_a_rule_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    rules_docs.write(folder)
    (folder / "HP999.md").write_text("of a rule that is gone")
    (folder / "HP101.md").write_text("old")
    (folder / "kept.txt").write_text("no page")
    rules_docs.write(folder)
    assert {page.name: page.read_text(encoding="utf-8") for page in folder.glob("*.md")} == rule_pages(RULES)
    assert (folder / "kept.txt").exists()


def test_every_page_of_a_rule_is_about_a_code_that_exists() -> None:
    named = {page.stem for page in (DOCS / "rules").glob("HP*.md")}
    assert named <= set(CODES)


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_every_option_says_what_it_is_for(command: object) -> None:
    for param in load(command).params:  # type: ignore[arg-type]
        assert getattr(param, "help", None), f"{param.name} has no help"


# ---------------------------------------------------------------- links and examples


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_examples_in_json_are_json(page: Path) -> None:
    for block in blocks(page, "json"):
        json.loads(block)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_examples_of_the_command_line_name_commands_and_options_that_exist(page: Path) -> None:
    known = {command.name: command for command in COMMANDS}
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    for line in lines:
        words = line.partition(" #")[0].split()
        if words[:2] != ["$", "hermes-desktop"] or words[2].startswith("-"):
            continue
        assert words[2] in known, line
        options = {option for param in load(known[words[2]]).params for option in param.opts}
        assert {word for word in words[3:] if word.startswith("-")} <= options, line


@pytest.mark.parametrize("number", range(len(blocks(DOCS / "authors.md", "js plugin"))))
def test_the_plugins_that_authors_are_shown_pass_the_check(number: int) -> None:
    text = blocks(DOCS / "authors.md", "js plugin")[number]
    verdict = check(Source(text.encode(), text, ""), AnalysisSettings(rehearsal="off")).verdict
    assert verdict.diagnostics == ()


def test_authors_are_shown_plugins() -> None:
    assert len(blocks(DOCS / "authors.md", "js plugin")) >= 2


def test_the_shell_in_a_few_lines_is_the_same_everywhere() -> None:
    (snippet,) = blocks(DOCS / "shells.md", "js shell")
    code = [line for line in snippet.splitlines() if line.strip() and not line.strip().startswith("//")]
    assert len(code) <= 22, "a shell in a few lines"
    for page in PAGES:
        assert set(blocks(page, "js shell")) <= {snippet}, f"{page.name}: tests run the one of docs/shells.md"


def test_every_exit_code_stands_on_the_pages_that_promise_them() -> None:
    for page in ("cli.md", "operators.md"):
        rows = re.findall(r"^\| (\d) \|", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
        assert rows == ["0", "1", "2", "3", "4", "5"], page


def test_nothing_in_the_documents_names_a_machine() -> None:
    for page in PAGES:
        assert not re.search(r"/work/|/root/|/tmp/", page.read_text(encoding="utf-8")), page


def test_operators_are_told_of_every_file_that_the_program_keeps() -> None:
    kept = {
        *(endpoint.ENDPOINT_FILE, endpoint.LOCK_FILE, choices.CHOICES_FILE, pins.PINS_FILE, allowances.ALLOWANCES_FILE),
        *(waiting.WAITING_FILE, storages.STORAGES_FILE, audit.AUDIT_FILE, audit.OLDER_FILE, install.LOCK_FILE),
        *(connections.FILE, grants.FILE, f"{host.FOLDER}/", f"{planning.APPS_FOLDER}/", f"{RECORDS_FOLDER}/"),
        *("react/", "verdicts/", "cache/"),
    }
    table = re.findall(r"^\| (.*?) \|", (DOCS / "operators.md").read_text("utf-8"), re.MULTILINE)
    named = {name for row in table for name in re.findall(r"`([^`]+)`", row)}
    assert kept - named == set()
