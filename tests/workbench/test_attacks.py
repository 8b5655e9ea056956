"""What other pages and hostile plugins try, in a real browser: none of it reads, connects, or changes anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Route, expect

from tests.server.served import Served
from tests.workbench.browsing import PATIENCE_MS, REBOUND, enter, link, live, row, see
from tests.workbench.foreign import foreign_site

pytestmark = pytest.mark.real

# Each gives what it got, or throws. `url` is the service, `token` a good one: even who has stolen it gets nowhere.
TRY = Path(__file__).with_name("attempts.js").read_text("utf-8").strip()


@pytest.fixture
def outside(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def untouched(service: Served) -> None:
    headers = {"Authorization": f"Bearer {service.endpoint.token}"}
    plugin = httpx.get(f"{service.endpoint.url}/v1/plugins/scratchpad", headers=headers, trust_env=False).json()
    assert (plugin["enabled"], plugin["choice_from"]) != (False, "ours")


def test_a_foreign_origin_gets_nothing_even_with_a_stolen_token(outside: Page, service: Served) -> None:
    with foreign_site({"/": "<title>elsewhere</title>"}) as origin:
        outside.goto(origin)
        got: dict[str, Any] = outside.evaluate(TRY, [service.endpoint.url, service.endpoint.token])
    assert len(got) == 12, "every attempt must have been made"
    assert {name: came for name, came in got.items() if came} == {}
    untouched(service)


def test_a_null_origin_without_a_token_gets_nothing(outside: Page, service: Served) -> None:
    page = f"<iframe sandbox='allow-scripts' srcdoc='<script>({TRY.replace(chr(39), '&#39;')})([{json.dumps(service.endpoint.url)}, &quot;none&quot;]).then((got) => parent.postMessage(got, &quot;*&quot;))</script>'></iframe>"  # noqa: E501
    html = f"<script>addEventListener('message', ({{data}}) => {{ window.got = data }})</script>{page}"
    with foreign_site({"/": html}) as origin:
        outside.goto(origin)
        outside.wait_for_function("window.got", timeout=PATIENCE_MS)
        got: dict[str, Any] = outside.evaluate("window.got")
    # An origin that is none (an Electron page, a sandboxed frame) may ask; without a token it reads refusals.
    refusals = {name: got.pop(name) for name in ("read", "readWithoutToken", "change", "session")}
    assert refusals.pop("change") == 401
    assert all("urn:hermes-desktop:problem:unauthorized" in text for text in refusals.values()), refusals
    # The page itself is static and holds no secret.
    assert {name for name, came in got.items() if came} <= {"readPage"}
    assert "scratchpad" not in json.dumps(got)
    untouched(service)


def test_a_name_that_points_here_is_turned_away(outside: Page, service: Served) -> None:
    """DNS rebinding: the page is same-origin with us then, and only its Host shows whose it is."""
    answer = outside.goto(f"http://{REBOUND}:{service.port}/")
    assert answer is not None and answer.status == 421
    assert outside.evaluate("fetch('/v1/health').then((answer) => answer.status)") == 421
    assert (
        outside.evaluate(
            "() => new Promise((yes) => { const socket = new WebSocket(`ws://${location.host}/v1/events`);"
            " socket.onopen = () => yes('open'); socket.onerror = () => yes('refused') })"
        )
        == "refused"
    )


def test_neither_the_page_nor_the_frame_of_plugins_can_be_embedded(outside: Page, service: Served) -> None:
    paths = ("/", "/workbench/frame.html", "/workbench/demo.html")
    frames = "".join(f"<iframe src='{service.endpoint.url}{path}'></iframe>" for path in paths)
    refused: list[str] = []

    def last_of_them(message: ConsoleMessage) -> bool:
        if "frame-ancestors" in message.text or "X-Frame-Options" in message.text:
            refused.append(message.text)
        return len(refused) >= len(paths)

    with foreign_site({"/": frames}) as origin, outside.expect_console_message(last_of_them, timeout=PATIENCE_MS):
        outside.goto(origin)
    assert all("workbench" not in (frame.title() or "") for frame in outside.frames[1:])


def test_no_cookie_is_ever_set(page: Page) -> None:
    assert page.context.cookies() == []


# ---------------------------------------------------------------- plugins


def test_names_and_messages_of_a_plugin_never_become_markup(page: Page) -> None:
    dialogs: list[str] = []

    def shut(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", shut)
    loud = "#/plugins/standalone%3Aloud"
    for hash_, settled in (
        ("#/plugins", "tbody tr"),
        (loud, ".facts"),
        (f"{loud}/preview", "iframe.preview"),
        (f"{loud}/rehearsal", ".numbers"),
        (f"{loud}/findings", ".tab-panel .finding"),
        (f"{loud}/doctor", ".chain"),
        ("#/layout", ".chip"),
        ("#/events", ".events tr"),
        ("#/doctor", ".doctor"),
        ("#/policy", ".actions tr"),
    ):
        see(page, hash_)
        page.locator(settled).first.wait_for()
        assert page.evaluate("document.querySelectorAll('img, body script, main b > b').length") == 0, hash_
        assert page.evaluate("window.__owned") is None, hash_
    see(page, "#/plugins")
    expect(row(page, "loud")).to_contain_text("<img src=x onerror=")
    assert dialogs == []


WILD = """\
<b>bold</b><img src="x" onerror="window.__owned = 1"><img src="ELSEWHERE/pixel"><script>window.__owned = 1</script>
<svg onload="window.__owned = 1"></svg><style>@import url(ELSEWHERE/x.css); body { background: url(ELSEWHERE/y) }</style>
<meta http-equiv="refresh" content="0; url=ELSEWHERE/"><iframe src="ELSEWHERE/"></iframe>
<form action="ELSEWHERE/"><button id="send">send</button></form><a id="top" target="_top" href="ELSEWHERE/">top</a>
<link rel="stylesheet" href="ELSEWHERE/z.css"><object data="ELSEWHERE/o"></object><base href="ELSEWHERE/">
"""  # noqa: E501


def test_a_preview_shows_wild_markup_and_lets_none_of_it_act(browser: Browser, service: Served) -> None:
    context = browser.new_context(viewport={"width": 1360, "height": 840})
    page = context.new_page()
    enter(page, service)
    # What arrives elsewhere counts, not what the browser calls a request: it names one too that its policy then stops.
    arrived: list[str] = []
    with foreign_site({"/here": "<title>here</title>"}, arrived=arrived) as origin:
        page.evaluate(
            """async (markup) => {
              const { previewFrame } = await import('/workbench/preview.js')
              document.body.append(previewFrame(markup, { theme: 'light', area: 'panes', title: 'wild' }))
            }""",
            WILD.replace("ELSEWHERE", origin),
        )
        frame = page.frame_locator("iframe[title=wild]")
        expect(frame.locator("b")).to_have_text("bold")
        # The browser says of each press that it came to nothing; after that, nothing is under way any more.
        for button, said in (("#send", "Blocked form submission"), ("#top", "Unsafe attempt to initiate navigation")):
            with page.expect_console_message(lambda message, said=said: said in message.text, timeout=PATIENCE_MS):  # type: ignore[misc]
                frame.locator(button).click(force=True)
        expect(frame.locator("b")).to_have_text("bold")
        assert page.url.startswith(service.endpoint.url)
        outside = context.new_page()
        outside.goto(f"{origin}/here")
    # The site is there and says who came: this visitor alone (and its browser's question for an icon).
    assert [line for line in arrived if "favicon" not in line] == ["GET /here"]
    context.close()


def test_the_page_hands_no_text_to_the_parser() -> None:
    from loader.server.static import WORKBENCH_FOLDER

    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\("
    )
    files = sorted(WORKBENCH_FOLDER.rglob("*.js"))
    found = [
        f"{file.name}: {line.strip()}"
        for file in files
        for line in file.read_text("utf-8").splitlines()
        if sinks.search(line)
    ]
    assert len(files) > 20 and found == []
    users = [file.name for file in files if re.search(r"\.srcdoc\s*=|createPolicy\('preview'", file.read_text("utf-8"))]
    assert users == ["preview.js"], "one file makes frames of markup"


def run_here(page: Page, plugin_id: str) -> None:
    see(page, f"#/plugins/standalone%3A{plugin_id}/run")
    control = page.get_by_role("switch", name="Run this plugin here")
    expect(control).to_have_attribute("aria-checked", "false")
    assert page.locator("iframe.run-frame").count() == 0, "off until a person says so"
    control.click()


KEPT_OUT = {
    *(
        "parent",
        "top",
        "cookies",
        "local",
        "session",
        "indexed",
        "fetch",
        "away",
        "socket",
        "image",
        "beacon",
        "worker",
    ),
    *("evaluate", "navigate", "popup", "form", "rtc", "realm", "frame", "srcdoc", "attribute", "markup", "script"),
}


def test_a_hostile_plugin_in_its_frame_reaches_nothing(browser: Browser, service: Served) -> None:
    context = browser.new_context(viewport={"width": 1360, "height": 840})
    page = context.new_page()
    away: list[str] = []
    page.on("request", lambda request: away.append(request.url))
    enter(page, service)
    run_here(page, "burglar")
    log = page.get_by_role("list", name="What it says")
    expect(log).to_contain_text("burglary over")
    told = log.inner_text()
    tries = dict(re.findall(r"try (\w+): (.*)", told))
    assert set(tries) == KEPT_OUT, told
    assert {name: came for name, came in tries.items() if not came.startswith("kept out")} == {}
    assert "token []" in told
    assert "SecurityError" in tries["realm"], "a document without an address must be out of reach"
    foreign = [url for url in away if not url.startswith((service.endpoint.url, "data:", "about:"))]
    assert foreign == [], "nothing may leave for elsewhere"
    # It may ask the doors of the policy, under its own name.
    expect(log).to_contain_text("pet.say")
    expect(log).to_contain_text("runAction session.archive: denied")
    expect(log).to_contain_text('pet.say "…": unavailable')
    expect(log).to_contain_text('pet.say {"text":"and once more"')
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    assert page.url.startswith(service.endpoint.url) and len(context.pages) == 1
    assert page.evaluate("sessionStorage.getItem('hermes.session')")
    context.close()


def test_a_plugin_that_sends_its_frame_away_gets_nowhere(browser: Browser, service: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    arrived: list[str] = []

    def arrive(route: Route) -> None:
        arrived.append(route.request.url)
        route.abort()

    context.route("https://example.com/**", arrive)
    enter(page, service)
    run_here(page, "leaver")
    expect(page.get_by_role("tabpanel")).to_contain_text("it left its frame")
    expect(page.locator("iframe.run-frame")).to_have_count(0)
    assert arrived == []
    assert page.url.startswith(service.endpoint.url)
    context.close()


def test_an_example_runs_in_its_frame_with_real_react(page: Page) -> None:
    run_here(page, "scratchpad")
    frame = page.frame_locator("iframe.run-frame")
    frame.locator("textarea").fill("hello there")
    expect(frame.locator("body")).to_contain_text("11 of 4000")
    page.get_by_role("switch", name="Run this plugin here").click()
    expect(page.locator("iframe.run-frame")).to_have_count(0)


def test_a_code_in_a_link_from_elsewhere_lets_nobody_in(outside: Page, service: Served) -> None:
    """A page may send a person to us with a code of its own making; it is refused, and the page stays shut."""
    with foreign_site({"/": f"<a href='{service.endpoint.url}/#code=madeupmadeup'>go</a>"}) as origin:
        outside.goto(origin)
        outside.locator("a").click()
        expect(outside.locator("#gate")).to_contain_text("wrong, used or older")
    assert outside.locator("tbody tr").count() == 0
    outside.goto(link(service))
    live(outside)
    expect(outside.locator("#gate")).to_be_hidden()
