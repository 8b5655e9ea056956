"""Failures are told with the names that the engine leaves out."""

import pytest

from loader.analysis.rehearsal.events import Thrown
from loader.analysis.rehearsal.wording import in_words, place_of, way_out


def at(line: int, column: int, message: str = "not a function", name: str = "TypeError") -> Thrown:
    return Thrown(name, message, f"    at register (plugin.js:{line}:{column})\n")


@pytest.mark.parametrize(
    ("line", "column", "called"),
    [
        ("  ctx.registerPane({})", 7, "ctx.registerPane"),
        ("  foo(1)", 3, "foo"),
        ("  const a = ctx.storage.gett('x')", 25, "ctx.storage.gett"),
        ("  new ctx.Foo()", 7, "ctx.Foo"),
        ("  ctx?.nope?.(1)", 8, "ctx.nope"),
        ("  items.map(x => x.name)", 13, "items.map"),
        ("  items.filter((x) => x > 1)", 16, "items.filter"),
        ("  start({ a: 1 }, async () => 1)", 19, "start"),
        ("  items.forEach(function (x) {})", 17, "items.forEach"),
    ],
)
def test_names_what_was_called(line: str, column: int, called: str) -> None:
    assert in_words(f"\n{line}\n", at(2, column)) == f"TypeError: `{called}` is not a function"


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("  ctx['nope'](1)", 3),
        ("  f().x(1)", 7),
        ("  [1].forEach(ctx.nope)", 15),
        ("  (1)", 3),
        ("  ((x) => x)", 4),
        ("  f().map(x => x)", 11),
        ("", 40),
        ("  " + "a" * 200 + "()", 3),
    ],
)
def test_keeps_the_engines_words_where_the_place_has_no_name(line: str, column: int) -> None:
    assert in_words(f"\n{line}\n", at(2, column)) == "TypeError: not a function"


def test_a_place_outside_the_file_is_no_place() -> None:
    assert in_words("one line", at(900, 1)) == "TypeError: not a function"
    assert in_words("one line", Thrown("TypeError", "not a function", "somewhere else")) == "TypeError: not a function"


def test_other_errors_stay_as_they_are() -> None:
    own = at(2, 3, "no such job", "Error")
    assert in_words("\n  start()\n", own) == "Error: no such job"
    assert way_out("\n  start()\n", own) is None


@pytest.mark.parametrize(
    ("line", "column", "hint"),
    [
        ("  ctx.registr({})", 7, "Did you mean `ctx.register`?"),
        ("  ctx.storage.sett('x')", 15, "Did you mean `ctx.storage.set`?"),
        ("  ctx.os.open('x')", 10, "`ctx.os` has `notify`"),
        ("  host.notfy({})", 8, "Did you mean `host.notify`?"),
    ],
)
def test_a_member_that_is_not_there_is_shown_its_neighbours(line: str, column: int, hint: str) -> None:
    assert hint in (way_out(f"\n{line}\n", at(2, column)) or "")


@pytest.mark.parametrize("line", ["  ctx.register({})", "  other.thing()"])
def test_nothing_is_guessed_about_members_that_exist_or_are_not_ours(line: str) -> None:
    assert way_out(f"\n{line}\n", at(2, line.index(".") + 2)) is None


def test_an_empty_value_is_named_with_two_ways_out() -> None:
    text = "\n  return list.items.map((x) => x)\n"
    empty = at(2, 10, "cannot read property 'map' of undefined")
    assert in_words(text, empty).endswith("(`list.items` has no value)")
    assert way_out(text, empty) == "Give it a first value, or ask with `?.`: `list.items?.map`."


def test_an_empty_value_without_a_name_is_not_given_one() -> None:
    text = "\n  f(1).map((x) => x)\n"
    empty = at(2, 3, "cannot read property 'map' of undefined")
    assert in_words(text, empty) == "TypeError: cannot read property 'map' of undefined"


# ---------------------------------------------------------------- places


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("import 'react'\n// nope\nconst a = nope.x\n", "nope is not defined", (3, 11)),
        ("const s = 'nope'; const a = nope\n", "nope is not defined", (1, 29)),
        ("const s = '😀'; const a = o.nope + nope\n", "nope is not defined", (1, 36)),
        ("/* nope\r\n nope */\r\nnope\r\n", "nope is not defined", (3, 1)),
        ("const b = a\nconst a = 1\n", "a is not initialized", (1, 11)),
        ("const at = 1\nconst a = host.state?.x.at\n", "cannot read property 'at' of undefined", (2, 25)),
        ("const { a } = null\n", "Cannot convert undefined or null to object", None),
        ("const a = 1\n", "nope is not defined", None),
    ],
)
def test_a_place_that_the_engine_does_not_know_is_found_by_name(
    text: str, message: str, place: tuple[int, int] | None
) -> None:
    span = place_of(text, Thrown("ReferenceError", message, "    at <anonymous> (plugin.js:1:1)\n"))
    assert (None if span is None else (span.line, span.column)) == place


def test_a_place_that_the_engine_knows_is_kept() -> None:
    span = place_of("nope\nnope\n", at(2, 1, "nope is not defined", "ReferenceError"))
    assert span is not None
    assert span.line == 2


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("\n  throw 'plain'", "plain", (2, 3)),
        ("throw 1", "1", (1, 1)),
        ("await Promise.reject(`no`)", "no", (1, 7)),
        ("if (a) throw { code: 1, message: 'x' }", "x", (1, 8)),
        ("throw 'a'; // throw 'plain'\n'😀'; throw 'plain'", "plain", (2, 7)),
        ("throw 'plain'\nthrow 'plain'", "plain", None),
        ("throw 'plainer'", "plain", None),
        ("throw 10", "1", None),
        ("// throw 'plain'", "plain", None),
        ("const e = 'plain'; throw e", "plain", None),
        ("throw 'plain'", "x" * 5000, None),
    ],
)
def test_what_is_no_error_is_placed_where_the_text_throws_just_that(
    text: str, message: str, place: tuple[int, int] | None
) -> None:
    span = place_of(text, Thrown("", message, ""))
    assert (span and (span.line, span.column)) == place


@pytest.mark.parametrize(
    "asked", ["ctx.rest('/items')", "fetch('/items')", "host.request('session.list')", "rest('/items')"]
)
def test_a_promise_that_nobody_waited_for_is_called_one(asked: str) -> None:
    text = f"const items = {asked}\nitems.map(x => x)\n"
    assert (way_out(text, at(2, 11)) or "").startswith("`items` is a promise: wait for what it brings")
    waited = f"const items = await {asked}\nitems.map(x => x)\n"
    assert way_out(waited, at(2, 11)) is None


def test_what_has_no_members_is_called_itself() -> None:
    assert way_out("\n  ctx.rest.get('/x')\n", at(2, 12)) == (
        "`ctx.rest` has no members: call it as it is, `ctx.rest(…)`."
    )


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("'host' is read-only", "`let`"),
        ("jsx('b', …) got null in place of its props.", "`jsx('p', {})`"),
        ("jsx('b', …) got children behind its props: they are never shown.", "{ children: [a, b] }"),
        ("The style of <p> must be an object such as {marginTop: 4}, not a string.", "style: { marginTop"),
        ("useEffect of Panel returned a promise, which is no clean-up", "async function load()"),
        ("useEffect of Panel returned null, which is no clean-up", "with braces"),
        ("Panel is an async component: React draws such on servers only.", "useQuery"),
        ("Too many updates in a row: an effect sets state of Panel every time it runs.", "[id]"),
        ("Too many re-renders: Panel sets state while it renders, every time it renders.", "onClick: () =>"),
    ],
)
def test_what_the_renderer_says_has_a_way_out(message: str, hint: str) -> None:
    assert hint in (way_out("", Thrown("Error", message, "")) or "")


@pytest.mark.parametrize(
    "message",
    [
        "Too many updates in a row: an effect sets state of Panel every time it runs.",
        "Too many re-renders: Panel sets state while it renders, every time it renders.",
        "useEffect of Panel returned a promise, which is no clean-up: React calls it, and that throws.",
        "Panel is an async component: React draws such on servers only.",
        "Panel called more hooks than in its last render: hook 3, useState, is new.",
    ],
)
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("// function Panel\nfunction Panel() {}\n", (2, 10)),
        ("const Panel = () => 1\njsx(Panel, {})\n", (1, 7)),
        ("export async function Panel() {}\n", (1, 23)),
        ("function PanelOther() {}\nconst a = 'function Panel'\n", None),
        ("function Panel() {}\nfunction other() { const Panel = 1 }\n", None),
    ],
)
def test_a_complaint_about_a_component_points_to_it(message: str, text: str, place: tuple[int, int] | None) -> None:
    span = place_of(text, Thrown("Error", message, ""))
    assert (span and (span.line, span.column)) == place
