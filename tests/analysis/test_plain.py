"""The quick look and the thorough one: where the quick one answers, the thorough one says the same."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from loader.analysis.decide import decide, decide_thoroughly, still_holds, with_settings
from loader.analysis.engine import compile_module
from loader.analysis.plain import plain_specifiers
from loader.analysis.reading import read
from loader.analysis.registry import RULES
from loader.analysis.syntax import parse
from loader.settings import AnalysisSettings

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "example_plugins"
SETTINGS = AnalysisSettings()
SDK = "import { host } from '@hermes/plugin-sdk'\n"
PLUGIN = "export default { id: 'demo', register(ctx) { host.notify({ message: 'x' }) } }\n"
_TOKENS = re.compile(r"\s+|[A-Za-z_$][\w$]*|\d+|[^\w\s]")
_ODD = (
    *("var host;", "let ctx;", "new host?.a()", "delete this.#p", "class eval {}", "import('x')", "import.meta"),
    *("import 'y';", "export * from 'z';", "<!--", "\n-->", "h\\u006fst", "var", "set", "...", "`", "/*", "//", "\r"),
)


def quick_and_thorough(text: str) -> bool:
    """Compare both where the quick look answers; whether it did."""
    compiled = compile_module(text)
    if compiled.specifiers is None:
        return False
    module = parse(text)
    seen = plain_specifiers(module.parsed)
    if seen is None or seen != frozenset(compiled.specifiers):
        return False
    thorough = decide_thoroughly(module, compiled, SETTINGS, with_settings(SETTINGS))
    assert not thorough.findings, text
    assert thorough.imports is None, text
    assert thorough.model_is_sure, text
    assert still_holds(decide(module, compiled, SETTINGS, with_settings(SETTINGS)), module, compiled), text
    assert seen == set(module.static_specifiers), text
    return True


def example_texts() -> list[str]:
    return [path.read_text("utf-8", "replace") for path in sorted(EXAMPLES.glob("**/plugin.js"))]


def test_what_authors_write_needs_no_thorough_look() -> None:
    answered = [quick_and_thorough(text) for text in example_texts() if compile_module(text).specifiers is not None]
    assert sum(answered) > 0.9 * len(answered) > 5


def test_early_errors_and_their_neighbours() -> None:
    lines = (HERE / "early_errors.txt").read_text("utf-8").splitlines()
    answered = sum(quick_and_thorough(SDK + line + "\n" + PLUGIN) for line in lines)
    assert answered > 0


def test_forms_of_imports_and_what_only_looks_like_one() -> None:
    forms = [json.loads(line) for line in (HERE / "import_forms.jsonl").read_text("utf-8").splitlines()]
    assert sum(quick_and_thorough(form["text"]) for form in forms) > 20


def test_the_rules_own_examples() -> None:
    assert sum(quick_and_thorough(text) for rule in RULES for text in (rule.bad, rule.good) if text) > 50


def test_examples_with_tokens_mixed_up() -> None:
    chance = random.Random(20261130)
    texts = [_TOKENS.findall(text) for text in example_texts() if len(text) < 12_000]
    answered = 0
    for _ in range(400):
        tokens = list(chance.choice(texts))
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(tokens))
            way = chance.random()
            if way < 0.3:
                tokens[at] = chance.choice(_ODD)
            elif way < 0.7:
                tokens.insert(at, tokens[chance.randrange(len(tokens))])
            else:
                del tokens[at]
        answered += quick_and_thorough("".join(tokens))
    assert answered > 50


@pytest.mark.parametrize(
    "text",
    [
        "import { host, host } from 'a'",
        "import { a as eval } from 'a'",
        "import a from 'a'\nif (1) { var a }",
        "import { default as a } from 'a'\nfor (var a of []) {}",
        "import * as a from 'a'\nfunction a() {}",
        "let a = 1\n{ var { b: a } = {} }",
        "export const a = 1\n{ var a }",
        "export default class A {}\n{ var A }",
        "new a?.b()",
        "class A { #p; m() { delete this.#p } }",
        "class arguments {}",
        "class A { set x(...v) {} }",
        "(function ({ a }) { let a })",
        "(async ([a] = []) => { const { b: a } = {} })",
        "({ m(x, /* y */ { a }) { class a {} } })",
        "function f( // x\n  { a }) { let a }",
        "x = a <!--b",
        "import('x')",
        "import.meta.url",
        "{ import 'x' }",
        "var \\u0061 = 1",
    ],
)
def test_whatever_is_doubtful_is_left_to_the_thorough_look(text: str) -> None:
    assert plain_specifiers(parse(text).parsed) is None


def test_deep_nesting_is_left_to_the_thorough_look() -> None:
    assert plain_specifiers(parse("[" * 380 + "]" * 380).parsed) == frozenset()
    assert plain_specifiers(parse("[" * 420 + "]" * 420).parsed) is None
    assert plain_specifiers(parse("a.b" + ".c" * 500).parsed) is None


@pytest.mark.parametrize("text", [SDK + PLUGIN, "let = 1", "{}", "<!doctype html>", "", "a\0b", "Hello there:\n```\n"])
def test_both_readings_at_once_are_those_that_one_after_the_other_gives(text: str) -> None:
    reading = read(text, SETTINGS)
    assert reading.compiled == compile_module(text)
    assert reading.module().text == text
