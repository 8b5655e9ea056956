"""The sandbox's boundary: every way to misuse it ends in an Outcome, within its limits, and leaves nothing behind."""

import faulthandler
import os
import threading

import pytest

from loader.analysis.engine import Limits, Outcome, Sandbox, on_big_stack
from loader.analysis.engine.fence import HARD_AFTER_S
from loader.analysis.engine.sandbox import HOST_FUNCTION

pytestmark = pytest.mark.real

LIMITS = Limits(cpu_s=0.2, memory_bytes=64 * 1024 * 1024)


def run(code: str, limits: Limits = LIMITS) -> tuple[Outcome, list[str]]:
    told: list[str] = []

    def work() -> Outcome:
        sandbox = Sandbox(normalize=lambda *_: None, load=lambda _: None, on_event=told.append, limits=limits)
        try:
            return sandbox.run(code)
        finally:
            sandbox.close()

    return on_big_stack(work), told


def test_runs_a_module_and_hears_what_it_tells() -> None:
    outcome, told = run(f"await null; {HOST_FUNCTION}('a\\nb'); {HOST_FUNCTION}('ü🎉')")
    assert outcome.kind == "done"
    assert outcome.alive
    assert told == ["a\nb", "ü🎉"]


LOOPS = [
    "for (;;) {}",
    "for (;;) { try { for (;;) {} } catch {} }",
    "try { for (;;) {} } finally { for (;;) {} }",
    "const spin = async () => { await null; for (;;) {} }; for (;;) { try { await spin() } catch {} }",
    "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "const again = () => Promise.resolve().then(again); again()",
    "const again = () => Promise.resolve().then(again); await again()",
    "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "'a'.repeat(1e7).replaceAll('a', () => 'bb')",
    "Object.keys(new Proxy({}, { ownKeys() { for (;;) {} } }))",
    "new Proxy({}, { get() { for (;;) {} } }).x",
    "throw { get name() { for (;;) {} } }",
    "throw { get message() { for (;;) {} } }",
    "throw new Proxy({}, { get() { for (;;) {} } })",
    "throw { name: 'Error', message: '', get stack() { for (;;) {} } }",
    "function* g() { for (;;) yield 1 }; for (const _ of g()) ;",
    "while (true) new Date()",
    "[3, 1, 2].sort(() => { for (;;) {} })",
]


@pytest.mark.parametrize("code", LOOPS)
def test_a_loop_ends_at_its_cpu_limit(code: str) -> None:
    outcome, _ = run(code)
    assert outcome.kind == "cpu"
    # The hard stop, plus some scheduling; CPU seconds of this thread, so other load does not count.
    assert outcome.cpu_s < LIMITS.cpu_s + HARD_AFTER_S + 0.5


BOMBS = [
    "const a = []; for (;;) a.push(new Array(100_000).fill(1))",
    "new ArrayBuffer(1e9)",
    "let s = 'x'; for (;;) s += s + Math.random()",
    "const a = []; for (;;) a.push(new Uint8Array(1_000_000))",
    "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })",
]


@pytest.mark.parametrize("code", BOMBS)
def test_a_memory_bomb_ends_at_its_memory_limit(code: str) -> None:
    outcome, _ = run(code, Limits(cpu_s=10.0, memory_bytes=LIMITS.memory_bytes))
    # Growing strings meet the engine's own longest string first.
    assert outcome.kind in ("memory", "threw")
    assert outcome.kind == "memory" or "string too long" in (outcome.error.message if outcome.error else "")


@pytest.mark.parametrize(
    "code",
    [
        "function f() { f() } f()",
        "function f() { try { f() } catch { f() } } f()",
        "const o = { get a() { return this.a } }; o.a",
        "let a = []; for (let i = 0; i < 100_000; i++) a = [a]; JSON.stringify(a)",
        "eval('('.repeat(100_000))",
        "new RegExp('('.repeat(100_000) + ')'.repeat(100_000))",
        "class A { constructor() { new A() } } new A()",
    ],
)
def test_recursion_ends_the_guest_and_not_the_process(code: str) -> None:
    outcome, _ = run(code, Limits(cpu_s=5.0))
    assert outcome.kind in ("stack", "threw")


def test_stack_overflow_is_survived_with_faulthandler_on() -> None:
    was_on = faulthandler.is_enabled()
    faulthandler.enable()
    try:
        outcome, _ = run("function f() { f() } f()")
    finally:
        if not was_on:
            faulthandler.disable()
    assert outcome.kind == "stack"


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("throw new TypeError('no')", "TypeError", "no"),
        ("throw 'text'", "", "text"),
        ("throw null", "", "null"),
        ("throw undefined", "", ""),
        ("throw { name: 5, message: {} }", "", ""),
        ("throw { get name() { throw 1 } }", "", ""),
        ("throw { name: 'InterruptError', message: 'interrupted' }", "InterruptError", "interrupted"),
        ("throw { name: 'MemoryLimitError', message: 'memory' }", "MemoryLimitError", "memory"),
        ("throw new Error('\\ud800')", "Error", ""),
    ],
)
def test_a_thrown_value_is_read_as_text_and_never_mistaken_for_a_limit(code: str, name: str, message: str) -> None:
    outcome, _ = run(code)
    assert outcome.kind == "threw"
    assert outcome.error is not None
    assert (outcome.error.name, outcome.error.message) == (name, message)


def test_a_module_that_waits_for_nothing_is_pending() -> None:
    assert run("await new Promise(() => {})")[0].kind == "pending"


@pytest.mark.parametrize(
    "call", ["()", "('a', 'b')", "(5)", "({})", "('\\ud800')", "(Symbol())", "({ toString() { throw 1 } })"]
)
def test_the_host_function_takes_one_string_and_nothing_else(call: str) -> None:
    outcome, told = run(f"{HOST_FUNCTION}{call}")
    assert outcome.kind == "threw"
    assert told == []


def test_a_failing_listener_stays_outside() -> None:
    def fail(_: str) -> None:
        raise RuntimeError("secret of the host")

    def work() -> Outcome:
        sandbox = Sandbox(normalize=lambda *_: None, load=lambda _: None, on_event=fail, limits=LIMITS)
        try:
            return sandbox.run(f"{HOST_FUNCTION}('x')")
        finally:
            sandbox.close()

    outcome = on_big_stack(work)
    assert outcome.kind == "threw"
    assert "secret" not in str(outcome)


def test_nothing_of_the_machine_is_within_reach() -> None:
    _, told = run(
        "const seen = []; for (const name of ['process', 'require', 'std', 'os', 'bjson', 'scriptArgs', 'fetch', "
        "'XMLHttpRequest', 'WebSocket', 'Deno', 'Worker', 'print']) if (name in globalThis) seen.push(name);"
        f"{HOST_FUNCTION}(seen.join())"
    )
    assert told in ([""], ["print"])


def test_an_image_begins_where_it_was_taken_and_realms_share_nothing() -> None:
    def work() -> list[str]:
        told: list[str] = []
        first = Sandbox(
            normalize=lambda _, name: name,
            load=lambda _: f"let n = 0; const tell = {HOST_FUNCTION}; export const up = () => tell('' + (n += 1));",
            on_event=told.append,
        )
        first.run("import { up } from 'counter'; up()")
        image = first.image()
        first.close()
        for _ in range(2):
            other = Sandbox(normalize=lambda _, name: name, load=lambda _: None, on_event=told.append, image=image)
            assert (
                other.run("import { up } from 'counter'; up(); globalThis.mark = (globalThis.mark ?? 0) + 1").kind
                == "done"
            )
            other.run(f"{HOST_FUNCTION}('mark ' + globalThis.mark)")
            other.close()
        return told

    assert on_big_stack(work) == ["1", "2", "mark 1", "2", "mark 1"]


def test_a_guest_survives_an_interrupt_and_can_go_on() -> None:
    def work() -> tuple[Outcome, Outcome]:
        sandbox = Sandbox(normalize=lambda *_: None, load=lambda _: None, limits=LIMITS)
        try:
            return sandbox.run("for (;;) {}"), sandbox.run("globalThis.after = 1")
        finally:
            sandbox.close()

    stopped, after = on_big_stack(work)
    assert (stopped.kind, stopped.alive) == ("cpu", True)
    assert after.kind == "done"


def test_a_hard_stop_hits_only_the_run_that_earned_it() -> None:
    for _ in range(3):
        assert run("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)")[0].kind == "cpu"
        assert run("1")[0].kind == "done"


def test_threads_take_turns_and_get_their_own_answers() -> None:
    answers: dict[int, list[str]] = {}

    def one(number: int) -> None:
        answers[number] = run(f"await null; {HOST_FUNCTION}('{number}')")[1]

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: [str(number)] for number in range(8)}


def test_many_realms_leave_no_memory_behind() -> None:
    psutil = pytest.importorskip("psutil")  # a development dependency
    process = psutil.Process(os.getpid())
    for _ in range(20):
        run("new Uint8Array(30_000_000)")
    before = process.memory_info().rss
    for _ in range(100):
        run("new Uint8Array(30_000_000)")
    assert process.memory_info().rss - before < 20 * 1024 * 1024


def test_a_run_that_got_no_share_of_the_machine_is_not_called_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    from loader.analysis.engine import fence

    # A machine that gives this thread nothing: the wall limit passes long before the CPU limit.
    monkeypatch.setattr(fence, "WALL_FACTOR", 0.0)
    monkeypatch.setattr(fence, "WALL_EXTRA_S", 0.1)
    outcome, _ = run("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)", Limits(cpu_s=60.0))
    assert (outcome.kind, outcome.alive) == ("starved", False)
