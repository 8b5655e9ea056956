"""Slips of form: a sign too many or too few, a keyword with swapped letters, another language's way to say it."""

from __future__ import annotations

from tests.analysis.mistakes.mistake import HEAD, TAIL, Mistake, whole, within

_PLUGIN = TAIL.lstrip("\n")

SLIPS: tuple[Mistake, ...] = (
    # ---- what is exported
    whole("export-is-missing", HEAD + _PLUGIN.removeprefix("export "), 4, names=("export",)),
    whole("object-alone-below-imports", HEAD + _PLUGIN.removeprefix("export default "), 4, names=("export default",)),
    whole(
        "plugin-is-returned", HEAD + _PLUGIN.replace("export default", "return"), 4, names=("return", "export default")
    ),
    whole("default-misspelt", HEAD + _PLUGIN.replace("default", "defualt"), 4, names=("defualt", "default")),
    # ---- keywords
    within("const-misspelt", "cosnt a = 1\n", 1, names=("cosnt", "const")),
    within("function-misspelt", "fucntion tick() { return 1 }\n", 1, names=("function",)),
    within("return-misspelt", "function tick() { retrun 1 }\n", 1, names=("return",)),
    within("import-misspelt", "imoprt { memo } from 'react'\n", 1, names=("import",)),
    within("async-misspelt", "asycn function tick() {}\n", 1, names=("async",)),
    within(
        "elif-of-python",
        "function tick(a) {\n  if (a) { return 1 } elif (host) { return 2 }\n}\n",
        2,
        names=("else if",),
    ),
    within("f-string-of-python", "const a = f'hi {host}'\n", 1, names=("Python", "template")),
    within("thin-arrow", "const tick = (a) -> a\n", 1, names=("=>",)),
    within("hole-outside-a-template", "const a = ${host}\n", 1, names=("template",)),
    within("backtick-inside-a-template", "const a = `use the `code` here`\n", 1, names=("backtick",)),
    within("minus-of-typography", "const a = 5 − 3\n", 1, names=("−", "-")),
    # ---- import lists
    within("comma-missing-in-an-import", "import { memo useRef } from 'react'\n", 1, names=("`,`", "memo")),
    within("semicolon-in-an-import", "import { memo; useRef } from 'react'\n", 1, names=("`;`",)),
    within("star-without-a-name", "import * from 'react'\n", 1, names=("import * as",)),
    within(
        "scoped-module-without-quotes", "import { atom } from @hermes/plugin-sdk\n", 1, names=("@hermes/plugin-sdk'",)
    ),
    # ---- functions, classes, branches
    within("arrow-is-missing", "const tick = (a) { return a }\n", 1, names=("`=>`",)),
    within("function-with-an-arrow", "const tick = function (a) => { return a }\n", 1, names=("=>",)),
    within("async-behind-parentheses", "const tick = () async => { await 1 }\n", 1, names=("async (",)),
    within("named-arguments", "host.notify(kind: 'info', message: 'x')\n", 1, names=("notify({ kind:",)),
    within("object-behind-an-arrow", "const tick = (a) => { a: 1, b: 2 }\n", 1, names=("({",)),
    within("comma-between-methods-of-a-class", "class A {\n  a() {},\n  b() {}\n}\n", 2, names=("comma",)),
    within("function-in-a-class", "class A {\n  function tick() {}\n}\n", 2, names=("tick(",)),
    within(
        "brace-missing-before-else",
        "function tick(a) {\n  if (a) {\n    return 1\n  else {\n    return 2\n  }\n}\n",
        2,
        names=("else",),
    ),
    within("colon-missing-behind-case", "switch (host) {\n  case 1\n    host.notify({})\n}\n", 2, names=("case 1",)),
    within("colon-missing-behind-a-question", "const a = host ? 1\nconst b = 2\n", 1, names=("`?`",)),
    within("colon-missing-behind-a-key", "const o = {\n  a 1,\n}\n", 2, names=("`a: 1`",)),
    within("comma-twice", "const o = { a: 1,, b: 2 }\n", 1, names=("one of the two commas",)),
    within(
        "one-paren-too-many-in-a-function",
        "function Pane() {\n  return jsx('div', { children: 'x' }))\n}\n",
        2,
        names=("closes nothing",),
    ),
    within("export-in-a-function", "function tick() {\n  export const a = 1\n}\n", 2, names=("top level",)),
)
