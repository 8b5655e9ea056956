import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.reach import reached_calls
from loader.analysis.syntax.values import function_behind


def reached(text: str) -> set[str]:
    module = parse(text)
    (call,) = module.calls_to("global.go")
    function = function_behind(module, call.arguments[0])
    assert function is not None
    return {one.path for one in reached_calls(module, function) if one.path is not None}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("go(() => { a(); b.c() }); d()", {"global.a", "global.b.c"}),
        ("const f = () => a(); go(() => f())", {"global.a"}),
        ("function f() { g() } function g() { a() } go(f)", {"global.a"}),
        ("go(() => p().then(() => a()))", {"global.p", "global.p().then", "global.a"}),
        ("function f() { f(); a() } go(f)", {"global.a"}),
        ("const f = () => a(); go(() => f)", set()),
        ("const f = () => a(); const g = () => f(); go(() => 1)", set()),
    ],
)
def test_follows_calls_through_local_functions(text: str, paths: set[str]) -> None:
    assert reached(text) >= paths
    assert ("global.a" in reached(text)) is ("global.a" in paths)


def test_stops_somewhere() -> None:
    chain = "".join(f"function f{number}() {{ f{number + 1}() }}" for number in range(500))
    assert len(reached(f"{chain} go(f0)")) == 0
    wide = "a();" * 10_000
    assert reached(f"go(() => {{ {wide} }})") == {"global.a"}
