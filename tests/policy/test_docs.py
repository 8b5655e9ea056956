"""docs/policy.md against the code: every number, every action, every reason, both ways."""

from __future__ import annotations

import re
from pathlib import Path

from loader.policy import directives, limits, notifications, pet, previews
from loader.policy.actions import app_actions

PAGE = (Path(__file__).parent.parent.parent / "docs" / "policy.md").read_text(encoding="utf-8")


def test_the_table_of_numbers_is_that_of_the_code() -> None:
    table = PAGE.split("## Numbers")[1]
    told = {name: float(value) for name, value in re.findall(r"^\| `([A-Z_]+)` \| ([0-9]+) \|", table, re.MULTILINE)}
    real = {name: float(value) for name, value in vars(limits).items() if name.isupper()}
    assert told == real


def test_no_number_of_the_policy_stands_in_the_prose() -> None:
    prose = PAGE.split("## Numbers")[0]
    prose = re.sub(r"```.*?```", "", prose, flags=re.DOTALL)
    # HTTP statuses and the JSON-RPC code are names of answers; /v1/ is a path.
    numbers = set(re.findall(r"[0-9]+", prose.replace("/v1/", "").replace("v1`", "")))
    assert numbers <= {"200", "401", "403", "32001"}


def test_the_list_of_actions_is_that_of_the_table() -> None:
    listed = PAGE.split("<!-- actions:")[1].split("<!-- end of actions -->")[0]
    told = re.findall(r"^\| `([^`]+)` \| (.+) \|$", listed, re.MULTILINE)
    assert told == [(action.id, action.label) for action in app_actions().allowed.values()]


def test_every_reason_is_explained() -> None:
    section = PAGE.split("## ctx.pet.say")[1].split("\n## ")[0]
    told = re.findall(r"^\| `([a-z]+)` \|", section, re.MULTILINE)
    assert set(told) == set(pet.WHY)
    for heading, reasons in (
        ("## Native notifications", notifications.WHY),
        ("## Prompts of preview", previews.WHY),
        ("## Transcript directives", directives.WHY),
    ):
        words = PAGE.split(heading)[1].split("\n## ")[0]
        assert all(f"`{reason}`" in words for reason in reasons), heading


def test_the_refusals_name_this_page() -> None:
    refusal = app_actions().refusal("app.quit")
    assert refusal is not None and "docs/policy.md" in refusal.error
