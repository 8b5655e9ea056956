"""SARIF that others read: valid against the official schema, places in UTF-16, every rule explained."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from loader.analysis.registry import RULES
from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import CODES, finding
from loader.nouns import Edit, Fix, Span
from loader.reports.sarif import sarif_json
from tests.requirements import peers

CWD = Path("/work shop/repo") if Path("/").drive == "" else Path("C:/work shop/repo")


@cache
def schema() -> dict[str, Any]:
    """The schema of OASIS, as Microsoft's matchers for Jest bring it."""
    (path,) = (peers() / "node_modules" / "@microsoft" / "jest-sarif" / "lib" / "schemas").glob("sarif-2.1.0*.json")
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def sarif(run: CheckRun) -> dict[str, Any]:
    made = sarif_json(run, RULES, cwd=CWD)
    jsonschema.validate(made, schema(), cls=jsonschema.Draft4Validator, format_checker=jsonschema.FormatChecker())
    (only,) = made["runs"]
    return dict(only)


def file(*findings: Any, path: str = "one/plugin.js", text: str | None = "a\nb\n") -> CheckRun:
    return CheckRun((CheckedFile(path, "one", revision="ab" * 32, diagnostics=findings, text=text),))


def test_the_schema_refuses_what_is_none() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": "2.1.0", "runs": [{}]}, schema(), cls=jsonschema.Draft4Validator)


def test_a_run_with_one_of_everything_is_valid(run: CheckRun) -> None:
    made = sarif(run)
    assert made["columnKind"] == "utf16CodeUnits"
    assert [(each["ruleId"], each["level"]) for each in made["results"]] == [
        ("HP003", "note"),
        ("HP201", "error"),
        ("HP502", "warning"),
        ("HP001", "error"),
    ]
    assert [each["location"]["uri"] for each in made["artifacts"]] == [
        "one/plugin.js",
        "two/plugin.js",
        "three/plugin.js",
    ]


def test_an_empty_run_is_valid_too() -> None:
    assert sarif(CheckRun(()))["results"] == []


def test_every_code_is_described_and_results_point_at_their_description(run: CheckRun) -> None:
    made = sarif(run)
    rules = made["tool"]["driver"]["rules"]
    assert {each["id"] for each in rules} == set(CODES)
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in made["results"])
    explained = {rule.code for rule in RULES}
    for each in rules:
        if each["id"] in explained:
            assert each["fullDescription"]["text"].strip()
            assert "Good" in each["help"]["text"]
            assert each["help"]["markdown"].startswith(f"# {each['id']} ")


def test_places_are_regions_and_a_whole_file_has_none() -> None:
    made = sarif(file(finding("HP502", "here", span=Span(2, 3, 2, 9)), finding("HP003", "large")))
    regions = [each["locations"][0]["physicalLocation"].get("region") for each in made["results"]]
    assert regions == [{"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 9}, None]


def test_the_hint_is_part_of_the_message() -> None:
    assert sarif(file(finding("HP502", "what", hint="how")))["results"][0]["message"]["text"] == "what\nhow"


def test_a_fix_is_replacements_in_places_behind_wide_letters() -> None:
    text = "🙂🙂\n🙂 'X'"
    found = finding("HP509", "x", span=Span(2, 4, 2, 7), fix=Fix("Mend", (Edit(9, 10, "y"),)))
    (result,) = sarif(file(found, text=text))["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 6},
            "insertedContent": {"text": "y"},
        }
    ]
    assert result["fixes"][0]["description"]["text"] == "Mend"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/é%,:/plugin.js", "a%20b/%C3%A9%25%2C%3A/plugin.js"),
        ("./one/../two/plugin.js", "two/plugin.js"),
        (str(CWD / "one" / "plugin.js"), "one/plugin.js"),
        (str(CWD.parent / "else" / "plugin.js"), (CWD.parent / "else" / "plugin.js").as_uri()),
        ("x\udcff/plugin.js", "x%FF/plugin.js"),
    ],
)
def test_paths_are_addresses_from_the_repositorys_root_on(path: str, uri: str) -> None:
    assert sarif(file(path=path))["artifacts"][0]["location"]["uri"] == uri


def test_the_fingerprint_stays_when_lines_move() -> None:
    found = finding("HP502", "colour", span=Span(1, 1, 1, 2))
    moved = replace(found, span=Span(3, 1, 3, 2))
    one = sarif(file(found, text="x = 1"))["results"][0]["partialFingerprints"]
    two = sarif(file(moved, text="\n\nx = 1"))["results"][0]["partialFingerprints"]
    assert one == two
    assert one != sarif(file(found, text="x = 2"))["results"][0]["partialFingerprints"]
