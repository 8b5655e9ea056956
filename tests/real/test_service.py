"""The whole service, real from disk to socket: watch, sandbox, workers, HTTP and WebSocket."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from loader import client
from tests.requirements import node
from tests.server.served import Served, home_at, save, served

pytestmark = pytest.mark.real

CLOCK = """\
import { host } from '@hermes/plugin-sdk'
import { useState } from "react"
// 😀 import { x } from 'react'
export const label = '😀 copied from "react"', state = useState, shown = host
export default { id: 'clock', name: 'NAME', register(ctx) {} }
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests here, each with plugins of its own: a start costs seconds."""
    root = tmp_path_factory.mktemp("hermes")
    (root / "desktop-plugins").mkdir()
    with served(root, "--real") as found:
        yield found


class Follower:
    """What the service says of one plugin, in order."""

    def __init__(self, service: Served, plugin_id: str) -> None:
        self.client = client.connect(home_at(service.root))
        self.events = self.client.events()
        self.hello = next(self.events)
        self.plugin_id = plugin_id

    def __enter__(self) -> "Follower":
        return self

    def __exit__(self, *_: object) -> None:
        self.events.close()
        self.client.close()

    def next(self, *methods: str) -> tuple[str, Any]:
        """The next event of this plugin that is one of these; others (row updates) are passed over."""
        for method, params in self.events:
            named = params.get("id") or params.get("row", {}).get("id")
            if named == self.plugin_id and method in methods:
                return method, params
        raise AssertionError("the service went away")


LIFE = ("plugin/load", "plugin/unload", "plugin/failed")


def test_saves_good_and_broken_reach_a_client(service: Served) -> None:
    with Follower(service, "clock") as clock:
        save(service.root, "clock", CLOCK.replace("NAME", "one"))
        method, first = clock.next(*LIFE)
        assert (method, first["row"]["name"], first["reason"]) == ("plugin/load", "one", "new")
        assert [found["specifier"] for found in first["imports"]] == ["@hermes/plugin-sdk", "react"]

        save(service.root, "clock", CLOCK.replace("NAME", "two"))
        method, unload = clock.next(*LIFE)
        assert (method, unload["revision"]) == ("plugin/unload", first["row"]["revision"])
        method, second = clock.next(*LIFE)
        assert (method, second["row"]["name"], second["reason"]) == ("plugin/load", "two", "changed")
        assert second["seq"] == unload["seq"] + 1, "nothing may come between the two halves of a swap"

        save(service.root, "clock", CLOCK + "const = 1\n")
        method, failed = clock.next(*LIFE)
        finding = failed["row"]["diagnostics"][0]
        assert method == "plugin/failed" and failed["running_revision"] == second["row"]["revision"]
        assert finding["code"].startswith("HP1") and finding["line"] == 6 and finding["column"] >= 1

        (service.root / "desktop-plugins" / "clock" / "plugin.js").unlink()
        method, gone = clock.next(*LIFE)
        assert (method, gone["revision"], gone["reason"]) == ("plugin/unload", second["row"]["revision"], "removed")


RUN = """
globalThis[Symbol.for('hermes.modules')] = {
  '@hermes/plugin-sdk': { host: 'the host' },
  react: { default: {}, useState: 'the state' },
};
const plugin = await import('./plugin.mjs');
console.log(JSON.stringify([plugin.label, plugin.state, plugin.shown, plugin.default.id]));
"""


def test_a_rewritten_module_runs_with_what_the_shell_put_there(service: Served, tmp_path: Path) -> None:
    with Follower(service, "marked") as marked:
        save(service.root, "marked", "\ufeff" + CLOCK.replace("'clock'", "'marked'"))
        _, load = marked.next("plugin/load")
        url = service.endpoint.url
    raw = httpx.get(url + load["module_url"], trust_env=False)
    assert raw.content == (service.root / "desktop-plugins" / "marked" / "plugin.js").read_bytes()
    rewritten = httpx.get(url + load["module_url"], params={"sdk": "rewrite"}, trust_env=False).text
    capability = load["module_url"].split("/")[2]
    for name in ("plugin-sdk", "react"):
        shim = httpx.get(f"{url}/sdk/{capability}/{name}.js", trust_env=False)
        (tmp_path / f"{name}.mjs").write_text(shim.text, "utf-8")
        # Node imports no http: addresses; the files stand in for them.
        rewritten = rewritten.replace(f'"/sdk/{capability}/{name}.js"', f'"./{name}.mjs"')
    (tmp_path / "plugin.mjs").write_text(rewritten, "utf-8")
    (tmp_path / "run.mjs").write_text(RUN, "utf-8")
    done = subprocess.run([node(), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ['😀 copied from "react"', "the state", "the host", "marked"]


def test_a_package_waits_for_the_users_choice(service: Served) -> None:
    half = service.root / "plugins" / "notes" / "desktop" / "plugin.js"
    half.parent.mkdir(parents=True)
    half.write_text("export default { id: 'notes', name: 'Notes', register(ctx) {} }\n")
    with Follower(service, "notes") as notes:
        rows = client.reload(home_at(service.root), ["notes"])
        assert (rows[0]["state"], rows[0]["choice_from"]) == ("disabled", "door")
        on = notes.client.choose("notes", True)
        assert (on["enabled"], on["choice"]) == (True, True)
        assert notes.next(*LIFE)[0] == "plugin/load"
        notes.client.choose("notes", None)
        method, unload = notes.next(*LIFE)
        assert (method, unload["reason"]) == ("plugin/unload", "disabled")


def test_a_pin_holds_against_other_bytes(service: Served) -> None:
    save(service.root, "pinned")
    first = client.reload(home_at(service.root), ["pinned"])[0]
    with Follower(service, "pinned") as pinned:
        found = pinned.client
        assert found.pin("pinned")["pinned"] is True
        save(service.root, "pinned", "export default { id: 'pinned', name: 'other', register(ctx) {} }\n")
        method, unload = pinned.next(*LIFE)
        assert (method, unload["reason"]) == ("plugin/unload", "failed")
        assert pinned.next(*LIFE)[0] == "plugin/failed"
        row = found.reload(["pinned"])[0]
        assert row["state"] == "failed" and row["diagnostics"][0]["code"] == "HP010"
        assert row["running_revision"] is None, "bytes that a pin refuses take the old ones with them"
        assert found.unpin("pinned")["pinned"] is False
        assert found.reload(["pinned"])[0]["running_revision"] not in (None, first["revision"])


def test_hostile_files_hold_nobody_up(service: Served) -> None:
    for plugin_id, text in {
        "deep": "[" * 200_000,
        "huge": "export default 1; //" + "x" * (17 * 1024 * 1024),
        "loop": "for (;;) { try { for (;;) {} } catch {} }\nexport default { id: 'loop', register() {} }\n",
    }.items():
        save(service.root, plugin_id, text)
    with Follower(service, "fine") as fine:
        save(service.root, "fine")
        assert fine.next(*LIFE)[0] == "plugin/load"
        assert fine.client.health()["status"] == "ok"
        rows = {row["id"]: row for row in fine.client.reload(["deep", "huge"])}
        assert rows["deep"]["state"] == rows["huge"]["state"] == "failed"
        assert [finding["code"] for finding in rows["huge"]["diagnostics"]] == ["HP002"]


@contextmanager
def shell(service: Served) -> Iterator[Callable[..., Any]]:
    """A mounted shell: a function that asks and gives the result."""
    with connect(
        service.endpoint.url.replace("http", "ws") + "/v1/events",
        additional_headers={"Authorization": f"Bearer {service.endpoint.token}"},
        max_size=None,
        proxy=None,
    ) as socket:
        ids = count(1)

        def ask(method: str, **params: Any) -> Any:
            asked = next(ids)
            socket.send(json.dumps({"jsonrpc": "2.0", "id": asked, "method": method, "params": params}))
            while True:
                frame = json.loads(socket.recv(60))
                if frame.get("id") == asked:
                    return frame["result"]

        ask("shell/mount", version="1.0", focused=True)
        yield ask


def test_a_shells_report_shows_in_the_row_and_ends_the_wait(service: Served) -> None:
    save(service.root, "reported")
    home = home_at(service.root)
    row = client.reload(home, ["reported"])[0]
    with shell(service) as ask:
        with pytest.raises(client.ShellsSilent) as silent:
            client.reload(home, ["reported"], wait_s=0.2)
        assert silent.value.exit_code == 5 and silent.value.rows[0]["shells"][0]["state"] == "pending"
        report = {"id": "reported", "revision": row["running_revision"], "phase": "register"}
        ask("plugin/report", **report, outcome="failed", error="no such host")
        said = client.reload(home, ["reported"], wait_s=30)[0]["shells"]
        assert [(each["state"], each["error"]) for each in said] == [("failed", "no such host")]
