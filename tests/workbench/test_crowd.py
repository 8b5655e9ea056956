"""Five hundred plugins: what a change costs is compared with fifty, in the same browser on the same machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.served import Served, save, served
from tests.workbench.browsing import enter, row

pytestmark = pytest.mark.real

# Ten times the rows: a change that cost ten times as much would be one that looks at every row.
GENEROUS_RATIO = 10.0
LEAST_MS = 4.0
CHANGES = 40

MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8").strip()


def measured(browser: Browser, service: Served, count: int) -> tuple[float, int]:
    """The quickest of some changes in milliseconds, and how much of the list most of them touched.

    The quickest, since what else the machine does makes a change slower, never quicker."""
    context = browser.new_context(viewport={"width": 1360, "height": 840})
    page: Page = context.new_page()
    enter(page, service)
    expect(page.locator("tbody tr")).to_have_count(count)
    keys = [f"standalone:p{number:03}" for number in range(0, count, 7)]
    told = page.evaluate(MEASURE, [keys, CHANGES])
    page.get_by_label("Filter plugins").fill("p00")
    expect(row(page, "p001")).to_be_visible()
    context.close()
    long = ", ".join(f"{each:.0f} ms" for each in told["long"]) or "none"
    print(f"{count} plugins: a change takes {told['median']:.1f} ms until it is drawn; long tasks: {long}")
    return float(told["least"]), int(told["touched"])


def crowd(root: Path, count: int) -> Path:
    for number in range(count):
        save(root, f"p{number:03}")
    return root


def test_five_hundred_plugins_cost_no_more_than_ten_times_fifty(browser: Browser, tmp_path: Path) -> None:
    with served(crowd(tmp_path / "few", 50)) as few:
        of_few_ms, of_few = measured(browser, few, 50)
    with served(crowd(tmp_path / "many", 500)) as many:
        of_many_ms, of_many = measured(browser, many, 500)
    assert 0 < of_many <= 2 * of_few, "a change touches its own row, however many there are"
    assert of_many_ms <= GENEROUS_RATIO * max(of_few_ms, LEAST_MS), (of_few_ms, of_many_ms)
