"""What is refused while it is parsed, line by line beside V8, the app's own engine.

early_errors.txt holds one statement a line, right and wrong ones, for the syntax of ES2018 and later that the parser
tests of test262 are too old for; the two letters ``\\n`` in it stand for a line end.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.analysis.compiling import check, only
from tests.requirements import node

HERE = Path(__file__).parent
GOOD = "import { host } from '@hermes/plugin-sdk'\n"
PLUGIN = "\nexport default { id: 'demo', register(ctx) { host } }\n"

# Line → why we answer otherwise than V8 does.
DIFFERENT = {
    "import.defer('react')": "refused with HP209, as every phase is",
    "import {'\\uD800' as b} from 'react'": "refused with HP204: nothing exports such a name",
    "export * as '\\uD83D' from 'react'": "passed; nobody writes it",
    "/(?<a>.)|(?<a>.)/": "refused behind an import without `;`: engine and esprima each lack a part of it",
    "/(?i-s:a)/": "the same",
    "for (using of of []);": "passed with HP405: the engine knows no `using`, and esprima reads it as `const`",
    "using {a} = 1": "the same",
    "export using x = 1": "the same",
    "switch (0) { case 0: using x = null }": "the same",
}


def test_what_v8_refuses_is_refused_and_what_it_takes_passes() -> None:
    lines = (HERE / "early_errors.txt").read_text(encoding="utf-8").splitlines()
    texts = [GOOD + line.replace("\\n", "\n") + PLUGIN for line in lines]
    v8 = subprocess.run(
        [node(), "--experimental-vm-modules", "--no-warnings", str(HERE / "peer_scripts" / "v8_verdicts.mjs")],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    different = []
    for line, text, refused in zip(lines, texts, json.loads(v8.stdout), strict=True):
        syntax = [one for one in check(text).findings if one.severity == "error" and one.code.startswith("HP10")]
        if bool(syntax) != (refused is not None):
            different.append((line, refused, [one.message for one in syntax]))
    assert [one for one in different if one[0] not in DIFFERENT] == []
    assert len(lines) > 500


@pytest.mark.parametrize(
    ("text", "place", "names"),
    [
        ("new host?.Panel()\n", (1, 9), "?."),
        ("new host.a[0]?.b()\n", (1, 14), "?."),
        ("let q\n{ var q }\n", (2, 7), "q"),
        ("function q() {}\nvar q = 1\n", (2, 5), "q"),
        ("let q\nfor (var [q] of []);\n", (2, 11), "q"),
        ("class A { #x; m() { delete this?.#x } }\n", (1, 34), "#x"),
    ],
)
def test_what_the_sandboxs_engine_lets_pass_is_refused_at_its_place(
    text: str, place: tuple[int, int], names: str
) -> None:
    found = only(text)
    assert found.code == "HP101"
    assert found.span is not None
    assert (found.span.line, found.span.column) == place
    assert names in found.message


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("interface\n", True),
        ("#!/usr/bin/env node\n// first\n/* word */ public.x = 1\n", True),
        ("st\\u0061tic: for (;;) break static\n", True),
        ("implements(1)\n", True),
        ("await\n++globalThis.x\n", False),
        ("async\n", False),
        ("({ public: 1 })\n", False),
        ("'package'\n", False),
    ],
)
def test_the_first_word_of_a_module_is_read_strictly_too(text: str, refused: bool) -> None:
    found = [one for one in check(text + PLUGIN).findings if one.severity == "error"]
    assert [one.code for one in found] == ["HP101"] * refused


@pytest.mark.parametrize(
    "text",
    [
        "new (host?.Panel)()",
        "new host.Panel(host?.x)",
        "new host[host?.x]()",
        "var i; for (var i of []); for (var [i] of []); var { i = 1, ...j } = {}",
        "let k; function f() { var k; { let k } }",
        "class A { #x; m() { delete this.y?.x } }",
        "{ function g() {} } let g",
    ],
)
def test_what_resembles_it_passes(text: str) -> None:
    assert [one.message for one in check(GOOD + text + PLUGIN).findings if one.severity == "error"] == []
