"""Regular expressions with the `v` flag: refused exactly where V8 refuses them, at their place."""

from __future__ import annotations

import random
import re

import pytest

from tests.analysis.compiling import check
from tests.analysis.peering import v8_verdicts

PLUGIN = ";export default { id: 'demo', register(ctx) {} }\n"
INSIDE = re.split(
    " ",
    r"a a-z z-a \d \d-z && &&[aeiou] -- --[a] [^b] \q{ab|c} \q{ab} \q & - !! ( ) | / { \- \& \_ ^ 😀 "
    r"\u{1F600}-\u{1F601} \p{L} \p{Foo} \p{RGI_Emoji} \P{RGI_Emoji} \00 \c \B \k",
)
OUTSIDE = re.split(" ", r"a (?<n>a) (?=a)* { ] \8 \_ \p{RGI_Emoji} (?i:a) a{,1} (?<n>b)|(?<n>c) ^$")


def pattern(chance: random.Random) -> str:
    classes = "".join(
        f"[{chance.choice(('', '^'))}{''.join(chance.choices(INSIDE, k=chance.randint(1, 3)))}]"
        for _ in range(chance.randint(0, 2))
    )
    return (
        f"/{classes}{''.join(chance.choices(OUTSIDE, k=chance.randint(0, 2)))}x/{chance.choice(('v', 'gv', 'dgimsvy'))}"
    )


@pytest.mark.real
def test_patterns_are_refused_where_v8_refuses_them() -> None:
    chance = random.Random(20261130)
    texts = [f"const pattern = {pattern(chance)}\n{PLUGIN}" for _ in range(600)]
    refused = [any(one.code in ("HP101", "HP102") for one in check(text).findings) for text in texts]
    v8 = [said is not None for said in v8_verdicts(texts)]
    assert [text for text, ours, theirs in zip(texts, refused, v8, strict=True) if ours != theirs] == []
    assert 50 < sum(v8) < 550


def test_the_wrong_one_of_several_is_pointed_to() -> None:
    text = f"const good = /[\\w--\\d]/v, wrong = /[a-z&&[aeiou]]/gv, text = 'a/v'\n{PLUGIN}"
    (found,) = [one for one in check(text).findings if one.severity == "error"]
    assert found.code == "HP101" and "/[a-z&&[aeiou]]/gv" in found.message
    assert found.span is not None and text[found.span.column - 1 : found.span.end_column - 1] == "/[a-z&&[aeiou]]/gv"


@pytest.mark.parametrize(
    "line", ["const a = 1, v = 2; export const half = 4 /a/v", "const url = 'https://x/[(]/v'", "// /[(]/v", "`/[(]/v`"]
)
def test_what_only_looks_like_one_passes(line: str) -> None:
    assert [one for one in check(f"{line}\n{PLUGIN}").findings if one.severity == "error"] == []
