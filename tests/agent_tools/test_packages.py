"""The tools for packages: an agent asks, a person decides; with a service and without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.home import Home
from loader.packages.audit import Audit
from loader.packages.grants import Grants
from loader.packages.install import Packages
from tests.agent_tools.conftest import Ask
from tests.cli.conftest import RunningService
from tests.packages.conftest import make_app, make_plugin
from tests.packages.test_shelf import asking

APP = "com.example.board"
BOTH = {"apis": ["storage", "tools"], "capabilities": ["read-only"]}


def packages_of(home: Path) -> Packages:
    return Packages(Home(home, home, None, "a test"))


def put(home: Path, source: Path) -> None:
    from tests.packages.test_install import put as install

    install(Home(home, home, None, "a test"), source)


def person(service: RunningService) -> httpx.Client:
    """A session as the page has one."""
    url = service.endpoint.url
    with service.client as client:
        code = client.request("POST", "/v1/session/code")["code"]
    token = httpx.post(f"{url}/v1/session", json={"code": code}, trust_env=False).json()["token"]
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=60)


def found(answer: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(answer.text)
    return told


def test_an_install_is_asked_for_and_decided_by_a_person(
    ask: Ask, home: Path, tmp_path: Path, service: RunningService
) -> None:
    source = make_app(tmp_path / "app")
    answer = ask("install_plugin", path=str(source), enable=True, **BOTH)
    assert not answer.failed
    told = found(answer)
    assert (told["approval_required"], told["request"], told["grants"]) == (True, 1, BOTH)
    assert told["probe"]["requested"] == BOTH
    assert told["decided_at"].startswith(service.endpoint.url)
    assert packages_of(home).installed() == ()
    with person(service) as somebody:
        done = somebody.post("/v1/packages/requests/1", json={"approve": True}).json()
    assert (done["state"], done["package"]["enabled"]) == ("approved", True)
    (package,) = found(ask("list_plugins"))["packages"]
    assert (package["id"], package["approved"], package["enabled"]) == (APP, BOTH, True)
    assert found(ask("open_plugin_tab", id=APP))["url"] == f"{service.endpoint.url}/#/app/{APP}"
    assert found(ask("set_plugin_enabled", id=APP, enabled=False))["enabled"] is False
    assert ask("open_plugin_tab", id=APP).failed
    told = found(ask("approve_plugin_grants", id=APP, apis=["storage"]))
    assert (told["approval_required"], told["action"]) == (True, "approve")
    assert packages_of(home).entry(APP).consent.approved == Grants(
        frozenset(BOTH["apis"]), frozenset(BOTH["capabilities"])
    )
    assert found(ask("uninstall_plugin", id=APP))["uninstalled"] is True
    callers = {(entry.caller, entry.action) for entry in Audit(Home(home, home, None, "a test")).last(100)}
    assert callers == {
        ("mcp", "install"),
        ("person", "install"),
        ("mcp", "disable"),
        ("mcp", "approve"),
        ("mcp", "uninstall"),
    }


def test_without_a_service_a_person_gets_the_command(ask: Ask, home: Path, tmp_path: Path) -> None:
    source = make_app(tmp_path / "an app")
    told = found(ask("install_plugin", path=str(source)))
    assert (told["approval_required"], told["command"]) == (True, f"hermes-desktop install '{source}'")
    told = found(ask("install_plugin", repository="owner/repo", ref="a" * 40))
    assert told["command"] == f"hermes-desktop install owner/repo --ref {'a' * 40}"
    put(home, source)
    told = found(ask("install_plugin", installed=APP))
    assert told["command"] == f"hermes-desktop update {APP}"
    told = found(ask("approve_plugin_grants", id=APP, apis=["storage"]))
    assert told["command"] == f"hermes-desktop approve {APP} --api storage"
    assert packages_of(home).entry(APP).consent.approved == Grants()
    (package,) = found(ask("list_plugins"))["packages"]
    assert (package["id"], package["lacks"]) == (APP, ["storage", "tools"])
    refused = ask("set_plugin_enabled", id=APP, enabled=True)
    assert refused.failed
    assert "hermes-desktop approve" in refused.text
    packages_of(home).approve(APP, Grants(frozenset(BOTH["apis"]), frozenset(BOTH["capabilities"])))
    assert found(ask("set_plugin_enabled", id=APP, enabled=True)) == {"id": APP, "enabled": True}
    assert ask("open_plugin_tab", id=APP).failed
    assert found(ask("uninstall_plugin", id=APP))["uninstalled"] is True
    assert packages_of(home).installed() == ()


def test_a_desktop_plugin_is_switched_the_same_way(ask: Ask, home: Path, tmp_path: Path) -> None:
    put(home, asking(tmp_path / "p"))
    assert ask("set_plugin_enabled", id="notes", enabled=True).failed
    packages_of(home).approve("notes", Grants(frozenset({"storage"})))
    assert not ask("set_plugin_enabled", id="notes", enabled=True).failed
    make_plugin(home / "desktop-plugins" / "mine", "mine")
    assert ask("set_plugin_enabled", id="mine", enabled=False).failed, "only what was installed from elsewhere"


@pytest.mark.parametrize("given", [{}, {"path": "/x", "repository": "a/b"}, {"source": "a/b"}])
def test_an_install_names_exactly_one_source(ask: Ask, home: Path, given: dict[str, str]) -> None:
    assert ask("install_plugin", **given).failed


def test_nothing_that_is_not_there_is_switched_or_removed(ask: Ask, home: Path) -> None:
    for tool in ("uninstall_plugin", "open_plugin_tab"):
        assert ask(tool, id="../../etc").failed
    assert ask("set_plugin_enabled", id="nothing", enabled=True).failed
