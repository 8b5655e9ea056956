"""The whole service as a process: how it starts, who finds it, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from loader import client
from loader.server.endpoint import ENDPOINT_FILE, bind, find_endpoint
from tests.server.running import stalled_socket
from tests.server.served import Served, home_at, save, served

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals"),
]
ENDS_WITHIN_S = 2.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "hermes"
    folder.mkdir()
    save(folder, "clock")
    return folder


@pytest.fixture
def service(root: Path) -> Iterator[Served]:
    with served(root) as found:
        yield found


@pytest.mark.parametrize("presses", [1, 5])
def test_ctrl_c_ends_it_in_good_order_however_often(service: Served, presses: int) -> None:
    with connect(
        f"ws://127.0.0.1:{service.port}/v1/events",
        additional_headers={"Authorization": f"Bearer {service.endpoint.token}"},
        proxy=None,
    ) as socket:
        socket.recv()
        for _ in range(presses - 1):
            service.process.send_signal(signal.SIGINT)
        code, took_s = service.end(signal.SIGINT)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1001
    assert code == 0
    assert took_s < ENDS_WITHIN_S
    assert "Traceback" not in service.log
    assert not (service.root / "desktop-loader" / ENDPOINT_FILE).exists()


def test_clients_that_do_not_read_do_not_hold_up_the_end(service: Served) -> None:
    endpoint = service.endpoint
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    # A page of rows that no socket buffer swallows.
    for number in range(40):
        save(service.root, f"p{number}", f"// {'x' * 10_000}\nexport default {{ id: 'p{number}', register() {{}} }}\n")
    httpx.post(f"{endpoint.url}/v1/reload", headers=headers, json={}, trust_env=False)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(stalled_socket(service.port, token=endpoint.token))
        half_request = stack.enter_context(stalled_socket(service.port, token=endpoint.token))
        half_request.sendall(b"\x81")
        for _ in range(20):
            save(
                service.root, "clock", f"// {os.urandom(8).hex()}\nexport default {{ id: 'clock', register() {{}} }}\n"
            )
            httpx.post(f"{endpoint.url}/v1/reload", headers=headers, json={"ids": ["clock"]}, trust_env=False)
        code, took_s = service.end(signal.SIGTERM)
    assert code == 0
    assert took_s < ENDS_WITHIN_S
    assert "Traceback" not in service.log


def run_another(root: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    script = Path(__file__).with_name("served.py")
    return subprocess.run(
        [sys.executable, str(script), str(root), *flags],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_second_one_names_the_first_and_gives_way(service: Served) -> None:
    second = run_another(service.root)
    assert second.returncode == 3
    assert "AlreadyRunning" in second.stdout and service.endpoint.url in second.stdout
    assert service.endpoint.token not in second.stdout + second.stderr
    with client.connect(home_at(service.root)) as first:
        assert first.health()["instance"] == service.endpoint.instance


def test_a_busy_port_that_was_asked_for_is_an_error(root: Path) -> None:
    with bind(0) as taken:
        port = taken.getsockname()[1]
        failed = run_another(root, f"--port={port}")
    assert failed.returncode == 3 and f"port {port}" in failed.stdout
    assert find_endpoint(home_at(root).state_dir) is None


def test_after_a_kill_the_next_one_starts(root: Path) -> None:
    with served(root) as first:
        first.end(signal.SIGKILL)
    assert (root / "desktop-loader" / ENDPOINT_FILE).exists()
    with pytest.raises(client.NoService):
        client.connect(home_at(root))
    with served(root) as second, client.connect(home_at(root)) as found:
        assert found.health()["instance"] == second.endpoint.instance


def test_programs_reload_and_follow_what_happens(service: Served) -> None:
    home = home_at(service.root)
    with client.connect(home) as found, closing(found.events()) as events:
        hello = next(events)
        assert hello.method == "hello" and hello.params["instance"] == service.endpoint.instance
        old = found.plugin("clock")
        save(service.root, "clock", "export default { id: 'clock', name: 'two', register() {} }\n")
        rows = client.reload(home, ["clock"])
        assert rows[0]["revision"] != old["revision"]
        unload, load = next(events), next(events)
        assert (unload.method, load.method) == ("plugin/unload", "plugin/load")
        assert load.params["row"]["revision"] == rows[0]["revision"]
        module = httpx.get(found.endpoint.url + load.params["module_url"], trust_env=False)
        assert module.content == (service.root / "desktop-plugins" / "clock" / "plugin.js").read_bytes()
        seq = load.params["seq"]
        found.choose("clock", False)
        with closing(found.events(since=f"{service.endpoint.instance}:{seq}")) as resumed:
            assert next(resumed).params["resumed"] is True
            assert next(resumed).method == "plugin/unload"


def test_no_secret_ever_stands_in_the_log(service: Served) -> None:
    """At the most talkative level, through every way in."""
    endpoint = service.endpoint
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    with httpx.Client(base_url=endpoint.url, headers=headers, trust_env=False) as http:
        code = http.post("/v1/session/code").json()["code"]
        session = http.post("/v1/session", json={"code": code}).json()["token"]
        http.post("/v1/session", json={"code": code * 10})
        with connect(
            f"{endpoint.url.replace('http', 'ws')}/v1/events?since=x",
            subprotocols=["hermes-plugins.v1", f"bearer.{session}"],  # type: ignore[list-item]
            proxy=None,
        ) as socket:
            entry = json.loads(socket.recv())["params"]["plugins"][0]
            plugin_token, module_url = entry["plugin_token"], entry["module_url"]
            frame = {"jsonrpc": "2.0", "id": 1, "method": "runAction", "params": {"plugin_token": plugin_token}}
            socket.send(json.dumps(frame))
            socket.recv()
            socket.send(json.dumps({**frame, "method": "pet.say"}))
            socket.send("{" + plugin_token)
        http.get(module_url)
        http.get(module_url + "/nowhere")
        http.get(module_url, headers={"Host": "evil.example"})
        http.get("/v1/plugins", headers={"Authorization": f"Bearer {plugin_token}"})
    code_of_exit, _ = service.end(signal.SIGTERM)
    assert code_of_exit == 0
    for secret in (endpoint.token, code, session, plugin_token, module_url.split("/")[2]):
        assert len(secret) > 30 and secret not in service.log
