"""The check's JSON is the published shape, the same bytes each time, and safe to print anywhere."""

import json
from typing import Any

import jsonschema
import pytest

from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.reports.check_json import check_json, check_schema, json_text


@pytest.fixture
def validator() -> jsonschema.Draft202012Validator:
    schema = check_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_a_run_with_everything_fits_the_schema(run: CheckRun, validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(check_json(run))


def test_the_keys_are_those_of_the_design(run: CheckRun) -> None:
    answer = check_json(run)
    assert list(answer) == ["version", "tool", "files", "summary"]
    assert answer["version"] == 1
    file = answer["files"][0]
    assert list(file) == [
        "path", "id", "exported_id", "ok", "revision", "imports", "contributions", "diagnostics",
    ]  # fmt: skip
    assert list(file["imports"][0]) == ["specifier", "kind", "line", "column", "start", "end"]
    assert list(file["diagnostics"][0]) == [
        "code", "rule", "severity", "message", "line", "column", "end_line", "end_column", "hint", "url",
    ]  # fmt: skip
    assert answer["summary"] == {"files": 3, "errors": 2, "warnings": 1, "infos": 1}


def test_a_file_that_could_not_be_read_has_no_revision_and_its_finding_no_place(run: CheckRun) -> None:
    file = check_json(run)["files"][1]
    assert (file["ok"], file["revision"], file["exported_id"]) == (False, None, None)
    assert file["diagnostics"][0]["line"] is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("files", 0, "revision"), "AB" * 32),
        (("files", 0, "diagnostics", 0, "code"), "XX1"),
        (("files", 0, "diagnostics", 1, "line"), 0),
        (("files", 0, "imports", 0, "kind"), "magic"),
        (("summary", "errors"), -1),
        (("extra",), 1),
    ],
)
def test_the_schema_refuses_what_is_not_the_shape(
    run: CheckRun, validator: jsonschema.Draft202012Validator, path: tuple[Any, ...], value: object
) -> None:
    answer: Any = json.loads(json_text(check_json(run)))
    place = answer
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not validator.is_valid(answer)


def test_the_same_run_gives_the_same_bytes(run: CheckRun) -> None:
    assert json_text(check_json(run)) == json_text(check_json(run))


def test_letters_outside_ascii_stay_verbatim_in_value_and_escaped_in_bytes() -> None:
    message = "bad \u202e name \ud800 漢"
    run = CheckRun((CheckedFile("p", "p", diagnostics=(finding("HP101", message),)),))
    text = json_text(check_json(run))
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text)["files"][0]["diagnostics"][0]["message"] == message
