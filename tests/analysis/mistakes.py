"""Typical mistakes of authors: each a whole plugin.js with the line that is to blame and what the message must name.

`line` is where the author has to look: for a bracket, string, template or comment that is never closed it is the
line on which it was opened, for everything else the line of the text that does not belong there.
"""

from __future__ import annotations

from dataclasses import dataclass

_HEAD = """import { host } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

"""
_TAIL = """
export default {
  id: 'demo',
  name: 'Demo',
  register(ctx) {
    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', render: () => jsx('div', { children: 'hi' }) })
  }
}
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """``line`` counts from 1; ``names`` are words that message and hint must hold between them."""

    name: str
    text: str
    line: int
    code: str = "HP101"
    names: tuple[str, ...] = ()


def _within(name: str, middle: str, line: int, code: str = "HP101", names: tuple[str, ...] = ()) -> Mistake:
    """A mistake between imports and default export; ``line`` counts within ``middle``."""
    return Mistake(name, _HEAD + middle + _TAIL, line + 3, code, names)


def _whole(name: str, text: str, line: int, code: str = "HP101", names: tuple[str, ...] = ()) -> Mistake:
    return Mistake(name, text, line, code, names)


MISTAKES: tuple[Mistake, ...] = (
    # ---- brackets
    _within(
        "function-brace-never-closed",
        "function tick() {\n  const now = Date.now()\n  host.notify({ kind: 'info', message: String(now) })\n\n"
        "function other() {\n  return 1\n}\n",
        1,
        names=("{",),
    ),
    _within(
        "if-brace-never-closed",
        "function tick(a) {\n  if (a) {\n    host.notify({ message: 'a' })\n\n  return a\n}\n",
        2,
        names=("{",),
    ),
    _whole(
        "last-brace-missing",
        _HEAD + "export default {\n  id: 'demo',\n  register(ctx) {\n    ctx.onDispose(() => {})\n  }\n",
        4,
        names=("{",),
    ),
    _whole(
        "register-brace-missing",
        _HEAD + "export default {\n  id: 'demo',\n  register(ctx) {\n    ctx.onDispose(() => {})\n}\n",
        6,
        names=("{",),
    ),
    _within("call-paren-never-closed", "host.notify({ message: 'a' }\nconst b = 1\n", 1, names=("(",)),
    _within("paren-in-condition-never-closed", "if (host.state {\n  host.notify({ message: 'a' })\n}\n", 1),
    _within("array-never-closed", "const list = [1, 2, 3\nconst b = 1\n", 1, names=("[",)),
    _within("object-argument-never-closed", "host.notify({ message: 'a')\nconst b = 1\n", 1, names=("{",)),
    _within("one-brace-too-many", "function tick() {\n  return 1\n}\n}\nconst b = 1\n", 4, names=("}",)),
    _within("one-paren-too-many", "host.notify({ message: 'a' }))\nconst b = 1\n", 1, names=(")",)),
    _within(
        "arrow-body-never-closed", "const run = () => {\n  host.notify({})\n\nconst b = () => {\n  return 2\n}\n", 1
    ),
    _within("wrong-closer", "const list = [1, 2, 3)\nconst b = 1\n", 1, names=("[",)),
    # ---- strings, templates, comments, regular expressions
    _within("string-never-closed", "const name = 'Demo\nconst b = 1\n", 1, names=("string",)),
    _within("string-with-apostrophe", "const name = 'it's mine'\nconst b = 1\n", 1),
    _within("string-over-two-lines", "const name = 'first\nsecond'\n", 1, names=("string",)),
    _within("template-never-closed", "const name = `Demo\nconst b = 1\nconst c = 2\n", 1, names=("template",)),
    _within("template-hole-never-closed", "const name = `Demo ${host.state`\nconst b = 1\n", 1),
    _within("comment-never-closed", "/* what it does\nconst b = 1\n", 1, names=("comment",)),
    _within("regex-never-closed", "const re = /[a-z\nconst b = 1\n", 1, names=("regular expression",)),
    _within("bad-regex", "const re = /(a/\nconst b = 1\n", 1, names=("regular expression",)),
    _within("smart-quotes", "const name = “Demo”\nconst b = 1\n", 1, names=("“", "quote")),
    _within("smart-single-quotes", "const name = ‘Demo’\nconst b = 1\n", 1, names=("‘", "quote")),
    # ---- commas, colons, missing pieces
    _whole(
        "comma-missing-between-properties",
        _HEAD + "export default {\n  id: 'demo'\n  name: 'Demo',\n  register(ctx) {}\n}\n",
        6,
        names=("name", ","),
    ),
    _whole(
        "comma-missing-before-method",
        _HEAD + "export default {\n  id: 'demo',\n  name: 'Demo'\n  register(ctx) {}\n}\n",
        7,
        names=("register", ","),
    ),
    _within("comma-missing-in-array", "const list = ['a' 'b']\n", 1, names=(",",)),
    _within("comma-missing-in-call", "host.request('a' { b: 1 })\n", 1, names=(",",)),
    _within("semicolon-in-object", "const o = { a: 1; b: 2 }\n", 1),
    _within("equals-in-object", "const o = { a = 1, b: 2 }\n", 1),
    _within("value-missing", "const a = ;\nconst b = 1\n", 1),
    _within("initialiser-missing", "const a\nconst b = 1\n", 1, names=("const",)),
    _within("operand-missing", "const a = 1 +\nconst b = 1\n", 2),
    _within("member-missing", "host.\nconst b = 1\n", 2),
    _within("two-words", "const my name = 'a'\n", 1),
    _within("function-without-name", "function (a) {\n  return a\n}\n", 1),
    _within("arrow-without-parens", "const add = a, b => a + b\n", 1),
    _within("for-without-paren", "for let i = 0; i < 3; i++ {\n}\n", 1),
    _within("else-without-if", "const a = 1\n} else {\n  host.notify({})\n}\n", 2),
    _within("catch-missing", "try {\n  host.notify({})\n}\nconst b = 1\n", 3, names=("catch",)),
    _within("dash-in-name", "const my-name = 1\n", 1),
    _within("name-begins-with-digit", "const 2nd = 1\n", 1),
    _within("import-name-without-braces", "import useState, useRef from 'react'\n", 1),
    _within("import-in-function", "function f() {\n  import { a } from 'react'\n}\n", 2, names=("import",)),
    _within("import-without-quotes", "import { useRef } from react\n", 1),
    _within("export-without-value", "export default\n", 1 + 2),
    # ---- declarations and keywords
    _within("const-twice", "const a = 1\nlet b = 2\nconst a = 3\n", 3, names=("a",)),
    _within("let-and-import-clash", "const host = 1\n", 1, names=("host",)),
    _within("two-default-exports", "export default { id: 'x', register() {} }\n", 3 + 0, names=("default",)),
    _within(
        "await-in-plain-function",
        "function load() {\n  const r = await host.request('a')\n  return r\n}\n",
        2,
        names=("await", "async"),
    ),
    _within(
        "await-in-plain-arrow",
        "const load = () => {\n  return await host.request('a')\n}\n",
        2,
        names=("await", "async"),
    ),
    _within(
        "await-in-method", "const o = {\n  load() {\n    await host.request('a')\n  }\n}\n", 3, names=("await", "async")
    ),
    _within("return-at-top-level", "if (!host) return\n", 1, names=("return",)),
    _within("reserved-word-as-name", "const class = 'p-3'\n", 1, names=("class",)),
    _within("yield-outside-generator", "function f() {\n  yield 1\n}\n", 2),
    _within("break-outside-loop", "function f() {\n  break\n}\n", 2, names=("break",)),
    _within("undeclared-private-name", "class A {\n  m() { return this.#x }\n}\n", 2, names=("#x",)),
    _within("undeclared-export", "export { missing }\n", 1, names=("missing",)),
    _within("assign-to-call", "host.notify() = 1\n", 1),
    _within("with-statement", "with (host) {\n  notify({})\n}\n", 1),
    _within("octal-number", "const mode = 0755\n", 1),
    _within("decorator", "@observable\nclass A {}\n", 1, names=("@",)),
    _within("html-comment", "<!-- a note -->\nconst b = 1\n", 1),
    _within("missing-default-value", "function f(a =, b) {\n  return a\n}\n", 1),
    # ---- other languages
    _within("jsx-arrow", 'const Pane = () => <div className="p-3">hi</div>\n', 1, "HP102", ("jsx",)),
    _within(
        "jsx-return",
        "function Pane() {\n  return (\n    <div>\n      <p>hi</p>\n    </div>\n  )\n}\n",
        3,
        "HP102",
        ("jsx",),
    ),
    _within("jsx-fragment", "const Pane = () => <><p>hi</p></>\n", 1, "HP102", ("jsx",)),
    _within("jsx-component", "const Pane = () => <Button onClick={() => host.notify({})} />\n", 1, "HP102", ("jsx",)),
    _within("jsx-not-closed", "const Pane = () => <div>\n", 1, "HP102", ("jsx",)),
    _within("ts-annotation", "const name: string = 'a'\n", 1, "HP103"),
    _within("ts-parameter", "function f(a: number, b?: string) {\n  return a\n}\n", 1, "HP103"),
    _within("ts-return-type", "function f(a): number {\n  return a\n}\n", 1, "HP103"),
    _within("ts-interface", "interface Props {\n  name: string\n}\n", 1, "HP103", ("interface",)),
    _within("ts-type-alias", "type Props = { name: string }\n", 1, "HP103", ("type",)),
    _within("ts-enum", "enum Mode {\n  A,\n  B\n}\n", 1, "HP103", ("enum",)),
    _within("ts-as", "const x = host as any\n", 1, "HP103", ("as",)),
    _within("ts-generic", "const m = new Map<string, number>()\n", 1, "HP103"),
    _within("ts-non-null", "const x = host!.state\n", 1, "HP103"),
    _within("ts-satisfies", "const x = { a: 1 } satisfies Record<string, number>\n", 1, "HP103", ("satisfies",)),
    _within("ts-private-field", "class A {\n  private name = 'a'\n}\n", 2, "HP103"),
    _within("ts-import-type", "import type { PluginContext } from '@hermes/plugin-sdk'\n", 1, "HP103", ("type",)),
    _within(
        "ts-inline-import-type",
        "import { type PluginContext, atom } from '@hermes/plugin-sdk'\n",
        1,
        "HP103",
        ("type",),
    ),
    _within("ts-declare", "declare const VERSION: string\n", 1, "HP103"),
    _whole(
        "ts-register",
        _HEAD
        + "export default {\n  id: 'demo',\n  register(ctx: PluginContext) {\n    ctx.onDispose(() => {})\n  }\n}\n",
        6,
        "HP103",
    ),
    _within("ts-and-jsx", "const Pane = (props: { a: string }) => <div>{props.a}</div>\n", 1, "HP103"),
    _within("python-def", "def tick():\n    return 1\n", 1),
    _within("python-comment", "# a note\nconst b = 1\n", 1),
    _within("python-words", "const ok = not host and True\n", 1),
    _whole("html-page", "<!DOCTYPE html>\n<html><body>404</body></html>\n", 1, "HP104", ("HTML",)),
    _whole("json-file", '{\n  "id": "demo",\n  "name": "Demo"\n}\n', 1, "HP104", ("JSON",)),
    _whole("empty-file", "", 1, "HP104", ("empty",)),
    _whole("blank-file", "\n\n  \n", 1, "HP104", ("empty",)),
    _whole(
        "merge-conflict",
        _HEAD + "<<<<<<< HEAD\nconst a = 1\n=======\nconst a = 2\n>>>>>>> other\n" + _TAIL,
        4,
        names=("merge",),
    ),
    _whole("markdown-fence", "```js\n" + _HEAD + _TAIL + "```\n", 1, "HP104", ("```",)),
    _whole("markdown-prose", "Here is the plugin:\n\n```js\n" + _HEAD + _TAIL + "```\n", 1, "HP104", ("prose",)),
    _whole("css-file", ".demo {\n  color: red;\n}\n", 1),
    _whole("cut-off-file", _HEAD + "export default {\n  id: 'demo',\n  register(ctx) {\n    ctx.regis", 6),
    _within("fullwidth-semicolon", "const a = 1；\nconst b = 2\n", 1, names=("；",)),
    _within("non-breaking-word", "const a = 1 “b”\n", 1),
)
