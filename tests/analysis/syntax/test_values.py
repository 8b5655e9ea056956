import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.values import function_behind, is_discarded, returned_from


@pytest.mark.parametrize(
    ("text", "discarded"),
    [
        ("it()", True),
        ("void it()", True),
        ("(it())", True),
        ("a && it()", True),
        ("a ? it() : b", True),
        ("it(), b", True),
        ("const f = async () => { await it() }", True),
        ("const f = async () => { await (it()) }", True),
        ("if (a) it(); else it", True),
        ("for (;;) it()", True),
        ("const x = it()", False),
        ("x = it()", False),
        ("f(it())", False),
        ("const f = () => it()", False),
        ("const f = () => { return it() }", False),
        ("it() && b", False),
        ("it() ? a : b", False),
        ("it() + 1", False),
        ("!it()", False),
        ("it().then(a)", False),
        ("`${it()}`", False),
        ("[it()]", False),
        ("const x = (b, it())", False),
    ],
)
def test_tells_whether_a_value_goes_anywhere(text: str, discarded: bool) -> None:
    module = parse(text)
    (call,) = module.calls_to("global.it")
    assert is_discarded(module, call.node) is discarded


@pytest.mark.parametrize(
    ("text", "returned"),
    [
        ("const f = () => it()", True),
        ("const f = async () => await it()", True),
        ("const f = () => (a, it())", True),
        ("const f = () => a ? it() : b", True),
        ("const f = () => a && it()", True),
        ("const f = () => it() && a", False),
        ("const f = () => it() ? a : b", False),
        ("const f = () => ({ a: it() })", False),
        ("const f = (a = it()) => a", False),
        ("const f = () => void it()", False),
        ("it()", False),
    ],
)
def test_tells_whether_an_arrow_gives_a_value_back(text: str, returned: bool) -> None:
    module = parse(text)
    (call,) = module.calls_to("global.it")
    assert (returned_from(module, call.node) is not None) is returned


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("go(() => 1)", "() => 1"),
        ("const f = () => 1; go(f)", "() => 1"),
        ("function f() {} go(f)", "function f() {}"),
        ("import { useCallback } from 'react'; const f = useCallback(() => 1, []); go(f)", "() => 1"),
        ("import * as R from 'react'; const g = () => 2; const f = R.useCallback(g, []); go(f)", "() => 2"),
        ("const f = debounce(() => 1); go(f)", None),
        ("let f = () => 1; f = () => 2; go(f)", None),
        ("go(f)", None),
        ("const o = { f() {} }; go(o.f)", None),
        ("const f = f2; const f2 = f; go(f)", None),
    ],
)
def test_finds_the_function_behind_an_expression(text: str, found: str | None) -> None:
    module = parse(text)
    (call,) = module.calls_to("global.go")
    function = function_behind(module, call.arguments[0])
    assert (None if function is None else module.tree.raw(function)) == found
