"""Which backend runs when: switches, saves, failures, crashes, and the end."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.backends.conftest import ROUTER, BackendHome, Served, serving, until

pytestmark = [pytest.mark.anyio, pytest.mark.real]

VERSION = ROUTER + "import os\n@router.get('/v')\ndef v(): return [{number}, os.getpid()]\n"


def version(number: int) -> str:
    return VERSION.replace("{number}", str(number))


def kind(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def value(served: Served, path: str = "board/v") -> Any:
    answer = await served.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()[0]


async def test_each_reason_has_its_own_problem(at: BackendHome) -> None:
    at.package("off")
    at.package("denied")
    at.package("noapi", manifest={"name": "noapi"})
    at.package("nofile", None)
    at.package("norouter", "x = 1\n")
    at.package("wrongrouter", "router = 7\n")
    at.package("broken", "def f(:\n")
    at.package("raising", "import os\n\ndef go():\n    raise KeyError('x')\n\ngo()\n")
    at.package("exits", "import sys\nsys.exit(2)\n")
    at.package("dies", "import os\nos._exit(9)\n")
    at.package("signalled", "import os\nos.kill(os.getpid(), 40)\n")
    at.package("elsewhere", "import json\njson.loads('{')\n")
    at.package("unfit", ROUTER + "router.routes = None\n")
    at.package("startup", ROUTER + "@router.on_event('startup')\ndef go(): raise ValueError('no database')\n")
    at.package("folder", manifest={"name": "other", "api": "plugin_api.py"})
    at.enable(
        *("denied", "noapi", "nofile", "norouter", "wrongrouter", "broken", "raising", "exits", "dies", "startup"),
        *("signalled", "elsewhere", "unfit"),
        disabled=("denied",),
    )
    async with serving(at.home, first_pause_s=0.0) as served:
        names: tuple[str, ...] = ("off", "denied", "noapi", "nofile", "nosuch", "folder", "norouter", "wrongrouter")
        names += ("broken", "raising")
        names += ("exits", "dies", "startup", "signalled", "elsewhere", "unfit")
        answers = dict(zip(names, await asyncio.gather(*(served.get(f"{name}/x") for name in names)), strict=True))
        assert {name: kind(answer) for name, answer in answers.items()} == {
            "off": (404, "backend-not-enabled"),
            "denied": (404, "backend-disabled"),
            "noapi": (404, "backend-no-api"),
            "nofile": (404, "backend-no-api"),
            "nosuch": (404, "backend-no-manifest"),
            "folder": (404, "backend-name-mismatch"),
            "norouter": (502, "backend-no-router"),
            "wrongrouter": (502, "backend-no-router"),
            "broken": (502, "backend-import-failed"),
            "raising": (502, "backend-import-failed"),
            "exits": (502, "backend-import-failed"),
            "dies": (502, "backend-crashed"),
            "startup": (502, "backend-import-failed"),
            "signalled": (502, "backend-crashed"),
            "elsewhere": (502, "backend-import-failed"),
            "unfit": (502, "backend-import-failed"),
        }
        raising = answers["raising"].json()
        assert (Path(raising["file"]).name, raising["line"]) == ("plugin_api.py", 4)
        assert "raise KeyError('x')" in raising["trace"] and "worker.py" not in raising["trace"]
        assert answers["broken"].json()["line"] == 1
        startup = answers["startup"].json()
        assert startup["detail"].endswith("its startup failed: ValueError: no database (plugin_api.py:4)"), startup
        assert "go(): raise ValueError" in startup["trace"]
        assert "signal 40" in answers["signalled"].json()["detail"]
        # Raised in the standard library, and caused here.
        assert (Path(answers["elsewhere"].json()["file"]).name, answers["elsewhere"].json()["line"]) == (
            "plugin_api.py",
            2,
        )
        assert [
            said for said in served.errors if said.startswith("Failed to load plugin broken API routes: SyntaxError")
        ]


@pytest.mark.skipif(sys.platform == "win32", reason="scripts stand for interpreters")
async def test_an_interpreter_that_cannot_be_the_one_is_named_with_the_reason(at: BackendHome) -> None:
    """The plugin's own environment, gone, no Python at all, or one without what a router is made of."""
    without = at.root / "without"
    (without / "fastapi").mkdir(parents=True)
    (without / "fastapi" / "__init__.py").write_text("raise ImportError('no FastAPI here')\n")
    scripts = {
        "gone": "#!/nowhere/python3\n",
        "other": "#!/bin/sh\necho 'this is no Python'\nexit 6\n",
        "bare": f"#!/bin/sh\nPYTHONPATH='{without}' exec '{sys.executable}' \"$@\"\n",
    }
    for name, text in scripts.items():
        program = at.package(name) / ".venv" / "bin" / "python3"
        program.parent.mkdir(parents=True)
        program.write_text(text)
        program.chmod(0o755)
    at.enable(*scripts)
    async with serving(at.home) as served:
        details = {}
        for name in scripts:
            answer = await served.get(f"{name}/x")
            details[name] = answer.json()["detail"]
            assert answer.status_code == 502
    assert ".venv/bin/python3 cannot be run" in details["gone"]
    assert "exit code 6" in details["other"]
    assert "FastAPI cannot be imported by" in details["bare"] and "no FastAPI here" in details["bare"]


FORGE = """
import gc, socket, struct, time
def say(kind, payload):
    for each in gc.get_objects():
        if isinstance(each, socket.socket) and each.fileno() >= 0:
            each.sendall(struct.pack(">cI", kind, len(payload)) + payload)
"""


@pytest.mark.parametrize(
    ("kind_said", "payload"),
    [
        ("r", "b'no JSON'"),
        ("r", "b'[1]'"),
        ("r", "b'{}'"),
        ("r", "b'[' * 200_000"),
        ("f", "b'[]'"),
        ("f", "b'no JSON'"),
        ("z", "b''"),
    ],
)
async def test_a_worker_that_says_what_no_worker_says_is_ended_at_once(
    at: BackendHome, kind_said: str, payload: str
) -> None:
    at.package("board", FORGE + f"say(b'{kind_said}', {payload})\ntime.sleep(600)\n")
    at.enable("board")
    async with serving(at.home) as served:
        answer = await served.get("board/v")
        assert kind(answer) == (502, "backend-crashed") and "out of turn" in answer.json()["detail"]
        row = (await served.http.get("/v1/backends")).json()["backends"][0]
        assert row["state"] == "crashed"


async def test_a_worker_cannot_send_the_host_to_another_address(at: BackendHome) -> None:
    asked: list[str] = []
    stranger = await asyncio.start_server(lambda *_: asked.append("was asked"), "127.0.0.1", 0)
    said = {"address": {"port": stranger.sockets[0].getsockname()[1]}, "python": "x", "version": "3"}
    at.package("board", FORGE + f"say(b'r', {json.dumps(said).encode()!r})\ntime.sleep(600)\n")
    at.enable("board")
    async with stranger, serving(at.home) as served:
        assert (await served.get("board/v")).status_code in (502, 503)
        assert asked == []


async def test_a_switch_counts_at_each_request_and_ends_the_process(at: BackendHome) -> None:
    at.package("board", version(1))
    async with serving(at.home) as served:
        assert (await served.get("board/v")).status_code == 404
        at.enable("board")
        pid = (await served.get("board/v")).json()[1]
        at.enable()
        assert (await served.get("board/v")).status_code == 404
        await until(lambda: not psutil.pid_exists(pid))
        at.enable("board")
        assert await value(served) == 1


async def test_a_save_is_switched_to_without_a_request_failing_and_a_broken_one_is_not(at: BackendHome) -> None:
    dashboard = at.package("board", version(1))
    at.enable("board")
    async with serving(at.home, look=True, look_every_s=0.05) as served:
        assert await value(served) == 1
        seen = set()

        async def until_seen(number: int) -> None:
            async with asyncio.timeout(60):
                while (found := await value(served)) != number:
                    seen.add(found)
                    await asyncio.sleep(0.01)

        for number in (2, 3):
            (dashboard / "plugin_api.py").write_text(version(number))
            await until_seen(number)
        assert seen <= {1, 2}

        (dashboard / "plugin_api.py").write_text("import os\ndef (:\n")
        await until(lambda: bool(served.errors), "the bad news")
        assert await value(served) == 3
        row = (await served.http.get("/v1/backends")).json()["backends"][0]
        assert row["state"] == "running" and "keeps answering" in row["detail"]
        assert (row["failure"]["code"], row["failure"]["line"]) == ("import-failed", 2)
        assert len(served.errors) == 1

        (dashboard / "plugin_api.py").write_text(version(4))
        await until_seen(4)


async def test_helpers_are_found_reloaded_and_never_mixed_or_shadowing(at: BackendHome) -> None:
    for name in ("one", "two"):
        dashboard = at.package(
            name,
            ROUTER
            + "import json\nfrom . import BEGUN, helpers\nfrom .deep.inner import DEEP\nfrom ..shared import SHARED\n"
            + "import neighbour\n"
            + "@router.get('/v')\ndef v(): return [helpers.NAME, DEEP, SHARED, neighbour.NAME, BEGUN, json.dumps(1)]\n",
        )
        (dashboard / "helpers.py").write_text(f"NAME = '{name}'\n")
        (dashboard / "neighbour.py").write_text(f"NAME = 'n-{name}'\n")
        (dashboard / "json.py").write_text("raise RuntimeError('shadowed')\n")
        (dashboard / "__init__.py").write_text(f"from .helpers import NAME as BEGUN\nBEGUN = 'b-{name}'\n")
        (dashboard / "deep").mkdir()
        (dashboard / "deep" / "inner.py").write_text("from ..helpers import NAME\nDEEP = NAME.upper()\n")
        (dashboard.parent / "shared.py").write_text(f"SHARED = 's-{name}'\n")
    at.enable("one", "two")
    async with serving(at.home) as served:
        for name in ("one", "two"):
            assert (await served.get(f"{name}/v")).json() == [
                name,
                name.upper(),
                f"s-{name}",
                f"n-{name}",
                f"b-{name}",
                "1",
            ]
        (at.root / "plugins" / "one" / "dashboard" / "helpers.py").write_text("NAME = 'uno'\n")
        await served.http.post("/v1/reload", json={})
        assert (await served.get("one/v")).json()[:2] == ["uno", "UNO"]
        assert (await served.get("two/v")).json()[0] == "two"
        assert not list(at.root.rglob("__pycache__"))


async def test_a_crash_loop_rests_until_the_code_is_saved_or_somebody_restarts_it(at: BackendHome) -> None:
    dashboard = at.package("board", ROUTER + "import os\n@router.get('/v')\ndef v(): os._exit(3)\n")
    at.enable("board")
    async with serving(at.home, crashes=3) as served:
        for _ in range(3):
            assert kind(await served.get("board/v")) == (502, "backend-crashed")
        rests = await served.get("board/v")
        assert kind(rests) == (502, "backend-crashed") and "rests until" in rests.json()["detail"]
        assert (await served.http.get("/v1/backends")).json()["backends"][0]["state"] == "stopped"
        assert (await served.http.post("/v1/backends/board/restart")).json()["state"] == "running"
        assert kind(await served.get("board/v")) == (502, "backend-crashed")
        (dashboard / "plugin_api.py").write_text(version(1))
        assert await value(served) == 1


async def test_a_slow_import_is_said_with_a_time_to_come_back(at: BackendHome) -> None:
    at.package("board", "import time\ntime.sleep(1.5)\n" + version(1))
    at.enable("board")
    async with serving(at.home, starting_wait_s=0.2) as served:
        answer = await served.get("board/v")
        assert kind(answer) == (503, "backend-starting") and int(answer.headers["retry-after"]) > 0
        async with asyncio.timeout(60):
            while (await served.get("board/v")).status_code != 200:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)


async def test_an_import_without_end_is_ended(at: BackendHome) -> None:
    at.package("endless", "while True: pass\n")
    at.enable("endless")
    async with serving(at.home, start_limit_s=0.5) as served:
        endless = await served.get("endless/v")
        assert kind(endless) == (502, "backend-import-failed") and "did not end within" in endless.json()["detail"]


async def test_a_loop_that_hangs_is_ended(at: BackendHome) -> None:
    at.package("hangs", ROUTER + "import time\n@router.get('/v')\nasync def v(): time.sleep(600)\n")
    at.enable("hangs")
    async with serving(at.home, ping_every_s=0.1, hung_after_s=0.5) as served:
        assert kind(await served.get("hangs/v")) == (502, "backend-crashed")
        assert any("did not answer" in said for said in served.errors)


async def test_only_wanted_variables_reach_it_also_from_the_homes_env_file(
    at: BackendHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.package("board", ROUTER + "import os\n@router.get('/v')\ndef v(): return [dict(os.environ)]\n")
    (at.root / "plugins" / "board" / "plugin.yaml").write_text(
        "name: board\nrequires_env: [MY_KEY, FILE_KEY, LD_PRELOAD, HERMES_DASHBOARD_SESSION_TOKEN]\n"
    )
    (at.root / ".env").write_text("export FILE_KEY='from file'\nOTHER=no\n")
    for name in ("MY_KEY", "SECRET", "LD_PRELOAD", "HERMES_DASHBOARD_SESSION_TOKEN"):
        monkeypatch.setenv(name, "" if name == "LD_PRELOAD" else f"value of {name}")
    at.enable("board")
    async with serving(at.home) as served:
        found = await value(served)
    assert (found["MY_KEY"], found["FILE_KEY"]) == ("value of MY_KEY", "from file")
    assert not {"SECRET", "OTHER", "LD_PRELOAD", "HERMES_DASHBOARD_SESSION_TOKEN"} & set(found)


@pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")
def test_no_worker_outlives_a_killed_service(at: BackendHome) -> None:
    import httpx

    from tests.server.served import served

    sleeps = "[sys.executable, '-c', 'import time; time.sleep(600)']"
    child = f"import os, subprocess, sys\nchild = subprocess.Popen({sleeps})\n"
    at.package("board", child + ROUTER + "@router.get('/v')\ndef v(): return [os.getpid(), child.pid]\n")
    # Soon stuck in native code that holds the interpreter: only the kernel and the guard reach it then.
    stuck = "import re, os, threading\ndef stick(): re.match('(a+)+$', 'a' * 60 + 'b')\n"
    stuck += "threading.Timer(1.5, stick).start()\n"
    at.package("stuck", stuck + ROUTER + "@router.get('/v')\ndef v(): return [os.getpid()]\n")
    at.enable("board", "stuck")
    for number in (signal.SIGKILL, signal.SIGTERM):
        with served(at.root) as service:
            headers = {"Authorization": f"Bearer {service.endpoint.token}"}
            pids = []
            for name in ("board", "stuck"):
                url = f"{service.endpoint.url}/api/plugins/{name}/v"
                pids += httpx.get(url, headers=headers, timeout=60, trust_env=False).json()
            code, _ = service.end(number)
            if number == signal.SIGTERM:
                # It waited for no worker: the stuck one would never leave.
                assert code == 0, service.log

        async def all_gone(found: list[int] = pids) -> None:
            await until(lambda: not any(_lives(pid) for pid in found), "their end")

        asyncio.run(all_gone())
        assert "Traceback" not in service.log


def _lives(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
