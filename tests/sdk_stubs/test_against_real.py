"""The stubs beside what they stand for: React itself, Node's web classes, and our own data files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import peers
from tests.sdk_stubs.conftest import STUBS, run_in_node


@pytest.fixture(scope="module")
def compared() -> dict[str, Any]:
    peers()
    result: dict[str, Any] = run_in_node("compare.mjs", NODE_ENV="production")
    return result


@pytest.mark.real
def test_each_small_component_has_the_markup_that_real_react_gives_it(compared: dict[str, Any]) -> None:
    assert len(compared["markup"]) >= 30
    assert all(real for real, _ in compared["markup"].values())
    assert {name: ours for name, (_, ours) in compared["markup"].items()} == {
        name: real for name, (real, _) in compared["markup"].items()
    }


@pytest.mark.real
def test_react_and_its_jsx_runtime_export_the_same_names(compared: dict[str, Any]) -> None:
    development_only = {"act", "captureOwnerStack"}
    real, ours = (set(names) for names in compared["names"]["react"])
    assert ours == real | development_only
    assert compared["names"]["jsx"][0] == compared["names"]["jsx"][1]


@pytest.mark.real
def test_urls_texts_and_plain_english_come_out_as_in_node() -> None:
    result = run_in_node("web.mjs")
    assert result["count"] > 150
    assert result["differences"] == []


def _data(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((STUBS / name).read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    surface, actions = _data("surface.json"), _data("app_actions.json")
    known = {
        "areas": [row["constant"] for row in surface["areas"]],
        "host": [row["name"] for row in surface["host"]],
        "ctx": [row["name"] for row in surface["ctx"]],
        "actions": [*(row["id"] for row in actions["allowed"]), *(row["id"] for row in actions["known"]), "app.quit"],
    }
    result: dict[str, Any] = run_in_node("facts.mjs", json.dumps(known))
    return result


@pytest.mark.real
def test_the_sdk_exports_the_names_of_all_builds_and_one_door_of_its_own(facts: dict[str, Any]) -> None:
    surface = _data("surface.json")
    module = surface["modules"]["@hermes/plugin-sdk"]
    builds = {name for key in ("everywhere", *surface["builds"]) for name in module[key]}
    assert set(facts["exports"]) == builds | {"anyExport"}


@pytest.mark.real
def test_areas_have_their_true_values(facts: dict[str, Any]) -> None:
    values = {row["constant"]: row["value"] for row in _data("surface.json")["areas"]}
    assert {path: facts["areas"][path] for path, value in values.items() if value is not None} == {
        path: value for path, value in values.items() if value is not None
    }
    # Exported, but its value is in no text that was read: any value that is no other area's.
    assert [facts["areas"][path] for path, value in values.items() if value is None] == ["sidebar.profileGroupHeader"]


@pytest.mark.real
def test_host_and_ctx_have_every_member_but_the_two_of_another_design(facts: dict[str, Any]) -> None:
    assert facts["missing"] == {"host": [], "ctx": ["pet.publishActivity", "pet.clearActivity"]}


@pytest.mark.real
def test_actions_are_those_of_the_list(facts: dict[str, Any]) -> None:
    actions = _data("app_actions.json")
    assert facts["actions"] == actions["allowed"]
    assert facts["ids"] == [row["id"] for row in actions["allowed"]]
    expected = {row["id"]: "ok" for row in actions["allowed"]} | {row["id"]: "denied" for row in actions["known"]}
    assert facts["verdicts"] == expected | {"app.quit": "unknown"}


@pytest.mark.real
def test_the_list_of_stubbed_globals_is_true(facts: dict[str, Any]) -> None:
    listed = _data("browser_globals.json")
    host = (Path(__file__).parents[2] / "loader/analysis/rehearsal/host.js").read_text(encoding="utf-8")
    engine = {"DOMException", "atob", "btoa", "queueMicrotask"}
    others = set(listed["stubbed"]) - set(facts["globals"]) - engine
    assert set(facts["globals"]) <= set(listed["stubbed"])
    assert [name for name in others if f"'{name}'" not in host] == []
    assert set(listed["stubbed"]) <= set(listed["browser"]) | set(listed["language"])
