"""What the default export is: known, known to be missing, or not to be known."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import check

REGISTER = "register() {}"


def verdict(text: str) -> tuple[str | None, list[str]]:
    result = check(text)
    return result.identity.exported_id, [one.code for one in result.findings if one.code[:3] == "HP3"]


@pytest.mark.parametrize(
    "text",
    [
        f"export default {{ id: 'demo', {REGISTER} }}",
        f"export default ({{ id: `demo`, {REGISTER} }})",
        f"const p = {{ id: 'de' + 'mo', {REGISTER} }}\nexport default p",
        f"let p\np = {{ id: 'demo', {REGISTER} }}\nexport {{ p as default }}",
        f"const p = {{ id: 'demo', {REGISTER} }}\nexport {{ p as 'default' }}",
        f"export default Object.freeze({{ id: 'demo', {REGISTER} }})",
        f"const define = p => p\nexport default define({{ id: 'demo', {REGISTER} }})",
        f"function define(p) {{ return p }}\nexport default define({{ id: 'demo', {REGISTER} }})",
        f"class P {{ id = 'demo'; {REGISTER} }}\nexport default new P()",
        f"export default class {{ static id = 'demo'; static {REGISTER} }}",
        "const p = {}\np.id = 'demo'\np.register = () => {}\nexport default p",
        "export default function p() {}\np.id = 'demo'\np.register = () => {}",
        f"const base = {{ id: 'demo', {REGISTER} }}\nexport default {{ ...base, name: 'N' }}",
        "const id = 'demo', register = async ctx => ctx\nexport default { id, register }",
        "export default { ['id']: 'demo', 'register': function* () {} }",
        f"export default (0, {{ id: 'demo', {REGISTER} }})",
        f"let p\nexport default p = {{ id: 'demo', {REGISTER} }}",
        f"export default await {{ id: 'demo', {REGISTER} }}",
        "const p = {};\n(p).id = 'demo'\np['register'] = () => {}\nexport default p",
        f"class P {{ static {{}} #n = 1; id = 'demo'; {REGISTER} }}\nexport default new P()",
        f"class P {{ static #n = 1; static id = 'demo'; static {REGISTER} }}\nexport default P",
        f"const define = p => {{ return (p) }}\nexport default define({{ id: 'demo', {REGISTER} }})",
        "const p = { id: 'demo' }\np.register = null\np.register = () => {}\nexport default p",
        f"const p = {{ id: 'demo', {REGISTER} }}\nif (globalThis.old) p.register = null\nexport default p",
        "const p = { id: 'demo' }\np.register = () => {}\nif (globalThis.old) p.register = null\nexport default p",
    ],
)
def test_a_plugin_is_read_however_it_is_written(text: str) -> None:
    assert verdict(text) == ("demo", [])


@pytest.mark.parametrize(
    "text",
    [
        "import { define } from 'react'\nexport default define({ id: 'demo' })",
        "import plugin from 'react'\nexport default plugin",
        "import { x } from 'react'\nexport default { ...x }",
        "import { k } from 'react'\nexport default { [k]: 1 }",
        "export default (() => ({ id: 'demo' }))()",
        "const p = { id: 'demo' }\nObject.assign(p, { register() {} })\nexport default p",
        "const p = { id: 'demo', init() { this.register = () => {} } }\np.init()\nexport default p",
        "class P { constructor() { this.id = 'demo'; this.register = () => {} } }\nexport default new P()",
        "import { Base } from 'react'\nclass P extends Base {}\nexport default new P()",
        "export default Math.random() > 2 ? null : { id: 'demo' }",
        "export default { get id() { return 'demo' }, get register() { return () => {} } }",
        "import { register } from 'react'\nexport default { id: String('demo'), register }",
        "export default await Promise.resolve({ id: 'demo' })",
        "export default { __proto__: { id: 'demo', register() {} } }",
        "const key = Symbol()\nclass P { [key] = 1 }\nexport default new P()",
        "class P { static { this.id = 'demo' } static register() {} }\nexport default P",
        "const p = { id: 'demo' }\np[Symbol.for('x')] = 1\nexport default p",
        "const p = { id: 'demo', n: 1 }\np.n += 1\nexport default p",
        "const p = { id: 'demo', n: 1 }\np.n++\nexport default p",
        "export default make()\nfunction make() { return { id: 'demo', register() {} } }",
        "const make = p => { p.register = () => {}; return p }\nexport default make({ id: 'demo' })",
        "const make = p => { return }\nexport default make({ id: 'demo' }) ?? globalThis.plugin",
        "function make(p) { p = globalThis.plugin\n return p }\nexport default make({ id: 'demo' })",
        "const make = async p => p\nexport default make({ id: 'demo' })",
        "const make = ({ p }) => p\nexport default make({ id: 'demo' })",
        "const other = {}\nconst make = p => other\nexport default make({ id: 'demo' })",
        "export default new (class { constructor() { this.id = 'demo'; this.register = () => {} } })()",
        "export default new globalThis.Plugin()",
        "import { Plugin } from 'react'\nexport default new Plugin()",
    ],
)
def test_what_cannot_be_known_is_never_refused(text: str) -> None:
    assert verdict(text)[1] == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("export default 5", ["HP302"]),
        ("export default null", ["HP302"]),
        ("export default 'demo'", ["HP302"]),
        ("export default []", ["HP302"]),
        ("export default function () {}", ["HP302"]),
        ("export default () => ({ id: 'demo' })", ["HP302"]),
        ("export default class {}", ["HP302"]),
        ("export default {}", ["HP302", "HP302"]),
        ("export default { id: 'demo' }", ["HP302"]),
        (f"export default {{ {REGISTER} }}", ["HP302"]),
        (f"export default {{ id: 7, {REGISTER} }}", ["HP302"]),
        (f"export default {{ id() {{}}, {REGISTER} }}", ["HP302"]),
        ("export default { id: 'demo', register: 'yes' }", ["HP302"]),
        ("const r = {}\nexport default { id: 'demo', register: r }", ["HP302"]),
        ("class P { id = 'demo' }\nexport default new P()", ["HP302"]),
        ("export default { id: 'demo', titlebarButtons: [] }", ["HP306"]),
        (f"export default {{ id: '', {REGISTER} }}", ["HP304"]),
        (f"export default {{ id: 'Demo', {REGISTER} }}", ["HP304"]),
        (f"export default {{ id: '{'a' * 65}', {REGISTER} }}", ["HP304"]),
        (f"export default {{ id: 'nul', {REGISTER} }}", ["HP304"]),
        ("const plugin = 1", ["HP301"]),
    ],
)
def test_what_is_surely_no_plugin_is_refused(text: str, codes: list[str]) -> None:
    assert verdict(text)[1] == codes


def test_what_it_says_of_itself_is_read() -> None:
    identity = check(
        f"export default {{ id: 'demo', name: 'N', description: `D`, defaultEnabled: false, {REGISTER} }}"
    ).identity
    assert (identity.name, identity.description, identity.default_enabled, identity.exact) == ("N", "D", False, False)
