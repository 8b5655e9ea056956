"""HP203: a name that is worked out at run time."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    "name", ["name", "'re' + 'act'", "`r${name}`", "name ? 'react' : 'react'", "['react'][0]", "(name)"]
)
def test_computed_names_are_refused(name: str) -> None:
    found = only(f"const name = 'react'\nexport const a = import({name}){END}")
    assert found.code == "HP203"
    assert found.span is not None
    assert found.span.line == 2


@pytest.mark.parametrize("name", ["'react'", "`react`", "('react')", "/* x */ 'react' // y\n"])
def test_near_misses(name: str) -> None:
    assert codes(f"export const a = import({name}){END}") == []


def test_a_long_expression_is_cut() -> None:
    assert len(only(f"export const a = import({'x + ' * 1000}y){END}").message) < 200
