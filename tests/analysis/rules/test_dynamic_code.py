import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("c.onDispose(eval('1'))", "`eval` runs text"),
        ("const run = window.eval; run(c.source)", "`eval` runs text"),
        ("(0, eval)(c.source)", "`eval` runs text"),
        ("new Function('a', c.source)", "`Function` makes code"),
        ("globalThis.Function(c.source)()", "`Function` makes code"),
        ("(async () => {}).constructor(c.source)", "`Function` makes code"),
        ("[].constructor.constructor('alert(1)')()", "`Function` makes code"),
        ("setTimeout('tick()', 10)", "`setTimeout` is given a string"),
        ("const { setInterval: every } = window; every('tick(' + c.source + ')', 10)", "`setInterval` is given"),
        ("const CODE = `tick(${c.source})`; c.setTimeout(CODE, 10)", "`setTimeout` is given a string"),
    ],
)
def test_flags_code_made_from_text(body: str, what: str) -> None:
    (message,) = messages("HP611", body)
    assert what in message


@pytest.mark.parametrize(
    "body",
    [
        "const run = Function('return this')(); c.onDispose(run)",
        "setTimeout(() => c.source, 10)",
        "const tick = () => {}; setTimeout(tick, 10); setTimeout(c.storage.get('x'), 10)",
        "const eval_ = JSON.parse; eval_(c.source)",
        "const model = { eval(x) { return x } }; model.eval('1')",
        "const evaluate = { Function: class {} }; new evaluate.Function('a')",
        "if (c.source instanceof Function) c.onDispose(Function.prototype.bind)",
        "const Other = h.constructor; new Other('text')",
        "class A { constructor(x) { this.x = x } clone() { return new this.constructor('x') } } new A(1)",
        "const setTimeout = (text, ms) => [text, ms]; setTimeout('text', 1)",
    ],
)
def test_leaves_functions_and_own_names_alone(body: str) -> None:
    assert messages("HP611", body) == []
