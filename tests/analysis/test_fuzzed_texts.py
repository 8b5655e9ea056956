"""Texts that nobody would write, made from a seed: acorn says what their imports are, V8 whether they are modules."""

from __future__ import annotations

import random

import pytest

from loader.analysis.syntax import parse
from tests.analysis.peering import ask, v8_verdicts
from tests.analysis.test_ground_truth import refusal
from tests.requirements import peers

# Pieces that look like imports, and places in which they are none.
PIECES = (
    "import { host } from '@hermes/plugin-sdk'\n",
    'import React, { useState as s } from "react"\n',
    "import * as jsx from 'react/jsx-runtime';",
    "import 'side-effect'\n",
    "import type from './type.js'\n",
    "import data from './x.json' with { type: 'json' }\n",
    "export * from './all.js'\n",
    "export * as ns from './ns.js'\n",
    "export { a as 'b c' } from './from.js'\n",
    "const one = await import('./dynamic.js')\n",
    "const two = import(`./plain.js`)\n",
    "const three = (name) => import(`./${name}.js`)\n",
    "const four = import.meta.url\n",
    "const label = 'Copy keys from \\'x\\'' + \" from 'y' \"\n",
    "const text = `import { a } from '${1 + 1}' ${`nested import('z')`}`\n",
    "// import { a } from 'comment'\n",
    "/* import 'block' */",
    "/** @type {import('./types').T} */\n",
    "const pattern = /import .* from ['\"]x['\"]/g\n",
    "const half = 4 / 2 / 1; // '\n",
    "const object = { import: 1, from: 2, async *import() {}, get from() { return 3 } }\n",
    "object?.import?.('no')\n",
    "if (half) /re'gex/.test(label)\n",
    "label: for (const from of [1]) { continue label }\n",
    "class Import { static from = 'x'; #import = 1; import() { return this.#import } }\n",
    "export default { id: 'demo', register(ctx) {} }\n",
    "async () => { for await (const x of []) {} }\n",
    "let from = 1, of = 2, as = 3, async = 4\n",
    "\u2028",
    "\ufeff",
    "<!-- html\n",
    "--> html\n",
    "'use strict'\n",
    "#!shebang\n",
)
# What breaks a text, or makes another one of it.
LETTERS = (
    "'",
    '"',
    "`",
    "/",
    "*",
    "{",
    "}",
    "(",
    ")",
    "${",
    ";",
    "\n",
    "\\",
    "import ",
    " from ",
    "export ",
    "=>",
    "#",
    "@",
    "0x",
)
TEXTS = 500


def made(chance: random.Random) -> str:
    pieces = chance.sample(PIECES, chance.randint(1, 7))
    text = "".join(pieces)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.5:
            text = text[:at] + chance.choice(LETTERS) + text[at:]
        else:
            text = text[:at] + text[at + chance.randint(1, 6) :]
    return text


@pytest.mark.real
def test_fuzzed_texts_are_modules_for_us_where_they_are_for_v8_and_import_what_acorn_says() -> None:
    chance = random.Random(20261130)
    texts = [made(chance) for _ in range(TEXTS)]
    imports = ask("imports_of_texts.mjs", texts, arguments=(str(peers()),))
    different: list[tuple[object, ...]] = []
    modules = 0
    for text, v8, acorn in zip(texts, v8_verdicts(texts), imports, strict=True):
        ours = refusal(text)
        if ours == "the file is empty":
            continue
        if (v8 is None) != (ours is None):
            different.append(("V8", text, v8, ours))
        if v8 is not None or acorn is None:
            continue
        modules += 1
        found = sorted(parse(text).imports, key=lambda one: one.start)
        if [[one.start, one.end, one.specifier, one.kind] for one in found] != acorn:
            different.append(("acorn", text, acorn, found))
    assert different == []
    # Both sides of the comparison must have been tried.
    assert 100 < modules < TEXTS - 100
