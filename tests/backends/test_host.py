"""All backends of a home: how many requests, which sandbox, what the rows say, and what one look changes."""

import asyncio
import logging
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from loader.backends.failures import Unavailable
from loader.backends.host import Backends, log_path
from loader.errors import LoaderError
from loader.home import Home
from loader.nouns import Json
from loader.settings import BackendSettings
from tests.backends.conftest import PATIENCE_S, ROUTER, BackendHome, serving, until

pytestmark = [pytest.mark.anyio, pytest.mark.real]

SLOW = ROUTER + "import asyncio\n@router.get('/slow')\nasync def slow(): await asyncio.sleep(600)\n"
ROUTE = ROUTER + "@router.get('/v')\ndef v(): return 1\n"


def no_program(_: str) -> None:
    return None


async def test_more_requests_at_once_than_one_backend_may_have_are_told_to_come_back(at: BackendHome) -> None:
    at.package("board", SLOW)
    at.enable("board")
    async with serving(at.home, connections=1) as served:
        first = asyncio.create_task(served.get("board/slow"))
        async with asyncio.timeout(PATIENCE_S):
            while (worker := await served.backends.reach("board")).open == 0:
                await asyncio.sleep(0.02)
                if worker.open:
                    break
        second = await served.get("board/slow")
        assert (second.status_code, second.headers["retry-after"]) == (503, "1")
        assert second.json()["type"].endswith("backend-busy")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)


async def test_a_sandbox_that_is_demanded_and_not_there_ends_the_service_and_starts_no_backend(at: BackendHome) -> None:
    at.package("board", ROUTE)
    at.enable("board")
    backends = Backends(at.home, BackendSettings(sandbox="bwrap"), which=no_program)
    with pytest.raises(LoaderError, match=r"--backend-sandbox bwrap: bubblewrap \(bwrap\) is not installed"):
        await backends.run()
    with pytest.raises(Unavailable, match="bubblewrap") as refused:
        await backends.reach("board", PATIENCE_S)
    assert refused.value.why == "import-failed"
    await backends.close()


async def test_a_sandbox_that_is_only_wished_for_is_done_without_and_said(
    at: BackendHome, caplog: pytest.LogCaptureFixture
) -> None:
    at.package("board", ROUTE)
    at.enable("board")
    backends = Backends(at.home, BackendSettings(sandbox="auto"), which=no_program)
    worker = await backends.reach("board", PATIENCE_S)
    assert worker.facts is not None
    assert not worker.facts.sandboxed
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        "backends run without a sandbox: bubblewrap (bwrap) is not installed"
    ]
    await backends.close()
    with pytest.raises(Unavailable, match="starting"):
        await backends.restart("board")


async def test_what_a_killed_service_left_of_its_sockets_is_cleared_away() -> None:
    # A short path: a socket's has room for some hundred bytes, and longer ones lie elsewhere.
    root = Path(tempfile.mkdtemp(prefix="hb-"))
    at = BackendHome(root)
    at.package("board", ROUTE)
    at.enable("board")
    left = at.home.state_dir / "backends" / ".run" / "left" / "s"
    left.parent.mkdir(parents=True)
    left.touch()
    backends = Backends(at.home)
    try:
        await backends.reach("board", PATIENCE_S)
        assert not left.exists()
        if sys.platform != "win32":
            assert (left.parent.parent / "c").is_socket()
    finally:
        await backends.close()
        assert not left.parent.parent.exists()
        shutil.rmtree(root)


async def test_a_look_ends_what_was_switched_off_and_tells_of_packages_that_are_gone(at: BackendHome) -> None:
    rows: dict[str, Any] = {}

    def note(folder: str, row: Mapping[str, Json] | None) -> None:
        rows[folder] = row if row is None else row["state"]

    at.package("board", ROUTE)
    at.package("other", ROUTE)
    at.enable("board")
    backends = Backends(at.home, BackendSettings(look_every_s=0.02, at_once=True), note=note)
    running = asyncio.create_task(backends.run())
    try:
        await until(lambda: rows.get("board") == "running")
        assert rows["other"] == "not-enabled"
        worker = await backends.reach("board")
        at.enable()
        shutil.rmtree(at.root / "plugins" / "other")
        await until(lambda: rows == {"board": "not-enabled", "other": None})
        await until(worker.gone.is_set)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_look_that_fails_is_said_once_and_the_next_one_goes_on(
    at: BackendHome, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = 0
    read = Backends._read

    def failing(self: Backends) -> Any:
        nonlocal looks
        looks += 1
        if looks <= 2:
            raise OSError(5, "Input/output error")
        return read(self)

    monkeypatch.setattr(Backends, "_read", failing)
    backends = Backends(at.home, BackendSettings(look_every_s=0.001))
    running = asyncio.create_task(backends.run())
    await until(lambda: looks >= 4)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert [record.message for record in caplog.records] == ["backends could not be looked at"]


async def test_a_restart_that_fails_leaves_the_one_that_runs(at: BackendHome) -> None:
    dashboard = at.package("board", ROUTE)
    at.enable("board")
    backends = Backends(at.home)
    before = await backends.reach("board", PATIENCE_S)
    (dashboard / "plugin_api.py").write_text("raise ValueError('not yet')\n")
    with pytest.raises(Unavailable, match="not yet"):
        await backends.restart("board")
    assert await backends.reach("board") is before
    assert (await backends.row("board"))["state"] == "running"
    await backends.close()


async def test_a_restart_and_a_reload_wait_for_a_start_that_goes_on(at: BackendHome) -> None:
    at.package("board", "import time\ntime.sleep(0.3)\n" + ROUTE)
    at.enable("board")
    backends = Backends(at.home)
    with pytest.raises(Unavailable, match="still starting"):
        await backends.reach("board", 0.0)
    await backends.reload()
    first = await backends.reach("board", 0.0)
    (at.root / "plugins" / "board" / "dashboard" / "plugin_api.py").write_text("import time\ntime.sleep(0.3)\n" + ROUTE)
    assert await backends.reach("board", 0.0) is first  # while a newer one is made
    await backends.restart("board")
    assert await backends.reach("board", 0.0) is not first
    await backends.close()


async def test_who_asks_while_it_is_tried_again_waits_for_the_same_try(
    at: BackendHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.backends.supervisor.RETRY_FAILED_S", 0.0)
    tries = at.root / "tries"
    at.package("board", f"import time\nopen({str(tries)!r}, 'a').write('x')\ntime.sleep(0.3)\nraise ValueError('no')\n")
    at.enable("board")
    backends = Backends(at.home)
    with pytest.raises(Unavailable, match="no"):
        await backends.reach("board", PATIENCE_S)
    asking = [asyncio.create_task(backends.reach("board", PATIENCE_S)) for _ in range(5)]
    told = await asyncio.gather(*asking, return_exceptions=True)
    assert {one.why for one in told if isinstance(one, Unavailable)} == {"import-failed"}
    assert tries.read_text() == "xx"
    await backends.close()


async def test_names_that_are_no_names_of_folders_have_folders_all_the_same(at: BackendHome) -> None:
    place = log_path(at.home, "board").parent.parent
    found = [log_path(at.home, name).parent for name in ("Board", "../../x", "b\u00fcro", "\ud800", "a" * 200, "")]
    assert len(set(found)) == len(found)
    for folder in found:
        assert folder.parent == place
        assert len(folder.name) < 40


async def test_a_manifest_whose_api_is_gone_is_shown_so_in_the_row(at: BackendHome) -> None:
    at.package("board", None)
    at.enable("board")
    row = await Backends(Home(at.root, at.root, None, "the test says so")).row("board")
    assert (row["state"], "does not exist" in str(row["detail"])) == ("no-api", True)
