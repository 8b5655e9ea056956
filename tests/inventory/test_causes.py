"""What the rules read and the rehearsal ran into is told once, with the best of both."""

import pytest

from loader.codes import finding
from loader.inventory.causes import told_once
from loader.nouns import Diagnostic, Edit, Fix, Span

IMPORT = Fix("Import host", (Edit(0, 0, "import …"),))


def at(line: int, column: int = 1, width: int = 4) -> Span:
    return Span(line, column, line, column + width)


def undefined(name: str, span: Span, hint: str = "Did you mean `host`?", fix: Fix | None = None) -> Diagnostic:
    return finding("HP501", f"`{name}` is not defined: nothing imports or declares it", span=span, hint=hint, fix=fix)


def threw(code: str, what: str, span: Span | None) -> Diagnostic:
    return finding(code, f"register() threw: {what}", span=span, hint="the app would report the same")


@pytest.mark.parametrize("code", ["HP401", "HP403", "HP406"])
def test_a_name_that_is_not_defined_is_told_with_its_place_and_the_way_out(code: str) -> None:
    (found,) = told_once(
        [threw(code, "ReferenceError: hots is not defined", at(6, 10, 0)), undefined("hots", at(6, 17), fix=IMPORT)]
    )
    assert (found.code, found.span, found.hint, found.fix) == (code, at(6, 17), "Did you mean `host`?", IMPORT)


def test_one_import_mends_every_use_and_a_slip_only_its_own() -> None:
    thrown = threw("HP401", "ReferenceError: hots is not defined", at(6))
    missing = [undefined("hots", at(line), fix=IMPORT) for line in (6, 8, 9)]
    assert len(told_once([thrown, *missing])) == 1
    slips = [undefined("hots", at(line)) for line in (6, 8)]
    assert [one.span for one in told_once([thrown, *slips])] == [at(6), at(8)]


def test_what_only_one_of_them_says_stays() -> None:
    others = [
        threw("HP401", "ReferenceError: hots is not defined", None),
        undefined("stop", at(6)),
        undefined("hots", at(7)),
        threw("HP403", "TypeError: hots is not a function", at(7)),
    ]
    assert told_once(others) == tuple(others)


@pytest.mark.parametrize(
    ("rule", "lived"),
    [
        ("`setInterval` is never ended", "a timer is still alive after unload: setInterval every 100 ms"),
        ("a listener on `window` is never ended", "a listener is still alive after unload: window 'keydown'"),
        ("`host.state.busy.listen` is never ended", "a subscription is still alive after unload: host.state.busy"),
    ],
)
def test_what_nothing_ends_is_told_by_the_rule_alone(rule: str, lived: str) -> None:
    read, leak = finding("HP506", rule, span=at(8, 5, 40)), finding("HP409", lived, span=at(8, 12, 0))
    assert told_once([read, leak]) == (read,)


def test_another_thing_inside_the_same_call_is_told_too() -> None:
    read = finding("HP506", "a listener on `window` is never ended", span=at(8, 5, 90))
    for leak in (
        finding("HP409", "a timer is still alive after unload: setInterval every 100 ms", span=at(8, 50)),
        finding("HP409", "a listener is still alive after unload: window 'keydown'", span=at(9, 5)),
        finding("HP409", "a listener is still alive after unload: window 'keydown'"),
    ):
        assert told_once([read, leak]) == (read, leak)


def test_a_complaint_that_was_thrown_is_told_as_what_it_stopped() -> None:
    complaint = finding("HP406", "Invalid hook call: useState was called outside.", span=at(4))
    thrown = finding("HP403", "the module threw: Error: Invalid hook call: useState was called outside.", span=at(4))
    assert told_once([thrown, complaint]) == (thrown,)
    elsewhere = finding("HP406", complaint.message, span=at(5))
    assert told_once([thrown, elsewhere]) == (thrown, elsewhere)


def test_an_import_whose_use_is_misspelt_is_not_called_unused() -> None:
    """To remove it would take away what the author means to use."""
    slip = undefined("hots", at(6))
    unused = finding("HP509", "`host` is imported but never used", span=at(1), fix=IMPORT)
    other = finding("HP509", "`atom` is imported but never used", span=at(1))
    assert told_once([unused, other, slip]) == (other, slip)
