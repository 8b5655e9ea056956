"""Texts made to hurt: each ends with one clean answer. Time is bounded by the analysis itself, so no clock here."""

from __future__ import annotations

import pytest

from loader.analysis.engine import compile_module
from loader.analysis.static import check_text
from loader.settings import AnalysisSettings

# Small bounds, so that what must give up does so at once; what may not give up has all the time of the world.
HURRIED = AnalysisSettings(static_deadline_s=2.0, esprima_deadline_s=0.5)
PATIENT = AnalysisSettings(static_deadline_s=60.0)

REFUSED = {
    "200,000 square brackets": "[" * 200_000,
    "200,000 backticks": "`" * 199_999,
    "100,000 nested calls, not closed": "f(" * 100_000,
    "100,000 nested calls, closed": "f(" * 100_000 + ")" * 100_000,
    "200,000 at signs": "@" * 200_000,
    "60,000 template holes": "`${" * 60_000,
    "200,000 braces": "{" * 200_000,
    "10,000 nested functions": "(function(){" * 10_000 + "})" * 10_000,
    "20,000 nested arrays, closed": "[" * 20_000 + "]" * 20_000,
    "30,000 elements": "<a>" * 30_000,
    "20,000 regular expressions that never end": "/[" * 20_000,
    "one long comment never closed": "/*" + "x" * 500_000,
    "many quotes": "'\"" * 50_000,
    "many merge markers": "<<<<<<< a\n" * 20_000,
    "a hundred thousand escapes": "\\u{" * 50_000,
    "only closers": ")]}" * 50_000,
    "slashes": ")/" * 50_000,
}
ACCEPTED = {
    "one dense line of 600 KB": "x=1;" * 150_000,
    "one line of 2 MB": "const s = ['" + "','".join(["é" * 1000] * 1000) + "']",
    "100,000 comments": "//a\n" * 100_000,
    "a chain of 20,000 members": "a" + ".b" * 20_000,
    "a sum of 20,000 terms": "let s='a'" + "+'b'" * 20_000,
    "a chain of 5,000 aliases": "const a0=globalThis;" + "".join(f"const a{i}=a{i - 1};" for i in range(1, 5_000)),
    "an array of 100,000 elements": "export const a=[" + "1," * 100_000 + "]",
    "a string of 1 MB": "const s='" + "é" * 500_000 + "'",
    "10,000 functions in a row": "function f(){}" + "".join(f"function f{i}(a){{f(a)}}" for i in range(10_000)),
    "one name declared in 2,000 blocks": "{let a=1;a}" * 2_000,
    "5,000 conditions": "a?b:" * 5_000 + "c",
}
END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_text_gets_one_clean_error(name: str) -> None:
    text = REFUSED[name]
    errors = [one for one in check_text(text, compile_module(text), HURRIED).findings if one.severity == "error"]
    assert len(errors) == 1
    assert errors[0].code in ("HP101", "HP102", "HP105", "HP106")
    assert len(errors[0].message) < 300


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_strange_but_valid_text_passes(name: str) -> None:
    text = ACCEPTED[name] + END
    result = check_text(text, compile_module(text), PATIENT)
    assert [one for one in result.findings if one.severity == "error"] == []
    assert result.identity.exported_id == "demo"


def test_names_of_a_hundred_thousand_letters_stay_out_of_messages() -> None:
    long = "x" * 100_000
    text = (
        f"import {{ {long} }} from '{long}'\nimport {{ {long} as b }} from 'react'\nexport default {{ id: '{long}' }}\n"
    )
    for one in check_text(text, compile_module(text), PATIENT).findings:
        assert len(one.message) < 500
        assert len(one.hint or "") < 500
