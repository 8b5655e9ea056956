"""explain and rules: the rule's own words, in the terminal and for programs."""

import pytest

from loader.analysis.registry import RULES
from tests.cli.conftest import Cli


@pytest.mark.parametrize("name", ["HP201", "hp201", " unsupported-import "])
def test_a_rule_is_found_by_code_and_by_name(cli: Cli, name: str) -> None:
    outcome = cli("explain", name)
    assert outcome.code == 0
    assert outcome.out.startswith("HP201 unsupported-import (error)\n\n")
    assert "\n\nBad:\n    import" in outcome.out
    assert "\n\nGood:\n    " in outcome.out
    prose = outcome.out.partition("\n\nBad:")[0]
    assert max(map(len, prose.splitlines())) <= 80


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_every_rule_can_be_explained(cli: Cli, rule: object) -> None:
    code = rule.code  # type: ignore[attr-defined]
    assert cli("explain", code).code == 0
    assert cli("explain", code, "--json").json["code"] == code


@pytest.mark.parametrize(
    ("name", "guess"), [("HP20", "Did you mean HP201?"), ("unsuported-import", "unsupported-import")]
)
def test_a_code_that_is_not_there_is_wrong_usage_with_a_guess(cli: Cli, name: str, guess: str) -> None:
    outcome = cli("explain", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert guess in outcome.err


def test_a_code_that_is_like_none_names_the_list(cli: Cli) -> None:
    assert "hermes-desktop rules" in cli("explain", "xyz").err


def test_all_rules_have_a_line_sorted_by_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    codes = [line.split()[0] for line in cli("rules").out.splitlines()]
    assert codes == sorted(rule.code for rule in RULES)
    answer = cli("rules", "--json").json["rules"]
    assert [rule["code"] for rule in answer] == codes
    assert set(answer[0]) == {"code", "rule", "severity", "found_by", "since", "paragraph", "bad", "good", "url"}
