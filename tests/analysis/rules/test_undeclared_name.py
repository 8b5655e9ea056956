"""HP501 says what ESLint's `no-undef` says (see `test_no_undef.py`), and no more than an author wants to hear."""

import pytest

from loader.nouns import Fix, Span
from tests.analysis.finding import findings, messages, within


def names(text: str) -> list[str]:
    return [one.message.split("`")[1] for one in findings("HP501", text)]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("const [n] = useState(0); c.onDispose(() => n)", "useState"),
        ("c.onDispose(() => { setTimeOut(() => {}, 5) })", "setTimeOut"),
        ("count = 1", "count"),
        ("const { a = fallback } = c; c.onDispose(a)", "fallback"),
        ("const o = { shorthand }; c.onDispose(o)", "shorthand"),
        ("for (item of [1]) { c.onDispose(item) }", "item"),
        ("{ const inner = 1 } c.onDispose(inner)", "inner"),
        ("try { c.source } catch (error) {} c.onDispose(error)", "error"),
        (
            "const f = () => arguments.length; class K { #x = missing; y() { return this.#x } } c.onDispose(f, K)",
            "missing",
        ),
        ("if (typeof other === 'undefined') c.onDispose(another)", "another"),
        ("const s = `${inTemplate}`; c.onDispose(s)", "inTemplate"),
        ("label: for (;;) { break label } c.onDispose(label)", "label"),
        ("c.onDispose(function named() { return named }, named)", "named"),
    ],
)
def test_flags_a_name_that_nothing_defines(body: str, name: str) -> None:
    found = names(within(body))
    assert name in found
    assert set(found) <= {name, "arguments"}


@pytest.mark.parametrize(
    "body",
    [
        "c.onDispose(document, window, navigator, structuredClone, queueMicrotask, ResizeObserver, CSS, matchMedia)",
        "c.onDispose(new webkitSpeechRecognition(), webkitURL, WebKitCSSMatrix, BeforeInstallPromptEvent)",
        "c.onDispose(Array, Promise, globalThis, undefined, NaN, BigInt64Array, hasOwnProperty)",
        "outer: for (;;) { for (;;) continue outer }",
        "c.onDispose(typeof process === 'undefined' ? null : process.env)",
        "if (typeof __DEV__ !== 'undefined' && __DEV__) c.source",
        "try { c.source } catch (error) { c.onDispose(error) } try { c.id } catch { c.source }",
        "function f() { return arguments[0] } c.onDispose(f)",
        "c.onDispose(later, Late); function later() {} var Late = 1",
        "const { a = 1, b: { d = a } = {}, ...rest } = c; c.onDispose(d, rest)",
        "class K { #secret = 1; has(o) { return #secret in o } static { K.made = new K() } } c.onDispose(K)",
        "for (const key in c) { c.onDispose(key) } for (let i = 0, n = 2; i < n; i++) c.onDispose(i)",
        "globalThis.shared = 1; shared += 1; c.onDispose(shared)",
        "if (window.Notifier) c.onDispose(new Notifier())",
        "if ('scheduler2' in window) scheduler2.postTask(() => {})",
        "Object.defineProperty(globalThis, 'made', { value: 1 }); c.onDispose(made)",
        "const o = { undefinedKey: 1, method() { return this.undefinedKey } }; c.onDispose(o.alsoUndefined)",
        "const fn = function self(n) { return n ? self(n - 1) : 0 }; c.onDispose(fn)",
        "const shadow = (process) => process.env; c.onDispose(shadow)",
        "/* global injected, other:readonly */ c.onDispose(injected, other)",
        "switch (c.source) { case 'a': let one = 1; c.onDispose(one) }",
        "c.onDispose(new.target, import.meta.url)",
        "let \\u0061bc = 1; c.onDispose(abc)",
    ],
)
def test_leaves_alone_what_somebody_defines(body: str) -> None:
    assert names(within(body)) == []


def test_commonjs_has_a_rule_of_its_own() -> None:
    assert names(within("c.onDispose(require('react'))")) == []


def test_each_line_is_said_once_and_with_its_place() -> None:
    found = findings("HP501", "export default { id: 'demo', register() {\n  gone(gone)\n  gone()\n} }\n")
    assert [one.span for one in found] == [Span(2, 3, 2, 7), Span(3, 3, 3, 7)]


def test_a_name_on_every_line_is_not_said_for_ever() -> None:
    assert len(findings("HP501", "x();\n" * 5_000)) == 200


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("useState(0)", "Write `import { useState } from 'react'`."),
        ("React.useState(0)", "Write `import * as React from 'react'`."),
        ("host.status()", "Write `import { host } from '@hermes/plugin-sdk'`."),
        ("c2(ListRow)\nfunction c2() {}", "`@hermes/plugin-sdk` exports it in some builds only"),
        ("const total = 1\nc2(totl)\nfunction c2() {}", "Did you mean `total`?"),
        ("docment.title", "Did you mean `document`?"),
        ("ctx.rest('/x')", "Only `register(ctx)` gets it"),
        ("process.exit()", "That is Node.js"),
        ("qqxz()", "Declare or import it"),
    ],
)
def test_the_hint_is_the_way_out(text: str, hint: str) -> None:
    (found,) = findings("HP501", text)
    assert (found.hint or "").startswith(hint)


def applied(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (
            "import { host } from '@hermes/plugin-sdk'\nhost(Button)\n",
            "import { host, Button } from '@hermes/plugin-sdk'\nhost(Button)\n",
        ),
        (
            "import {\n  host,\n} from '@hermes/plugin-sdk'\nhost(Button)\n",
            "import {\n  host, Button,\n} from '@hermes/plugin-sdk'\nhost(Button)\n",
        ),
        ("import React from 'react'\nReact(useState)\n", "import React, { useState } from 'react'\nReact(useState)\n"),
        (
            "import * as sdk from '@hermes/plugin-sdk'\nsdk(Button)\n",
            "import * as sdk from '@hermes/plugin-sdk'\nimport { Button } from '@hermes/plugin-sdk'\nsdk(Button)\n",
        ),
        ("// @ts-check\njsx('p', {})\n", "// @ts-check\nimport { jsx } from 'react/jsx-runtime'\njsx('p', {})\n"),
        (
            "import { jsx } from 'react/jsx-runtime'\r\njsx(Fragment)\r\n",
            "import { jsx, Fragment } from 'react/jsx-runtime'\r\njsx(Fragment)\r\n",
        ),
        ("import {} from 'react'\nuseRef()\n", "import { useRef } from 'react'\nuseRef()\n"),
        ("const é = '😀'; host(é)", "import { host } from '@hermes/plugin-sdk'\nconst é = '😀'; host(é)"),
    ],
)
def test_a_known_name_is_imported_where_it_belongs(text: str, mended: str) -> None:
    (found,) = findings("HP501", text)
    assert found.fix is not None
    again = applied(text, found.fix)
    assert again == mended
    assert findings("HP501", again) == []


def test_the_message_says_what_happened() -> None:
    assert messages("HP501", "count = 1; c.onDispose(total)") == [
        "`count` is assigned but never declared: nothing imports or declares it, and the browser has no such name",
        "`total` is not defined: nothing imports or declares it, and the browser has no such name",
    ]
