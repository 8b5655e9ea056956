"""What an expression surely is: texts, numbers, alternatives."""

from __future__ import annotations

import pytest

from loader.analysis.syntax import Module, Node, parse
from loader.analysis.syntax.texts import alternatives, known_number, known_text, leading_text, pieces

BEFORE = "const A = 'a'\nconst AB = A + 'b'\nlet changed = 'x'\nchanged = 'y'\nconst S = 1000\n"


def expression(text: str) -> tuple[Module, Node]:
    module = parse(f"{BEFORE}use({text})\n")
    call = next(call for call in module.calls if call.path == "global.use")
    return module, call.arguments[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'x'", ("x",)),
        ("`x\\n${A}y`", ("x\n", "a", "y")),
        ("`${unknown}x`", (None, "x")),
        ("A + 'c' + unknown", ("a", "c", None)),
        ("('a' + ('b'))", ("a", "b")),
        ("AB", ("a", "b")),
        ("changed", (None,)),
        ("12", (None,)),
        ("``", ("",)),
    ],
)
def test_a_text_comes_apart_into_what_is_known_and_what_is_not(text: str, expected: tuple[str | None, ...]) -> None:
    assert pieces(*expression(text)) == expected


def test_what_a_text_begins_with_ends_where_nobody_knows() -> None:
    assert leading_text(*expression("`https://${AB}/${unknown}/z`")) == "https://ab/"
    assert leading_text(*expression("unknown + 'x'")) == ""


def test_a_text_is_known_only_as_a_whole() -> None:
    assert known_text(*expression("`${A}-${AB}`")) == "a-ab"
    assert known_text(*expression("`${A}-${unknown}`")) is None


def test_constants_that_double_each_other_stay_bounded() -> None:
    doubled = "const c0 = 'x'\n" + "\n".join(f"const c{n} = c{n - 1} + c{n - 1}" for n in range(1, 40))
    module = parse(f"{doubled}\nuse(c39)\n")
    call = next(call for call in module.calls if call.path == "global.use")
    assert len(pieces(module, call.arguments[0])) <= 70


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12", 12), ("5 * S", 5000), ("-1.5", -1.5), ("2_000", 2000), ("S * unknown", None), ("'1'", None)],
)
def test_numbers_are_worked_out_through_constants_and_products(text: str, expected: float | None) -> None:
    assert known_number(*expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", ["A"]),
        ("x ? A : 'b'", ["A", "'b'"]),
        ("(x ?? A) || 'c'", ["x", "A", "'c'"]),
        ("x && A", ["x && A"]),
    ],
)
def test_alternatives_are_what_an_expression_may_be(text: str, expected: list[str]) -> None:
    module, node = expression(text)
    assert [module.tree.raw(one) for one in alternatives(module, node)] == expected
