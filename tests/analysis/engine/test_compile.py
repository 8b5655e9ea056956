"""The strict compile: what it says of a text, that it never runs it, and that nothing makes it hang."""

import time

import pytest

from loader.analysis.engine import compile_module
from loader.analysis.engine.sandbox import HOST_FUNCTION

pytestmark = pytest.mark.real


def test_lists_static_specifiers_and_reexports_decoded_and_in_order() -> None:
    compiled = compile_module(
        "import { a } from '@hermes/plugin-sdk'\n"
        'import "react\\u002fjsx-runtime"\n'
        "export * from './other.js'\n"
        "export { b } from 'react'\n"
        "const c = import('dynamic')\n"
        "// import 'comment'\n"
        "const d = \"import x from 'string'\"\n"
    )
    assert compiled.error is None
    assert compiled.specifiers == ("@hermes/plugin-sdk", "react/jsx-runtime", "./other.js", "react")


def test_sees_all_specifiers_and_not_only_the_first_bad_one() -> None:
    compiled = compile_module(
        "import 'left-pad'; import 'lodash'; import '@@host'; import '@@stop'; import 'plugin.js'"
    )
    assert compiled.specifiers == ("left-pad", "lodash", "@@host", "@@stop", "plugin.js")


@pytest.mark.parametrize(
    "text",
    [
        "let a = ;",
        "let x; let x",
        "export { nothing }",
        "class A { m() { this.#p } }",
        "return 1",
        "with (a) {}",
        "<div/>",
        "const a: number = 1",
        "const a = 'open",
        "if (1) {",
        "import x from 'a'\nimport x from 'b'",
        "await 1; function f() { await 1 }",
        "delete x",
        "var yield",
        "`${",
        "/(/",
        "hit(); export const a = d.\n",
    ],
)
def test_refuses_what_is_no_module(text: str) -> None:
    compiled = compile_module(text)
    assert compiled.specifiers is None
    assert compiled.error is not None
    assert compiled.error.message
    assert compiled.gave_up is None


def test_gives_the_line_of_a_syntax_error() -> None:
    compiled = compile_module("const a = 1\nconst b = 2\nconst = 3\n")
    assert compiled.error is not None
    assert compiled.error.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "#!/usr/bin/env node\nexport default 1",
        "await import('x')",
        "a?.b ?? c; class A { #p = 1; static { } }",
        "export { x as 'any name' }; const x = 1",
        "// only a comment",
        "/* \u2028 */ const umlaut = 'äöü 🎉'\r\nexport default umlaut\r\n",
        "label: for (;;) { break label }",
    ],
)
def test_accepts_modern_modules(text: str) -> None:
    assert compile_module(text).specifiers is not None


RUNS = [
    f"{HOST_FUNCTION}('ran')",
    f"globalThis.{HOST_FUNCTION}?.('ran')",
    f"export default {HOST_FUNCTION}('ran')",
    f"class A {{ static x = {HOST_FUNCTION}('ran'); static {{ {HOST_FUNCTION}('ran') }} }}",
    f"import '@@stop'; {HOST_FUNCTION}('ran')",
    f"import 'plugin.js'; {HOST_FUNCTION}('ran')",
    f"export * from 'plugin.js'; {HOST_FUNCTION}('ran')",
    f"{HOST_FUNCTION}`ran`",
    f"for (;;) {{ {HOST_FUNCTION}('ran') }}",
    "for (;;) {}",
    "await new Promise(() => {})",
    "throw new Error('ran')",
    "while (true) await null",
]


@pytest.mark.parametrize("text", RUNS)
def test_never_runs_the_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from loader.analysis.engine import compile as compile_step
    from loader.analysis.engine.sandbox import Sandbox

    called: list[str] = []

    def with_host_function(**given: object) -> Sandbox:
        return Sandbox(**given, on_event=called.append)  # type: ignore[arg-type]

    monkeypatch.setattr(compile_step, "Sandbox", with_host_function)
    compiled = compile_module(text)
    assert compiled.specifiers is not None
    assert called == []


def test_text_cut_off_anywhere_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from loader.analysis.engine import compile as compile_step
    from loader.analysis.engine.sandbox import Sandbox

    called: list[str] = []

    def with_host_function(**given: object) -> Sandbox:
        return Sandbox(**given, on_event=called.append)  # type: ignore[arg-type]

    monkeypatch.setattr(compile_step, "Sandbox", with_host_function)
    whole = f"{HOST_FUNCTION}('ran'); export const a = b.c; import x from 'y'; {HOST_FUNCTION}('ran') /* */"
    for end in range(0, len(whole), 3):
        compile_module(whole[:end])
    assert called == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested"),
        ("(" * 50_000 + ")" * 50_000, "nested"),
        ("`${" * 20_000, "nested"),
        ("a\0b", "NUL"),
        ("'\ud800'", "could not read"),
    ],
)
def test_gives_up_with_the_reason(text: str, why: str) -> None:
    compiled = compile_module(text)
    assert compiled.specifiers is None
    assert compiled.error is None
    assert why in (compiled.gave_up or "")


def test_a_quadratic_text_ends_at_the_limit_and_the_next_one_compiles() -> None:
    started = time.thread_time(), time.monotonic()
    many = "".join(f"export const a{i} = {i};" for i in range(60_000))
    compiled = compile_module(many, cpu_s=0.3)
    assert compiled.gave_up == "it took too long to compile"
    # Not a speed limit: without one this text takes more than ten seconds.
    assert time.monotonic() - started[1] < 8
    assert compile_module("export default 1").specifiers == ()
