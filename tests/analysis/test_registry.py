"""Every rule: one code, one paragraph, a bad example that gets exactly its code, a good one that is silent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import loader.analysis.rules
from loader.analysis.registry import BY_CODE, RULES
from loader.analysis.rule import Rule
from loader.codes import CODES
from tests.analysis.compiling import check

SHOWN = [rule for rule in RULES if rule.shown_by_text]


def test_codes_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert list(BY_CODE) == codes


def test_every_code_up_to_the_rehearsal_has_its_rule() -> None:
    assert {code for code in CODES if code < "HP5"} <= set(BY_CODE)


def test_every_rule_file_is_in_the_registry() -> None:
    folder = Path(loader.analysis.rules.__file__).parent
    files = {file.stem for file in folder.glob("*.py") if re.search(r"^RULE = ", file.read_text("utf-8"), re.MULTILINE)}
    assert files == {rule.name.replace("-", "_") for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_explained(rule: Rule) -> None:
    first, _, rest = rule.paragraph.strip().partition("\n")
    assert first.endswith(".")
    assert len(first) <= 120
    assert rule.bad.strip()
    assert rule.good.strip()
    assert rule.bad != rule.good
    assert rest.strip() or rule.code in ("HP410",)


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_the_bad_example_gets_exactly_its_code(rule: Rule) -> None:
    found = check(rule.bad).findings
    assert {one.code for one in found} == {rule.code}
    assert all(one.span is not None and one.rule == rule.name for one in found)
    assert all(one.hint for one in found)


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_the_good_example_is_silent(rule: Rule) -> None:
    assert check(rule.good).findings == ()


def test_every_rule_with_a_check_is_shown_by_its_examples() -> None:
    assert [rule.code for rule in RULES if rule.check is not None and not rule.shown_by_text] == []


def test_a_rule_without_a_check_says_who_finds_it() -> None:
    with pytest.raises(ValueError, match="either a check"):
        Rule("HP101", "A paragraph.", bad="a", good="b")
