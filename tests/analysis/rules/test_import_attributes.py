"""HP209: attributes and phases on an allowed module."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    "text",
    [
        "import a from 'react' with { type: 'json' }",
        "export * from 'react' with { type: 'json' }",
        "export { useState } from 'react' with { type: 'json' }",
        "import('react', { with: { type: 'json' } })",
        "import('react', options)",
        "import defer * as a from 'react'",
        "import source a from 'react'",
        "import.defer('react')",
    ],
)
def test_attributes_and_phases_are_refused(text: str) -> None:
    found = only(text + END)
    assert (found.code, found.severity) == ("HP209", "error")


@pytest.mark.parametrize(
    "text",
    [
        "import a from 'react' with {}",
        "import('react', {})",
        "import('react', { with: {} })",
        "import('react', undefined)",
        "import('react',)",
        "const s = \"import a from 'react' with { type: 'json' }\"",
    ],
)
def test_near_misses(text: str) -> None:
    assert codes(text + END) == []


def test_another_module_is_refused_as_such() -> None:
    assert codes(f"import a from './a.json' with {{ type: 'json' }}{END}") == ["HP201"]


def test_the_fix_takes_the_attributes_out() -> None:
    text = f"import a from 'react' with {{ type: 'json' }}{END}"
    (edit,) = only(text).fix.edits  # type: ignore[union-attr]
    assert text[: edit.start] + edit.text + text[edit.end :] == f"import a from 'react'{END}"
