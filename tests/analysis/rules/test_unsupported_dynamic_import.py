"""HP202: `import()` opens no other door."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    "written",
    [
        "import('d3')",
        "import(`d3`)",
        "import(('d3'))",
        "import/* 'react' */('d3')",
        "() => import('https://a.example/x.js')",
    ],
)
def test_other_modules_are_refused(written: str) -> None:
    assert codes(f"export const a = {written}{END}") == ["HP202"]


@pytest.mark.parametrize(
    "written",
    [
        "import('react')",
        "import(`react`)",
        "import('\\u0072eact')",
        "o?.import('d3')",
        "new (class { import() {} })().import('d3')",
    ],
)
def test_near_misses(written: str) -> None:
    assert codes(f"const o = null\nexport const a = {written}{END}") == []


def test_the_place_is_the_name() -> None:
    found = only(f"const later = import\n// the react one\n('lodash'){END}")
    assert found.span is not None
    assert (found.span.line, found.span.column) == (3, 2)
