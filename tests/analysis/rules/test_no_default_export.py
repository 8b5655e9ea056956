"""HP301: no default export, and what is there instead."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("export const plugin = { id: 'a', register() {} }", "`plugin`"),
        ("const plugin = { id: 'a', register() {} }", "looks like the plugin"),
        ("export function register(ctx) {}", "`register`"),
        ("export * from 'react'", "no default export"),
        ("const a = 1", "no default export"),
        ("// only a note", "no default export"),
    ],
)
def test_it_says_what_is_there(text: str, said: str) -> None:
    found = only(text)
    assert (found.code, found.severity) == ("HP301", "error")
    assert said in found.message
    assert found.span is not None


@pytest.mark.parametrize(
    "text",
    [
        "export default { id: 'demo', register() {} }",
        "const p = { id: 'demo', register() {} }\nexport { p as default }",
        "const p = { id: 'demo', register() {} }\nexport { p as 'default' }",
        "export { default } from 'react'",
        "module.exports = {}",
    ],
)
def test_near_misses(text: str) -> None:
    assert "HP301" not in codes(text)
