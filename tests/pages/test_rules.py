"""Each page rule's bad example gets exactly its code, and its good one is silent."""

import pytest

from loader.analysis.registry import RULES
from loader.analysis.rule import Rule
from loader.codes import CODES
from loader.pages.check import check_page

PAGE_RULES = [rule for rule in RULES if rule.found_by == "pages"]
SHOWN = [rule for rule in PAGE_RULES if rule.bad.startswith("{")]


def test_every_code_of_pages_has_its_rule() -> None:
    assert [rule.code for rule in PAGE_RULES] == [code for code in CODES if code.startswith("HP7")]
    # Size and the catalogue's name are not seen in a text alone; test_check holds them.
    assert {rule.code for rule in PAGE_RULES} - {rule.code for rule in SHOWN} == {"HP702", "HP716"}


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_the_bad_example_gets_exactly_its_code(rule: Rule) -> None:
    checked = check_page(rule.bad)
    assert {found.code for found in checked.diagnostics} == {rule.code}
    assert all(found.span and found.hint and found.rule == rule.name for found in checked.diagnostics)
    assert checked.ok == (rule.severity != "error")


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_the_good_example_is_silent(rule: Rule) -> None:
    checked = check_page(rule.good)
    assert checked.findings == ()
    assert checked.model is not None
