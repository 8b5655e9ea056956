"""Installs under a running service: what shells are told."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, RunningService
from tests.packages.conftest import make_plugin, tar_bytes
from tests.packages.test_archives import CASE, case_members

pytestmark = pytest.mark.usefixtures("no_engine")


def until_row(service: RunningService, plugin_id: str, **wanted: object) -> dict[str, Any]:
    deadline = time.monotonic() + 20
    with service.client as client:
        while True:
            rows = {row["id"]: row for row in client.plugins()}
            row = rows.get(plugin_id)
            if row is not None and all(row[key] == value for key, value in wanted.items()):
                return row
            assert time.monotonic() < deadline, (row, wanted)
            time.sleep(0.02)


def test_case_apple_double_sidecars_are_one_plugin_for_shells(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    archive = tmp_path / "notes.tgz"
    archive.write_bytes(tar_bytes(*case_members(CASE["appledouble-sidecars"])))
    assert cli("install", str(archive), "--yes", "--enable").code == 0
    until_row(service, "notes", state="ready", pinned=True)
    with service.client as client:
        assert [row["id"] for row in client.plugins()] == ["notes"]


def test_case_hard_link_leaves_nothing_for_shells(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    archive = tmp_path / "notes.tgz"
    archive.write_bytes(tar_bytes(*case_members(CASE["hardlink-out-then-rewrite"])))
    assert cli("install", str(archive), "--yes").code == 2
    make_plugin(home / "desktop-plugins" / "later", "later")
    until_row(service, "later", state="ready")
    with service.client as client:
        assert [row["id"] for row in client.plugins()] == ["later"]


def test_an_update_is_never_refused_on_its_way(cli: Cli, home: Path, tmp_path: Path, service: RunningService) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    assert cli("install", str(source), "--yes", "--enable").code == 0
    first = until_row(service, "notes", state="ready")["revision"]
    seen: list[str] = []
    done = threading.Event()

    def look() -> None:
        with service.client as client:
            while not done.wait(0.01):
                seen.extend(row["state"] for row in client.plugins() if row["id"] == "notes")

    looking = threading.Thread(target=look)
    looking.start()
    for version in range(2, 6):
        make_plugin(source, "notes", version=version)
        assert cli("update", "notes", "--yes").code == 0
        row = until_row(service, "notes", name=f"v{version}", state="ready")
        assert row["revision"] != first
    done.set()
    looking.join()
    assert set(seen) == {"ready"}
    assert cli("uninstall", "notes", "--yes").code == 0
    deadline = time.monotonic() + 20
    with service.client as client:
        while client.plugins():
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_what_comes_from_elsewhere_is_walled_from_its_first_moment_and_off(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    seen: list[tuple[bool, bool]] = []
    done = threading.Event()

    def look() -> None:
        with service.client as client:
            while not done.wait(0.01):
                seen.extend((row["walled"], row["enabled"]) for row in client.plugins() if row["id"] == "notes")

    looking = threading.Thread(target=look)
    looking.start()
    assert cli("install", str(source), "--yes").code == 0
    until_row(service, "notes", state="disabled", walled=True)
    done.set()
    looking.join()
    assert set(seen) <= {(True, False)}


def test_trust_given_and_taken_back_is_another_load(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    assert cli("install", str(source), "--yes", "--enable").code == 0
    until_row(service, "notes", state="ready", walled=True)
    told: list[tuple[str, bool]] = []
    heard, connected = threading.Event(), threading.Event()

    def listen() -> None:
        with service.client as client:
            for event in client.events():
                connected.set()
                if event.method == "plugin/load":
                    told.append((event.params["reason"], event.params["module_url"] is not None))
                    heard.set()
                    if len(told) == 2:
                        return

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    assert connected.wait(20)
    assert cli("trust", "notes", "--yes").code == 0
    assert heard.wait(20)
    until_row(service, "notes", walled=False)
    assert cli("untrust", "notes").code == 0
    until_row(service, "notes", walled=True)
    listening.join(20)
    assert told == [("changed", True), ("changed", False)]


def test_what_is_uninstalled_is_never_taken_for_the_users_own(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    assert cli("install", str(source), "--yes", "--enable").code == 0
    until_row(service, "notes", state="ready", walled=True)
    told: list[tuple[str, bool]] = []
    connected = threading.Event()

    def listen() -> None:
        with service.client as client:
            for event in client.events():
                connected.set()
                if "row" in event.params:
                    told.append((event.method, event.params["row"]["walled"]))
                    if event.params.get("removed"):
                        return

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    assert connected.wait(20)
    assert cli("uninstall", "notes", "--yes").code == 0
    listening.join(20)
    assert not listening.is_alive()
    assert ("plugin/load", False) not in told
    assert [method for method, _ in told if method == "plugin/load"] == []
    make_plugin(home / "desktop-plugins" / "notes", "notes", version=2)
    until_row(service, "notes", walled=False, origin=None)
