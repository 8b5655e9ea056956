"""JUnit XML: well-formed whatever a plugin holds, failures are what fails the run, and the numbers are true."""

from dataclasses import replace
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.nouns import Span
from loader.reports.junit import junit_xml


def parsed(run: CheckRun) -> ElementTree.Element:
    return ElementTree.fromstring(junit_xml(run).encode("utf-8"))


def test_a_file_is_a_suite_and_what_fails_the_run_a_failure(run: CheckRun) -> None:
    root = parsed(run)
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["one/plugin.js", "two/plugin.js", "three/plugin.js"]
    assert [len(suite.findall("testcase/failure")) for suite in suites] == [1, 1, 0]
    failure = suites[0].find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "HP201"
    assert "hint: copy what you need into the file" in (failure.text or "")
    told = suites[0].findtext("system-out") or ""
    assert "HP003" in told
    assert "HP502 colour \\x1b[31m literal" in told


def test_the_numbers_are_those_of_the_elements(run: CheckRun) -> None:
    root = parsed(run)
    for each in (root, *root.findall("testsuite")):
        assert each.get("tests") == str(len(list(each.iter("testcase"))))
        assert each.get("failures") == str(len(list(each.iter("failure"))))


def test_a_file_without_findings_is_a_test_that_passes(run: CheckRun) -> None:
    suite = parsed(run).findall("testsuite")[2]
    assert [case.get("name") for case in suite.findall("testcase")] == ["loads"]


def test_strict_warnings_are_failures(run: CheckRun) -> None:
    strict = CheckRun((replace(run.files[0], strict=True),), strict=True)
    assert [each.get("type") for each in parsed(strict).iter("failure")] == ["HP201", "HP502"]


def test_two_findings_of_a_code_are_two_cases() -> None:
    at = [finding("HP201", "x", span=Span(line, 1, line, 2)) for line in (1, 2)]
    names = [
        case.get("name") for case in parsed(CheckRun((CheckedFile("p", "p", diagnostics=tuple(at)),))).iter("testcase")
    ]
    assert names == ["HP201 unsupported-import (1:1)", "HP201 unsupported-import (2:1)"]


@given(st.text(), st.text(), st.text())
def test_whatever_a_plugin_says_it_is_well_formed(path: str, message: str, hint: str) -> None:
    odd = (finding("HP201", message, hint=hint), finding("HP502", message))
    root = parsed(CheckRun((CheckedFile(path, "p", diagnostics=odd),)))
    assert len(list(root.iter("failure"))) == 1
