"""Names find their declarations, and only theirs; ESLint is the judge on real files (test_ground_truth)."""

from __future__ import annotations

import pytest

from loader.analysis.syntax import GaveUp, parse


def free(text: str) -> list[str]:
    return [one.name for one in parse(text).free_references]


@pytest.mark.parametrize(
    "text",
    [
        "f(); function f() {}",
        "use(); var use = () => late; const late = 1",
        "const { a, b: c, d = a, ...e } = {}; a; c; d; e",
        "const [a, , b = a, ...c] = []; a; b; c",
        "function f(a, { b }, [c] = [], ...d) { a; b; c; d; arguments }",
        "const f = a => a; const g = async (b, c = b) => b + c",
        "try {} catch ({ message }) { message }",
        "for (const a of []) a; for (let i = 0; i < 1; i++) i; for (var v in {}) v; v",
        "label: for (;;) { continue label }",
        "class A { #x = 1; static y = A; m() { return this.#x } static { A } }",
        "const B = class Inner { m() { return Inner } }",
        "const f = function self() { return self }",
        "switch (1) { case 1: let a = 1; a }",
        "import d, { x as y } from 'm'; import * as n from 'm'; d; y; n",
        "const a = 1; export { a, a as b }; export { c } from 'm'",
        "typeof missing; typeof (missing)",
        "async function* g() { for await (const x of g()) yield x }",
        "const o = { a: 1, b() {}, get c() { return 1 }, ['d']: 2 }; o.a",
        "const a = 1; ({ a }); ({ a: a } = {})",
        "{ using r = null; r }",
        "await (1)",
        "const \\u0061bc = 1; abc",
    ],
)
def test_declared_names_are_not_free(text: str) -> None:
    assert free(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("missing", ["missing"]),
        ("{ let a = 1 } a", ["a"]),
        ("function f() { var inner = 1 } inner", ["inner"]),
        ("if (true) { var hoisted = 1 } hoisted", []),
        ("for (const a of []) ; a", ["a"]),
        ("try {} catch (e) {} e", ["e"]),
        ("(function self() {}); self", ["self"]),
        ("const o = { [key]: 1, short }", ["key", "short"]),
        ("const { a = other } = {}", ["other"]),
        ("function f(a = b) { return a }", ["b"]),
        ("const f = () => arguments", ["arguments"]),
        ("arguments", ["arguments"]),
        ("class A extends Base { [name] = value }", ["Base", "name", "value"]),
        ("const o = { [a](a) { return a } }", ["a"]),
        ("x = 1; y += 1; z++", ["x", "y", "z"]),
        ("[a, b.c] = []; ({ d, e: f = g } = {})", ["a", "b", "d", "f", "g"]),
        ("for (k in o) ; for (k of l) ;", ["k", "o", "k", "l"]),
        ("`${inside}`", ["inside"]),
        ("await (promise)", ["promise"]),
        ("export { a } from 'm'; a", ["a"]),
        ("o.member; o?.[key]", ["o", "o", "key"]),
        ("tag`text`", ["tag"]),
    ],
)
def test_what_nobody_declares_is_free(text: str, expected: list[str]) -> None:
    assert free(text) == expected


def test_a_shadowing_name_takes_the_uses_inside_its_scope() -> None:
    module = parse("const a = 1; { const a = 2; a } a")
    outer, inner = [one for one in module.scopes.bindings if one.name == "a"]
    assert [len(outer.references), len(inner.references)] == [1, 1]


def test_reads_and_writes_are_told_apart() -> None:
    (binding,) = parse("let a = 1; a = 2; a += 3; a++; a; [a] = [4]").scopes.bindings
    assert [(one.reads, one.writes) for one in binding.references] == [
        (False, True),
        (True, True),
        (True, True),
        (True, False),
        (False, True),
    ]
    assert len(binding.writes) == 5


def test_routes_lead_from_the_value_to_the_name() -> None:
    module = parse("const { a: { b }, ['c']: d, [e]: f, ...g } = v; const [h, , i] = w")
    routes = {one.name: one.writes[0].route for one in module.scopes.bindings}
    assert routes == {"b": ("a", "b"), "d": ("c",), "f": None, "g": None, "h": ("0",), "i": ("2",)}


def test_the_scope_of_a_node_is_the_innermost_around_it() -> None:
    module = parse("function f() { const a = 1; { a } } f")
    last = max(module.scopes.references, key=lambda one: one.node)
    assert module.scopes.scope_of(last.node).kind == "module"
    inside = next(one for one in module.scopes.references if one.name == "a")
    assert module.scopes.scope_of(inside.node).kind == "block"
    assert module.scopes.lookup("a", inside.node) is inside.binding
    assert module.scopes.lookup("a", last.node) is None


def test_nesting_beyond_the_limit_gives_up() -> None:
    with pytest.raises(GaveUp):
        free("{" * 3000 + "}" * 3000)
