import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.guards import is_tried, paths_tested


@pytest.mark.parametrize(
    "text",
    [
        "typeof a.b",
        "typeof a.b === 'function'",
        "if (a.b) c",
        "if (!a.b) c",
        "if (x && (y || a.b)) c",
        "while (a.b) c",
        "a.b ? c : d",
        "a.b && c",
        "a.b || c",
        "a.b ?? c",
        "a.b?.()",
        "a.b?.c",
        "a?.b?.()",
        "'b' in a",
        "Object.hasOwn(a, 'b')",
        "Reflect.has(a, 'b')",
        "Boolean(a.b)",
        "if (isFunction(a.b)) c",
        "const ok = a.b !== undefined",
        "const ok = a.b instanceof Function",
        "const { b } = a; if (b) c",
        "const { b = () => {} } = a",
        "const f = a.b; f?.()",
        "if (a['b']) c",
        "do {} while (a.b)",
        "const ok = [typeof a.b].length",
    ],
)
def test_sees_a_test(text: str) -> None:
    assert "global.a.b" in paths_tested(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "a.b()",
        "a.b",
        "const x = a.b",
        "if (a.b()) c",
        "if (a.b().c) d",
        "if (a.b.c) d",
        "c && a.b()",
        "c ? a.b() : d",
        "f(a.b)",
        "a.b().c?.d",
        "'c' in a.b",
        "const { b } = a",
        "if (c) a.b()",
    ],
)
def test_takes_a_use_for_no_test(text: str) -> None:
    assert "global.a.b" not in paths_tested(parse(text))


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("try { it() } catch {}", True),
        ("try { if (a) { it() } } catch (e) { e }", True),
        ("function f() { try { return () => it() } catch {} }", True),
        ("try { a } catch { it() }", False),
        ("try { a } catch {} finally { it() }", False),
        ("try { it() } finally { a }", False),
        ("try { try { it() } finally { a } } catch {}", True),
        ("it()", False),
    ],
)
def test_tells_whether_an_error_would_be_caught(text: str, tried: bool) -> None:
    module = parse(text)
    (call,) = module.calls_to("global.it")
    assert is_tried(module, call.node) is tried
