"""What the rehearsal finds wrong with the default export stands where the text exports it."""

from __future__ import annotations

import hashlib

import pytest

from loader.analysis.worker import analyze
from loader.nouns import Diagnostic, Source
from loader.settings import AnalysisSettings


def errors(text: str) -> list[Diagnostic]:
    data = text.encode()
    verdict = analyze(Source(data, text, hashlib.sha256(data).hexdigest()), AnalysisSettings(rehearsal_cpu_s=2.0))
    return [one for one in verdict.diagnostics if one.severity == "error"]


REGISTER = "register(ctx) { ctx.onDispose(() => {}) }"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        (
            f"const made = Promise.resolve({{ id: 'demo', {REGISTER} }})\nexport default made\n",
            "`id` is missing",
            (1, 14),
        ),
        (f"const b = {{ id: 'd', {REGISTER} }}\nexport default structuredClone({{ id: b.id }})\n", "missing", (2, 16)),
        (f"export default {{\n  id: [1].concat(2),\n  {REGISTER} }}\n", "`id` is an array", (2, 3)),
        (f"export default {{\n  get id() {{ throw 1 }},\n  {REGISTER} }}\n", "`id` cannot be read: it throws", (2, 3)),
        (f"export default {{ id: ['A', 'b'].join(' '),\n {REGISTER} }}\n", "is no slug", (1, 18)),
        ("import d from 'react'\nexport default d\n", "`register` is missing", (2, 16)),
        ("export default { id: 'demo', register: [() => {}][1] }\n", "`register` is missing", (1, 30)),
        (
            f"export const then = [() => 1][0]\nexport default {{ id: 'demo', {REGISTER} }}\n",
            "function `then`",
            (1, 14),
        ),
    ],
)
def test_a_finding_about_the_live_object_has_the_place_in_the_text(
    text: str, message: str, place: tuple[int, int]
) -> None:
    found = [one for one in errors(text) if message in one.message]
    assert found and found[0].span is not None, errors(text)
    assert (found[0].span.line, found[0].span.column) == place


@pytest.mark.parametrize(
    "export",
    [
        "export * as default from 'react'",
        "export * as 'default' from 'react'",
        "export { default } from 'react'",
        "export { useState as default } from 'react'",
        "export { 'useState' as 'default' } from 'react'",
    ],
)
def test_a_default_export_of_the_apps_own_modules_is_no_plugin(export: str) -> None:
    (found,) = errors(f"{export}\n")
    assert found.code == "HP302" and "taken from 'react'" in found.message
    assert found.span is not None and found.span.line == 1


@pytest.mark.parametrize(
    "export", ["export function then(go) { go() }", "export class then {}", "const f = () => 1; export { f as then }"]
)
def test_a_module_that_exports_then_is_no_module_for_who_imports_it(export: str) -> None:
    (found,) = errors(f"{export}\nexport default {{ id: 'demo', {REGISTER} }}\n")
    assert found.code == "HP302" and "`then`" in found.message


@pytest.mark.parametrize("value", ["1", "{ a: 1 }", "null"])
def test_what_is_called_then_and_no_function_is_fine(value: str) -> None:
    assert errors(f"export const then = {value}\nexport default {{ id: 'demo', {REGISTER} }}\n") == []


def test_an_array_with_all_that_a_plugin_needs_is_one() -> None:
    assert errors(f"export default Object.assign([], {{ id: 'demo', {REGISTER} }})\n") == []
