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


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("console.log({ id: 'a', register() {} })", (1, 13)),
        ("window.plugin = { id: 'a', register: () => {} }", (1, 17)),
        ("const a = 1\nconsole.log(a, { 'name': 'b', id: 'a', register(ctx) {} })", (2, 16)),
    ],
)
def test_an_object_that_is_not_exported_is_pointed_to(text: str, place: tuple[int, int]) -> None:
    found = only(text)
    assert "looks like the plugin" in found.message
    assert found.hint == "Write `export default` and this object."
    assert found.span is not None and (found.span.line, found.span.column) == place


@pytest.mark.parametrize(
    "text",
    [
        "(() => { const p = { id: 'a', register() {} } })()",
        "var Plugin = (() => { return { id: 'a', register() {} } })()",
        "\"use strict\";\n!(function (root) { root.p = { id: 'a', register() {} } })(globalThis)",
        "(function (root, factory) { root.p = factory() }(self, function () { return 1 }))",
    ],
)
def test_a_bundle_for_a_script_tag_is_called_one(text: str) -> None:
    assert "--format=esm" in (only(text).hint or "")


def test_two_objects_that_look_like_it_are_not_guessed_between() -> None:
    text = "console.log({ id: 'a', register() {} }, { id: 'b', register() {} })"
    assert "the app finds no plugin here" in only(text).message
