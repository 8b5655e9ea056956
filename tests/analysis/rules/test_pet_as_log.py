import pytest

from loader.analysis.rules.pet_as_log import LINE_LIMIT
from loader.policy.limits import LINE_GRAPHEMES
from tests.analysis.finding import messages

LONG = "word " * 30


def test_the_limit_is_the_policys_own() -> None:
    assert LINE_LIMIT == LINE_GRAPHEMES


@pytest.mark.parametrize(
    "body",
    [
        f"c.pet?.say?.('{LONG}')",
        f"const {{ pet: p }} = c; p.say(`{LONG}${{c.source}}`)",
        f"const say = c.pet?.say; say?.(TEXT + ' and {LONG}')",
    ],
)
def test_flags_a_line_that_does_not_fit(body: str) -> None:
    (message,) = messages("HP513", body, before="const TEXT = 'so'\n")
    assert "cuts it at 120" in message


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ("for (const one of [1, 2]) { c.pet.say(String(one)) }", "a loop"),
        ("let n = 9; while (n--) c.pet.say('again')", "a loop"),
        ("[1, 2].forEach((one) => { c.pet.say(`${one}`) })", "a loop"),
        ("c.setInterval(() => c.pet.say(String(Date.now())), 1000)", "an interval of 1000 ms"),
        ("const tick = () => { c.pet.say('tick') }\nsetInterval(tick, 2 * SECOND)", "an interval of 2000 ms"),
    ],
)
def test_flags_lines_that_come_faster_than_they_can_be_read(body: str, where: str) -> None:
    (message,) = messages("HP513", body, before="const SECOND = 1000\n")
    assert f"`pet.say` in {where}" in message


@pytest.mark.parametrize(
    "body",
    [
        "c.pet?.say('12 files checked', { id: 'check', ttlMs: 4000 })",
        "c.pet.say('word '.repeat(40))",
        f"c.pet.say('{'👨‍👩‍👧‍👦 ' * 50}')",
        "for (const one of [1, 2]) { if (one > 1) c.pet.say('found it') }",
        "for (const one of [1, 2]) { c.pet.say('first'); break }",
        "for (const step of ['a', 'b']) { c.pet.say(step, { id: 'step' }) }",
        "for (const one of [1, 2]) { c.onDispose(() => c.pet.say(`bye ${one}`)) }",
        "[1, 2].forEach((one) => { if (one > 1) return; c.pet.say('one') })",
        "c.setInterval(() => { if (h.state.busy.get()) c.pet.say('busy') }, 1000)",
        "c.setInterval(() => h.state.busy.get() && c.pet.say('busy'), 1000)",
        "c.setInterval(() => c.pet.say('an hour'), 60 * 60 * 1000)",
        "setTimeout(() => c.pet.say('once'), 100)",
        "const c2 = { pet: { say() {} } }; for (const one of [1]) c2.pet.say(one)",
    ],
)
def test_leaves_short_and_rare_lines_alone(body: str) -> None:
    assert messages("HP513", body) == []


def test_looks_at_a_bounded_number_of_calls() -> None:
    assert len(messages("HP513", "for (;;) {" + "c.pet.say('x');" * 1000 + "}")) == 200
