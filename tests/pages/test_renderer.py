"""The web renderer in a real browser: elements, bindings, presses, and nothing that the check lets pass fails."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from loader.pages.check import check_value
from tests.pages.building import DOCUMENTS, LABEL, document, group, mutated
from tests.requirements import peers

pytestmark = pytest.mark.real

FOLDER = Path(__file__).with_name("documents")
SHOWN = [
    ("hello", "hello"),
    ("backup-status", "backup-status"),
    ("alerts", "alerts"),
    ("packing-list", "packing-list"),
    ("shelf", "shelf"),
    ("greenhouse", "overview"),
    ("greenhouse", "detail"),
]
WIDTHS = (360, 1280)
KEEP_IN = os.environ.get("PAGE_SCREENSHOTS")

# The harness's policy refuses `eval`, which Playwright's own waiting falls back to where the page is not ready at once.
READY = "new Promise((done) => { const look = () => (window.ready ? done(true) : setTimeout(look, 5)); look() })"


@pytest.fixture
def page(browser: Browser, files: str) -> Iterator[Page]:
    """The harness at phone width. Whatever the browser complains of fails the test."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(files)
    page.evaluate(READY)
    yield page
    context.close()
    assert complaints == []


def canonical(value: Any) -> Any:
    checked = check_value(value, "document")
    assert checked.canonical is not None, checked.findings
    return checked.canonical


# What is sent goes out a turn after the dialog is closed.
SENT = """(count) => new Promise((come) => {
  const look = () => (window.sent.length >= count ? come() : setTimeout(look, 20))
  look()
})"""


def show(page: Page, value: Any, page_id: str = "home") -> None:
    page.evaluate("([value, id]) => window.show(value, id)", [canonical(value), page_id])
    # What follows the layout (a row that became scrollable) is done a frame later.
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def stored(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def text(value: str) -> dict[str, Any]:
    return {"type": "literal", "value": value}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_valid_documents_fit_and_are_seen(page: Page, width: int, theme: Any) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(color_scheme=theme)
    seen = set()
    for name, page_id in SHOWN:
        show(page, stored(name), page_id)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        seen.add(page.screenshot(path=Path(KEEP_IN) / f"{page_id}-{width}-{theme}.png" if KEEP_IN else None))
    assert len(seen) == len(SHOWN)
    ink, ground = page.evaluate(
        "[getComputedStyle(document.querySelector('.hp-page')).color, getComputedStyle(document.body).backgroundColor]"
    )
    light = [sum(int(part) for part in color[4:-1].split(",")) for color in (ink, ground)]
    assert (light[0] < light[1]) == (theme == "light")


def test_the_valid_documents_have_no_accessibility_fault(browser: Browser, files: str) -> None:
    # axe is put in as a script of the test's own, which the harness's policy would refuse.
    context = browser.new_context(viewport={"width": 360, "height": 740}, bypass_csp=True)
    page = context.new_page()
    page.goto(files)
    page.evaluate(READY)
    page.add_script_tag(path=peers() / "node_modules" / "axe-core" / "axe.min.js")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for name, page_id in SHOWN:
            show(page, stored(name), page_id)
            found = page.evaluate(
                "axe.run(document).then((done) => done.violations.map((one) => [one.id, one.nodes[0].html]))"
            )
            assert found == [], (name, theme)
    context.close()


def test_bindings_and_conditions_are_live(page: Page) -> None:
    show(page, stored("packing-list"), "packing-list")
    charger = page.get_by_role("switch", name="Charger")
    expect(charger).to_be_disabled()
    expect(page.get_by_text("Ready to go")).to_be_hidden()
    page.get_by_role("switch", name="Passport").check()
    expect(charger).to_be_enabled()
    charger.check()
    expect(page.get_by_text("Ready to go")).to_be_visible()
    page.get_by_role("switch", name="Passport").uncheck()
    expect(page.get_by_text("Ready to go")).to_be_hidden()
    # Unpicking disables the other, which keeps its state all the same.
    assert page.evaluate("window.drawn.state().get('charger')") == {"type": "boolean", "value": True}


def test_typing_keeps_the_field_and_moves_what_is_bound_to_it(page: Page) -> None:
    field = {"type": "text_input", "id": "f", "label": text("Name"), "binding": "name", "maxLength": 5}
    echo = {"type": "text", "id": "e", "text": {"type": "binding", "key": "name", "fallback": "nobody"}}
    show(page, document(group(field, echo), state={"name": {"type": "null"}}))
    expect(page.locator("[data-id=e]")).to_have_text("nobody")
    page.get_by_label("Name").press_sequentially("Åsa & Bo")
    expect(page.locator("[data-id=e]")).to_have_text("Åsa &")
    expect(page.get_by_label("Name")).to_be_focused()


def test_markup_is_text_and_nothing_else(page: Page) -> None:
    evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
    show(
        page,
        document(
            group({"type": "text", "id": "t", "text": text(evil)}, {"type": "badge", "id": "b", "text": text(evil)})
        ),
    )
    expect(page.locator("[data-id=t]")).to_have_text(evil)
    assert page.evaluate("[window.hit, document.querySelectorAll('main img, main script').length]") == [None, 0]


def pressing(**action: Any) -> dict[str, Any]:
    return document(
        {"type": "button", "id": "go", "label": text("Go"), "action": {"id": "a", **action}},
        state={"hidden": {"type": "number", "value": 1}},
    )


def test_a_press_hands_out_the_whole_state(page: Page) -> None:
    show(page, pressing(request={"path": "x"}))
    page.get_by_role("button", name="Go").click()
    page.evaluate(SENT, 1)
    assert page.evaluate("window.sent") == [["go", {"hidden": {"type": "number", "value": 1}}]]


def test_a_confirmation_is_asked_each_time_and_may_be_refused(page: Page) -> None:
    show(page, pressing(request={"path": "x"}, confirmation={"type": "binding", "key": "hidden"}))
    for answer, sent in (("Cancel", 0), ("Confirm", 1), ("Confirm", 2)):
        page.get_by_role("button", name="Go").click()
        expect(page.get_by_role("dialog")).to_contain_text("1")
        page.get_by_role("dialog").get_by_role("button", name=answer).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate(SENT, sent)
        assert page.evaluate("window.sent.length") == sent
    page.get_by_role("button", name="Go").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("window.sent.length") == 2


def test_an_action_without_a_request_does_nothing(page: Page) -> None:
    show(page, pressing())
    page.get_by_role("button", name="Go").click()
    assert page.evaluate("window.sent") == []


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (1, "1"), (1.5, "1.5"), (-2, "-2"), (0, "0"), (0.001, "0.001"), (0.0005, "5.0E-4"), (1e7, "1.0E7"),
        (12345678, "1.2345678E7"), (9999999, "9999999"), (0.1, "0.1"), (-1.25e-9, "-1.25E-9"), (1e300, "1.0E300"),
    ],
)  # fmt: skip
def test_numbers_read_as_on_the_phone(page: Page, number: float, shown: str) -> None:
    assert page.evaluate("number => window.pages.numberText(number)", number) == shown


TRUTHY = [
    ({"type": "string", "value": "false"}, True),
    ({"type": "string", "value": " \n"}, False),
    # What is blank to the phone: no-break spaces and separators are, a byte order mark is not.
    ({"type": "string", "value": "\u00a0\u2028\x1c\x1f"}, False),
    ({"type": "string", "value": "\ufeff"}, True),
    ({"type": "boolean", "value": True}, True),
    ({"type": "number", "value": 0}, False),
    ({"type": "number", "value": -1}, True),
    ({"type": "null"}, False),
    (None, False),
]


def test_conditions_hold_as_on_the_phone(page: Page) -> None:
    ask = "([condition, entries]) => window.pages.holds(condition, new Map(entries))"
    for value, held in TRUTHY:
        entries = [] if value is None else [["k", value]]
        assert page.evaluate(ask, [{"type": "truthy", "key": "k"}, entries]) is held
    one = {"type": "equals", "key": "k", "value": {"type": "number", "value": 1}}
    assert page.evaluate(ask, [one, [["k", {"type": "number", "value": 1}]]]) is True
    assert page.evaluate(ask, [one, [["k", {"type": "string", "value": "1"}]]]) is False
    assert page.evaluate(ask, [{"type": "equals", "key": "k", "value": {"type": "null"}}, []]) is True
    assert page.evaluate(ask, [{"type": "all", "conditions": []}, []]) is True
    assert page.evaluate(ask, [{"type": "any", "conditions": []}, []]) is False
    assert page.evaluate(ask, [{"type": "not", "condition": {"type": "any", "conditions": [one]}}, []]) is True


def test_motion_is_left_out_where_a_person_wants_none(page: Page) -> None:
    toggle = {"type": "toggle", "id": "t", "label": text("On"), "binding": "on"}
    moved = {
        **{"type": "badge", "id": "b", "text": text("Here"), "visibleWhen": {"type": "truthy", "key": "on"}},
        "animation": {"enter": "SLIDE_VERTICAL", "speed": "SLOW"},
    }
    value = document(group(toggle, moved), state={"on": {"type": "boolean", "value": False}})
    count = "document.querySelector('[data-id=b]').getAnimations().length"
    for motion, moving in (("no-preference", 1), ("reduce", 0)):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]  # both are
        show(page, value)
        assert page.evaluate(f"(document.querySelector('[data-id=t] input').click(), {count})") == moving


def test_edits_survive_a_poll_only_where_the_page_is_the_same(page: Page) -> None:
    after = "([a, b]) => window.pages.stateAfter(a, b, 'kept')"
    base: dict[str, Any] = {"pages": [], "host_revision": None}
    assert page.evaluate(after, [base, base]) == "kept"
    assert page.evaluate(after, [base, {**base, "x": 1}]) is None
    assert page.evaluate(after, [{**base, "host_revision": 3}, {"host_revision": 3}]) == "kept"
    assert page.evaluate(after, [{**base, "host_revision": 3}, {"host_revision": 4}]) is None
    assert page.evaluate("[null, 0, 30, 900].map(window.pages.pollAfterMs)") == [None, 5000, 30_000, 300_000]


def test_what_the_check_lets_pass_is_drawn_without_an_error(page: Page) -> None:
    """At least a thousand documents, broken ones among them: refused ones never get here."""
    drawn = refused = 0
    batch: list[Any] = []

    @settings(max_examples=170, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(DOCUMENTS, st.integers(0, 2**32))
    def collect(value: Any, seed: int) -> None:
        nonlocal refused
        chance = random.Random(seed)
        for candidate in (value, *(mutated(value, chance) for _ in range(9))):
            checked = check_value(candidate, "document")
            if checked.canonical is None:
                refused += 1
            else:
                batch.append(checked.canonical)

    collect()
    draw_all = """values => values.map((value) => {
      try {
        for (const { id } of value.pages) window.show(value, id)
        for (const field of document.querySelectorAll('main input, main textarea')) {
          if (field.type === 'checkbox') field.click()
          else { field.value = 'typed'; field.dispatchEvent(new Event('input')) }
        }
        return ''
      } catch (error) {
        return String(error.stack)
      }
    })"""
    for start in range(0, len(batch), 200):
        some = batch[start : start + 200]
        assert [said for said in page.evaluate(draw_all, some) if said] == []
        drawn += len(some)
    assert drawn + refused >= 1000
    assert drawn > 300
    assert refused > 100


def test_every_element_is_drawn(page: Page) -> None:
    every = group(
        {"type": "card", "id": "c", "child": {"type": "text", "id": "t", "text": LABEL, "style": "HEADLINE"}},
        {"type": "badge", "id": "b", "text": LABEL, "tone": "WARNING"},
        {"type": "button", "id": "bu", "label": LABEL, "action": {"id": "a"}, "style": "TEXT"},
        {"type": "text_input", "id": "ti", "label": LABEL, "binding": "k", "placeholder": text("Bergen")},
        {"type": "toggle", "id": "to", "label": LABEL, "binding": "k"},
        {"type": "progress", "id": "p", "value": 0.5},
        {"type": "image", "id": "i", "asset": {"id": "x"}, "contentDescription": text("A cat")},
        {"type": "divider", "id": "d"},
        {"type": "spacer", "id": "s", "size": "LARGE"},
    )
    show(page, document(every, state={"k": {"type": "null"}}))
    assert page.locator("main [data-id]").count() == 11
    expect(page.get_by_role("img", name="A cat")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "0.5")
    expect(page.get_by_placeholder("Bergen")).to_be_editable()
    expect(page.get_by_role("separator")).to_be_visible()
    assert page.locator("[data-id=s]").bounding_box()["height"] == 24  # type: ignore[index]  # it is there
