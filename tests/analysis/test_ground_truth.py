"""The static check against truth that nobody here wrote: test262's parser tests, V8, acorn, es-module-lexer, ESLint."""

from __future__ import annotations

from pathlib import Path

import pytest

from loader.analysis.engine import compile_module
from loader.analysis.static import check_text
from loader.analysis.syntax import parse
from tests.analysis.compiling import SETTINGS
from tests.analysis.peering import ask, published_files, v8_verdicts
from tests.requirements import peers

SYNTAX_CODES = {"HP101", "HP102", "HP103", "HP104", "HP105", "HP106", "HP209"}


def refusal(text: str) -> str | None:
    """The message with which the text is refused for its syntax."""
    result = check_text(text, compile_module(text), SETTINGS)
    found = [one for one in result.findings if one.code in SYNTAX_CODES and one.severity == "error"]
    assert all(one.span is not None for one in found)
    return found[0].message if found else None


def parser_tests(folder: str) -> list[Path]:
    return sorted((peers() / "node_modules" / "test262-parser-tests" / folder).iterdir())


def text_of(file: Path) -> str:
    # Line ends are part of some tests: no translation.
    return file.read_bytes().decode("utf-8")


@pytest.mark.real
@pytest.mark.parametrize("folder", ["pass", "pass-explicit", "fail", "early"])
def test_syntax_is_accepted_and_refused_as_v8_does(folder: str) -> None:
    files = parser_tests(folder)
    if folder == "pass-explicit":
        files = files[::4]  # the same programs as in `pass` with more brackets
    verdicts = v8_verdicts([text_of(file) for file in files])
    different = []
    for file, v8 in zip(files, verdicts, strict=True):
        ours = refusal(text_of(file))
        if (v8 is None) == (ours is None):
            continue
        # A file without any code is no plugin, however well it parses.
        if ours == "the file is empty":
            continue
        # V8 puts off the error of an assignment to a call until it runs; as a module it never can run well.
        if text_of(file) == "func() = 4":
            continue
        different.append((file.name, v8, ours))
    assert different == []


@pytest.mark.real
@pytest.mark.parametrize("folder", ["pass", "fail", "early"])
def test_modules_of_test262_are_judged_as_their_folder_says(folder: str) -> None:
    files = [file for file in parser_tests(folder) if ".module." in file.name]
    assert len(files) > 40
    wrong = [file.name for file in files if (refusal(text_of(file)) is None) != (folder == "pass")]
    assert wrong == []


@pytest.mark.real
def test_imports_of_published_files_are_those_of_acorn_and_es_module_lexer() -> None:
    files = published_files()
    assert len(files) > 1000
    answers = ask("imports.mjs", [str(file) for file in files], arguments=(str(peers()),))
    different = []
    for file, answer in zip(files, answers, strict=True):
        found = sorted(parse(text_of(file)).imports, key=lambda one: one.start)
        if [[one.start, one.end, one.specifier, one.kind] for one in found] != answer["acorn"]:
            different.append(("acorn", file.name))
        kinds = [[one.specifier, "dynamic" if one.kind == "dynamic" else "static"] for one in found]
        # es-module-lexer sees no import behind a byte order mark (one file has one).
        if kinds != answer["lexer"] and not (text_of(file).startswith("\ufeff") and answer["lexer"] == []):
            different.append(("es-module-lexer", file.name))
    assert different == []


@pytest.mark.real
def test_published_files_parse_and_the_engine_sees_the_same_modules() -> None:
    # The engine costs 5 ms for each file; every fourth one keeps all packages in.
    for file in published_files()[::4]:
        text = text_of(file)
        if text.strip():
            assert refusal(text) is None, file


@pytest.mark.real
def test_free_names_are_those_that_eslint_reports_as_undefined() -> None:
    # ESLint needs 8 ms for each file; every third one keeps all packages in.
    files = published_files()[::3]
    answers = ask("free_names.mjs", [str(file) for file in files], arguments=(str(peers()),))
    different = []
    for file, answer in zip(files, answers, strict=True):
        module = parse(text_of(file))
        found = sorted(
            [one.name, module.span(one.node).line, module.span(one.node).column] for one in module.free_references
        )
        # `undefined` is a literal in our grammar; messages without a name are about comments that ESLint ignores.
        expected = sorted(one for one in answer if one[0] not in (None, "undefined"))
        if found != expected:
            different.append(file.name)
    assert different == []
