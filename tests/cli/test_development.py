"""A web app under development on the command line: what is asked, said, recorded, updated, verified and removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loader.home import Home
from loader.packages.grants import Grants
from loader.packages.install import Packages
from loader.packages.record import Consent
from loader.packages.walled import host_of
from tests.cli.conftest import Cli, RunningService
from tests.packages.dev_server import DevServer, dev_server

pytestmark = pytest.mark.usefixtures("no_engine")

APP = "com.example.board"


def manifest(*apis: str, version: str = "1.0.0") -> str:
    return json.dumps({"kind": "web-app", "id": APP, "name": "Board", "version": version, "requestedApis": [*apis]})


@pytest.fixture
def server() -> Iterator[DevServer]:
    with dev_server({"plugin.json": manifest("tools")}) as server:
        yield server


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def answers(text: str) -> None:
        import io

        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        monkeypatch.setattr("loader.cli.consent.has_terminal", lambda: True)
        monkeypatch.setattr("loader.cli.installing.has_terminal", lambda: True)

    return answers


def plain(text: str) -> str:
    return " ".join(text.split())


def test_a_look_says_plainly_what_yes_would_mean(cli: Cli, home: Path, server: DevServer) -> None:
    outcome = cli("install", server.url, "--probe")
    said = plain(outcome.out)
    assert outcome.code == 0
    assert f"from {server.url}" in said
    assert f"whatever {server.url} sends at any time runs, unseen by any check" in said
    assert "the sandbox and no more than you approve, but no network wall" in said
    assert "behind the wall" not in said
    assert "its manifest" in said
    told = cli("install", server.url, "--probe", "--json").json
    assert "no network wall" in told["warning"]
    assert (told["id"], told["kind"], told["installable"], told["installed"]) == (APP, "web-app", True, False)
    assert list(home.iterdir()) == [home / "desktop-plugins"]


def test_it_needs_a_persons_word_and_comes_off(
    cli: Cli, home: Path, server: DevServer, person: Callable[[str], None]
) -> None:
    assert cli("install", server.url).code == 4
    person("n\n")
    assert cli("install", server.url).code == 4
    packages = Packages(Home(home, home, None, "a test"))
    assert packages.installed() == ()
    person("y\n")
    outcome = cli("install", server.url)
    assert outcome.code == 0
    assert f'<script src="http://{host_of(APP)}:8787/.hermes/bridge.js"></script>' in outcome.err
    assert packages.entry(APP).consent == Consent()
    assert cli("enable", APP).code == 2
    assert cli("approve", APP, "--all", "--yes").code == 0
    assert cli("enable", APP).code == 0
    assert packages.entry(APP).consent == Consent(Grants(frozenset({"tools"})), on=True)


def test_the_bridges_tag_has_the_port_of_the_service(
    cli: Cli, home: Path, server: DevServer, service: RunningService
) -> None:
    outcome = cli("install", server.url, "--yes")
    port = service.endpoint.url.rpartition(":")[2]
    assert f"http://{host_of(APP)}:{port}/.hermes/bridge.js" in outcome.err


def test_an_update_reads_the_manifest_again_and_asks_where_it_grew(
    cli: Cli, home: Path, server: DevServer, person: Callable[[str], None]
) -> None:
    cli("install", server.url, "--yes", "--approve", "--enable")
    assert "is up to date" in cli("update", APP).out
    server.files["plugin.json"] = manifest("tools", "ai", version="2.0.0")
    person("y\nn\n")
    outcome = cli("update", APP)
    assert outcome.code == 0
    assert "asks for more: the namespaces ai" in outcome.out
    packages = Packages(Home(home, home, None, "a test"))
    assert packages.get(APP).version == "2.0.0"
    assert packages.entry(APP).consent == Consent(Grants(frozenset({"tools"})), on=False)
    assert cli("update", APP, "--ref", "0" * 40).code == 2


def test_verify_says_what_can_and_what_cannot_be_verified(cli: Cli, home: Path, server: DevServer) -> None:
    cli("install", server.url, "--yes")
    outcome = cli("verify", APP)
    assert outcome.code == 0
    assert plain(outcome.out) == (
        f"{APP}: its manifest is as you said yes to it; what {server.url} serves can be verified by nobody"
    )
    assert cli("verify", "--json").json["packages"][0]["served_from"] == server.url
    stored = home / "desktop-loader" / "apps" / APP / "plugin.json"
    stored.write_text(manifest("tools", "cdp"))
    outcome = cli("verify", APP)
    assert (outcome.code, "changed  plugin.json" in outcome.out) == (1, True)


def test_a_server_that_is_away_changes_nothing(cli: Cli, home: Path) -> None:
    with dev_server({"plugin.json": manifest("tools")}) as server:
        cli("install", server.url, "--yes")
        url = server.url
    packages = Packages(Home(home, home, None, "a test"))
    before = packages.get(APP)
    outcome = cli("update", APP, "--yes")
    assert outcome.code == 2
    assert outcome.err == (f"hermes-desktop: nothing answers at {url}plugin.json. Is the development server running?\n")
    assert packages.get(APP) == before


def test_from_an_address_to_a_folder_is_a_replacement_that_keeps_approvals(
    cli: Cli, home: Path, server: DevServer, tmp_path: Path
) -> None:
    cli("install", server.url, "--yes", "--approve", "--enable")
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "plugin.json").write_text(manifest("tools"))
    (folder / "index.html").write_text("<!doctype html><title>Board</title>")
    assert cli("install", str(folder), "--yes").code == 2
    assert cli("install", str(folder), "--yes", "--force").code == 0
    packages = Packages(Home(home, home, None, "a test"))
    assert (packages.get(APP).source_kind, packages.get(APP).url) == ("folder", None)
    assert packages.entry(APP).consent == Consent(Grants(frozenset({"tools"})), on=True)


def test_uninstall_leaves_nothing(cli: Cli, home: Path, server: DevServer) -> None:
    cli("install", server.url, "--yes")
    assert [(app["id"], app["origin"]["source"]) for app in cli("list", "--json").json["apps"]] == [(APP, server.url)]
    assert cli("uninstall", APP, "--yes").code == 0
    assert not (home / "desktop-loader" / "apps" / APP).exists()
    assert not (home / "desktop-loader" / "packages" / f"{APP}.json").exists()
    assert cli("verify").out == ""


def test_two_apps_never_come_from_one_server(cli: Cli, home: Path, server: DevServer) -> None:
    assert cli("install", server.url, "--yes").code == 0
    server.files["other/plugin.json"] = manifest("tools").replace(APP, "com.example.other")
    outcome = cli("install", f"{server.url}other/", "--yes")
    assert (outcome.code, f"{APP} is served from {server.url} already" in outcome.err) == (2, True)
    assert cli("install", server.url, "--yes", "--force").code == 0, "the same one again"
    elsewhere = server.url.replace("localhost", "127.0.0.1")
    assert cli("install", f"{elsewhere}other/", "--yes").code == 0, "another name is another origin"
