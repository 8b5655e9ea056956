"""The check's answer as JUnit XML: what CI servers show as tests. A file is a suite, a finding that fails the run a
failed test; warnings and infos that do not stand in the suite's output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from loader.checking.checked import CheckedFile, CheckRun
from loader.nouns import Diagnostic
from loader.reports.check_json import TOOL
from loader.reports.concise import concise_line
from loader.reports.safe import visible

# What XML 1.0 cannot hold in any spelling, beside what ``visible`` shows as escapes already.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(run: CheckRun) -> str:
    """The whole document, with its declaration and a line feed at the end."""
    tests = sum(_tests(file) for file in run.files)
    failures = sum(len(_failures(file)) for file in run.files)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name={_attribute(TOOL)} tests="{tests}" failures="{failures}" errors="0">',
        *(line for file in run.files for line in _suite(file)),
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _failures(file: CheckedFile) -> list[Diagnostic]:
    return [found for found in file.diagnostics if file.fails(found)]


def _tests(file: CheckedFile) -> int:
    return max(len(_failures(file)), 1)


def _suite(file: CheckedFile) -> Iterator[str]:
    failures = _failures(file)
    name = _attribute(file.path)
    yield (
        f'  <testsuite name={name} tests="{_tests(file)}" failures="{len(failures)}" errors="0" skipped="0" time="0">'
    )
    if not failures:
        yield f'    <testcase classname={name} name="loads" time="0"/>'
    for found in failures:
        place = f" ({found.span.line}:{found.span.column})" if found.span else ""
        yield f'    <testcase classname={name} name={_attribute(f"{found.code} {found.rule}{place}")} time="0">'
        told = concise_line(file.path, found) + (f"\nhint: {visible(found.hint)}" if found.hint else "")
        opened = f"<failure type={_attribute(found.code)} message={_attribute(found.message)}>"
        yield f"      {opened}{_text(told)}</failure>"
        yield "    </testcase>"
    others = [concise_line(file.path, found) for found in file.diagnostics if not file.fails(found)]
    if others:
        yield f"    <system-out>{_text(chr(10).join(others))}</system-out>"
    yield "  </testsuite>"


def _attribute(text: str) -> str:
    return quoteattr(_possible(visible(text)))


def _text(text: str) -> str:
    return escape(_possible(text))


def _possible(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
