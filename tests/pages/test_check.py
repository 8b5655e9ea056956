"""The check of pages, manifests and drafts: what each host refuses, where it stands, and the way out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loader.pages.check import PageCheck, check_page, check_value
from loader.pages.limits import DOCUMENT_LIMIT_BYTES, DRAFT_DOCUMENT_LIMIT_BYTES
from tests.pages.building import LABEL, document, group, line, mutated, nested

DOCUMENTS = Path(__file__).with_name("documents")
VALID = sorted(path.stem for path in DOCUMENTS.glob("*.json"))


def text_of(name: str) -> str:
    return (DOCUMENTS / f"{name}.json").read_text("utf-8")


def errors(checked: PageCheck) -> set[str]:
    return {found.code for found in checked.diagnostics if found.severity == "error"}


def warnings(checked: PageCheck) -> set[str]:
    return {found.code for found in checked.diagnostics if found.severity == "warning"}


def draft(content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"plugin_id": "home", "title": "Home", "document": content, **more}


def manifest(**more: Any) -> dict[str, Any]:
    return {"schema_version": 1, "id": "weather", **more}


def contribution(**more: Any) -> dict[str, Any]:
    return {"id": "home", "title": "Home", "document": {"path": "pages/home"}, **more}


# ---------------------------------------------------------------- what is good


@pytest.mark.parametrize("name", VALID)
def test_a_valid_text_has_no_finding(name: str) -> None:
    checked = check_page(text_of(name))
    assert checked.findings == ()
    assert checked.kind == ("manifest" if "manifest" in name else "document")
    assert checked.canonical is not None


@pytest.mark.parametrize("name", ["hello", "backup-status", "packing-list", "shelf"])
def test_a_page_without_requests_can_be_drafted_under_its_own_id(name: str) -> None:
    arguments = {"plugin_id": name, "title": name, "document": json.loads(text_of(name))}
    assert check_value(arguments).findings == ()


# ---------------------------------------------------------------- the twenty


BUTTON = {"type": "button", "id": "b", "label": LABEL}


def pressing(path: str) -> dict[str, Any]:
    return {**BUTTON, "action": {"id": "go", "request": {"path": path}}}


INVALID: list[tuple[str, Any, str, str]] = [
    ("id of another", {"id": "climate"}, "HP716", "/id"),
    ("version 2", {"schema_version": 2, "id": "weather"}, "HP708", "/schema_version"),
    ("host API 2", manifest(min_host_api=2), "HP708", "/min_host_api"),
    (
        "one contribution without title",
        manifest(contributions=[contribution(), {"id": "b", "document": {"path": "x"}}]),
        "HP704",
        "/contributions/1",
    ),
    ("null where none is taken", manifest(default_enabled=None), "HP705", "/default_enabled"),
    (
        "a page by POST",
        manifest(contributions=[contribution(document={"method": "POST", "path": "p"})]),
        "HP713",
        "/contributions/0/document/method",
    ),
    ("unknown element", document({"type": "web_view", "id": "w"}), "HP706", "/pages/0/content/type"),
    ("lower case choice", document(group(direction="column")), "HP707", "/pages/0/content/direction"),
    ("bare text", document({"type": "text", "id": "t", "text": "Hello"}), "HP705", "/pages/0/content/text"),
    ("bare state", document(line(), state={"ready": True}), "HP705", "/initialState/ready"),
    (
        "an id on two pages",
        document(line(), more=[{"id": "b", "title": LABEL, "content": line()}]),
        "HP710",
        "/pages/1/content/id",
    ),
    (
        "an address as asset",
        document({"type": "image", "id": "i", "asset": {"id": "https://evil.test/p.png"}, "contentDescription": LABEL}),
        "HP709",
        "/pages/0/content/asset/id",
    ),
    ("progress of nothing", document({"type": "progress", "id": "p"}), "HP712", "/pages/0/content"),
    (
        "a binding with a blank",
        document({"type": "toggle", "id": "t", "label": LABEL, "binding": "my key"}),
        "HP709",
        "/pages/0/content/binding",
    ),
    (
        "out of the plugin's routes",
        manifest(contributions=[contribution(document={"path": "../config"})]),
        "HP713",
        "/contributions/0/document/path",
    ),
    ("escaped path", document(pressing("safe%2f..%2fconfig")), "HP713", "/pages/0/content/action/request/path"),
    ("address as path", document(pressing("https://evil.test/x")), "HP713", "/pages/0/content/action/request/path"),
    ("request in a draft", draft(document(pressing("go"))), "HP714", "/document/pages/0/content/action/request"),
    ("reserved id", draft(document(line(), page="git"), plugin_id=" Git "), "HP715", "/plugin_id"),
    ("upper case in a draft", draft(document(line(), page="Home")), "HP709", "/document/pages/0/id"),
]


@pytest.mark.parametrize(("value", "code", "pointer"), [row[1:] for row in INVALID], ids=[row[0] for row in INVALID])
def test_an_invalid_input_is_refused_where_it_is_wrong(value: Any, code: str, pointer: str) -> None:
    checked = check_value(value, catalog_name="weather")
    assert not checked.ok
    assert checked.model is None
    assert (code, pointer) in {(found.diagnostic.code, found.pointer) for found in checked.findings}
    # Nothing else is wrong with it; a draft's wrong page id leaves it without its page as well.
    assert errors(checked) <= {code, "HP733"}
    assert all(found.span is not None and found.hint for found in checked.diagnostics)


def test_a_place_is_line_and_utf16_column_of_the_text_as_written() -> None:
    text = '{"schemaVersion": 1,\r\n "pages": [{"id": "a", "title": {"type": "literal", "value": "😀"}, "content":7}]}'
    (found,) = check_page(text).diagnostics
    assert (found.code, found.span and found.span.line) == ("HP705", 2)
    before = text.split("\r\n")[1].index("7")
    assert found.span is not None
    assert found.span.column == before + 1 + 1  # the smiling face counts two


# ---------------------------------------------------------------- limits: the last that fits, the first that does not


def text_element(length: int, letter: str = "x") -> dict[str, Any]:
    return {"type": "text", "id": "t", "text": {"type": "literal", "value": letter * length}}


def many(count: int) -> dict[str, Any]:
    """That many elements in all, groups counted."""
    groups: list[dict[str, Any]] = []
    left = count - 1
    while left > 0:
        size = min(left - 1, 99)
        groups.append({"type": "group", "id": f"g{left}", "children": [line(f"l{left}.{n}") for n in range(size)]})
        left -= size + 1
    return document(group(*groups))


def pages(count: int) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "pages": [{"id": f"p{n}", "title": LABEL, "content": line(f"l{n}")} for n in range(count)],
    }


def state(count: int) -> dict[str, Any]:
    return document(line(), state={f"k{n}": {"type": "null"} for n in range(count)})


def progress(value: Any) -> dict[str, Any]:
    return document({"type": "progress", "id": "p", "value": value})


def picture(ratio: Any) -> dict[str, Any]:
    return document(
        {"type": "image", "id": "i", "asset": {"id": "a"}, "contentDescription": LABEL, "aspectRatio": ratio}
    )


def entry(length: Any) -> dict[str, Any]:
    field = {"type": "text_input", "id": "i", "label": LABEL, "binding": "k", "maxLength": length}
    return document(field, state={"k": {"type": "null"}})


BOUNDS: list[tuple[str, list[Any], list[Any]]] = [
    ("pages", [pages(1), pages(32)], [pages(0), pages(33)]),
    ("elements", [many(500)], [many(501)]),
    ("depth", [document(nested(16))], [document(nested(17))]),
    ("children", [document(group()), document(group(*(line(f"l{n}") for n in range(100))))], [
        document(group(*(line(f"l{n}") for n in range(101))))
    ]),
    ("text", [document(text_element(0)), document(text_element(16_000)), document(text_element(8_000, "😀"))], [
        document(text_element(16_001)), document(text_element(8_001, "😀"))
    ]),
    ("state", [state(250)], [state(251)]),
    ("identifier", [document(line("a")), document(line("a" * 128)), document(line("a..b"))], [
        document(line("")), document(line("a" * 129)), document(line(".a")), document(line("a\n")), document(line("é"))
    ]),
    ("maxLength", [entry(1), entry(2000)], [entry(0), entry(2001), entry(10.0), entry(True)]),
    ("progress", [progress(0), progress(1)], [progress(-0.01), progress(1.01)]),
    ("aspect", [picture(0.25), picture(4)], [picture(0.24), picture(4.01)]),
    ("draft id", [draft(document(line(), page="a" * 64), plugin_id="a" * 64)], [
        draft(document(line(), page="a" * 65), plugin_id="a" * 65), draft(document(line(), page="a"), plugin_id="")
    ]),
    ("draft title", [draft(document(line()), title=" x "), draft(document(line()), title="x" * 120)], [
        draft(document(line()), title="  "), draft(document(line()), title="x" * 121)
    ]),
    ("draft description", [draft(document(line()), description=" " + "x" * 1000)], [
        draft(document(line()), description="x" * 1001)
    ]),
    ("poll", [manifest(updates={"poll_seconds": 5}), manifest(updates={"poll_seconds": 300})], [
        manifest(updates={"poll_seconds": 5.5}), manifest(updates={"poll_seconds": 2**31})
    ]),
]  # fmt: skip


@pytest.mark.parametrize("value", [value for _, good, _ in BOUNDS for value in good])
def test_the_last_that_fits_passes(value: Any) -> None:
    assert check_value(value).findings == ()


@pytest.mark.parametrize("value", [value for _, _, bad in BOUNDS for value in bad])
def test_the_first_that_does_not_fit_is_refused(value: Any) -> None:
    assert not check_value(value).ok


@pytest.mark.parametrize(("over", "ok"), [(0, True), (1, False)])
def test_a_drafts_bytes_are_those_of_compact_utf8(over: int, ok: bool) -> None:
    content = document(text_element(0))
    # Arguments are not bounded one by one, so they can fill a document to the byte.
    arguments = {"k": {"type": "string", "value": ""}}
    content["pages"][0]["content"] = {**BUTTON, "action": {"id": "a", "arguments": arguments}}
    room = DRAFT_DOCUMENT_LIMIT_BYTES - len(json.dumps(content, separators=(",", ":")).encode())
    arguments["k"]["value"] = "é" * (room // 2) + "x" * (room % 2 + over)
    assert check_value(draft(content)).ok is ok
    # As a page of an installed plugin it is merely large.
    assert check_value(content).ok


def test_what_is_larger_than_anybody_reads_is_not_parsed() -> None:
    (found,) = check_page("[" * (DOCUMENT_LIMIT_BYTES + 1)).diagnostics
    assert (found.code, found.severity) == ("HP702", "error")


# ---------------------------------------------------------------- what the phone puts up with


TOLERATED: list[tuple[str, Any, str]] = [
    ("unknown key", {**document(line()), "theme": "dark"}, "HP731"),
    ("snake case in a document", {**document(line()), "schema_version": 1}, "HP731"),
    ("camel case in a manifest", {"id": "weather", "schemaVersion": 1}, "HP731"),
    ("undeclared binding", document({"type": "progress", "id": "p", "valueBinding": "k"}), "HP732"),
    ("second page of one id", document(line(), more=[{"id": "home", "title": LABEL, "content": line("l")}]), "HP733"),
    ("quoted number", progress("0.5"), "HP734"),
    ("quoted boolean", manifest(default_enabled="TRUE"), "HP734"),
    ("another surface", manifest(contributions=[contribution(surface="card")]), "HP736"),
    ("another capability", manifest(requested_capabilities=[{"id": "fs.read", "reason": "x"}]), "HP736"),
    ("poll too fast", manifest(updates={"poll_seconds": 0}), "HP736"),
    ("absolute spelling", document(pressing("/api/status")), "HP713"),
    ("toggle of a string", document(
        {"type": "toggle", "id": "t", "label": LABEL, "binding": "k"}, state={"k": {"type": "string", "value": "true"}}
    ), "HP737"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "code"), [row[1:] for row in TOLERATED], ids=[row[0] for row in TOLERATED])
def test_what_the_phone_puts_up_with_is_a_warning(value: Any, code: str) -> None:
    checked = check_value(value, "manifest" if value.get("id") == "weather" else None)
    assert checked.ok
    assert warnings(checked) == {code}
    assert checked.model is not None


def test_a_repeated_key_counts_the_last_time() -> None:
    checked = check_page('{"id": "weather", "default_enabled": true, "default_enabled": false}')
    assert warnings(checked) == {"HP735"}
    assert checked.canonical is not None
    assert checked.canonical["default_enabled"] is False


@pytest.mark.parametrize(("written", "ok"), [("1", True), ("1e0", True), ("1.0", False), ("true", False), ("2", False)])
def test_whole_numbers_are_read_as_the_phones_decoder_reads_them(written: str, ok: bool) -> None:
    text = json.dumps(document(line())).replace('"schemaVersion": 1', f'"schemaVersion": {written}')
    assert check_page(text).ok is ok


@pytest.mark.parametrize("written", ["1e999", "-1e999"])
def test_a_number_that_no_double_keeps_is_refused(written: str) -> None:
    text = json.dumps(document(line(), state={"k": {"type": "number", "value": 1234}})).replace("1234", written)
    assert errors(check_page(text)) == {"HP705"}


def test_half_a_surrogate_pair_is_drawn_as_a_replacement() -> None:
    text = json.dumps(document(text_element(1, "\ud800")))
    checked = check_page(text)
    assert warnings(checked) == {"HP734"}
    assert checked.canonical is not None
    assert checked.canonical["pages"][0]["content"]["text"]["value"] == "\ufffd"


# ---------------------------------------------------------------- guesses


@pytest.mark.parametrize(
    ("written", "meant"),
    [("textInput", "text_input"), ("switch", "toggle"), ("Divider", "divider"), ("progess", "progress")],
)
def test_an_elements_name_is_guessed(written: str, meant: str) -> None:
    (found,) = check_value(document({"type": written, "id": "x"})).diagnostics
    assert found.hint == f"Did you mean {meant!r}?"


@pytest.mark.parametrize(("written", "meant"), [("slide-vertical", "SLIDE_VERTICAL"), ("Fade", "FADE")])
def test_a_choice_is_guessed(written: str, meant: str) -> None:
    (found,) = check_value(document({**line(), "animation": {"enter": written}})).diagnostics
    assert found.code == "HP707"
    assert found.hint is not None
    assert meant in found.hint


def test_a_required_key_in_another_spelling_is_one_finding() -> None:
    picture = {"type": "image", "id": "i", "asset": {"id": "a"}, "content_description": LABEL}
    (found,) = check_value(document(picture)).diagnostics
    assert found.code == "HP704"
    assert "contentDescription" in found.message
    assert "content_description" in found.message


# ---------------------------------------------------------------- pages and contributions


def test_a_contribution_without_its_page_is_refused_and_the_other_page_is_named() -> None:
    checked = check_value(document(line(), page="home"), contributions=["Home"])
    assert errors(checked) == {"HP733"}
    assert warnings(checked) == {"HP733"}
    assert any(found.hint == "Did you mean the page 'home'?" for found in checked.diagnostics)


def test_a_drafts_page_has_the_drafts_own_id() -> None:
    assert errors(check_value(draft(document(line(), page="other")))) == {"HP733"}
    assert check_value(draft(document(line()), plugin_id=" HOME ")).ok


def test_a_request_is_found_where_no_element_reads_it() -> None:
    hidden = document(line())
    hidden["extra"] = [{"action": {"request": {}}}]
    assert errors(check_value(draft(hidden))) == {"HP714"}


def test_a_draft_says_its_version() -> None:
    content = document(line())
    del content["schemaVersion"]
    assert errors(check_value(draft(content))) == {"HP704"}
    assert check_value(content).ok


# ---------------------------------------------------------------- hostile


HOSTILE = ["", "null", "[]", "{", '{"pages":', '"x', "[" * 5000, '{"a":' * 5000, "1" * 500, "{}" * 3, "\ud800", "\x00"]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_gets_an_answer(text: str) -> None:
    checked = check_page(text)
    assert not checked.ok
    assert checked.findings


def test_deep_conditions_are_bounded() -> None:
    condition: Any = {"type": "truthy", "key": "k"}
    for _ in range(100):
        condition = {"type": "not", "condition": condition}
    checked = check_value(document({**line(), "visibleWhen": condition}, state={"k": {"type": "null"}}))
    assert errors(checked) == {"HP703"}


def test_a_flood_of_findings_is_cut_and_still_refused() -> None:
    flood = {f"k{n}": 1 for n in range(500)} | document(line(), state={"x": True})
    checked = check_value(flood)
    assert len(checked.findings) == 100
    assert not checked.ok


@pytest.mark.parametrize("name", VALID)
def test_mutated_documents_never_raise_and_keep_their_word(name: str) -> None:
    base, chance = json.loads(text_of(name)), random.Random(name)
    refused = 0
    for _ in range(250):
        checked = check_value(mutated(base, chance))
        refused += not checked.ok
        assert (checked.model is not None) == checked.ok
        if checked.canonical is not None:
            again = check_value(checked.canonical, checked.kind)
            assert again.ok
            assert again.canonical == checked.canonical
    assert refused > 50


FLOODS = {
    "unknown keys": lambda: {**line(), **{f"visibleWhe{n}": 1 for n in range(20_000)}},
    "elements": lambda: group(*({"type": "divider", "id": "d"} for _ in range(10_000))),
    "elements of no kind": lambda: group(*({"type": "txt"} for _ in range(15_000))),
    "bindings": lambda: group(*({"type": "progress", "id": f"d{n}", "valueBinding": f"k{n}"} for n in range(6_000))),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_costs_no_more_than_reading_it(flood: Callable[[], Any]) -> None:
    """Findings, guesses and comparisons are bounded: what grows with the square of the input would not end in time."""
    checked = check_value(document(flood()))
    assert 0 < len(checked.findings) <= 100
