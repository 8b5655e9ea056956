"""Each case of tests/cases that is about security, WebSockets, archives or identity, tried on the running service.

The inputs are the case's own (files, handshakes, requests, members); what must come of it is what the case says.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import io
import json
import shutil
import tarfile
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bench.attacking.attempt import Attempt, Field, Through
from bench.attacking.files import door, rows
from bench.measuring import ROOT, environ, loader
from bench.service import Running, received, stalled_client

KINDS = ("security", "websocket", "archive", "identity")
# Loops end by the time of the processor that they used: on a busy machine that is many minutes.
PATIENCE_S = 900.0
_BOMB_BYTES = 256 * 1024 * 1024
_MEMBERS = 200_000


def cases() -> dict[str, dict[str, Any]]:
    lines = (ROOT / "tests" / "cases" / "cases.jsonl").read_text("utf-8").split("\n")
    found = [json.loads(line) for line in lines if line]
    return {case["id"]: case for case in found if case["kind"] in KINDS}


def need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Through(otherwise)


# ---------------------------------------------------------------- what several need


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@contextlib.contextmanager
def placed(field: Field, case: dict[str, Any]) -> Iterator[None]:
    """The case's files, and nothing of them afterwards."""
    root = field.service.root
    put(root, case["input"]["files"])
    try:
        yield
    finally:
        for name in case["input"]["files"]:
            shutil.rmtree(root.joinpath(*Path(name).parts[:2]), ignore_errors=True)


async def until(field: Field, holds: Callable[[dict[str, dict[str, Any]]], bool], what: str) -> None:
    """Rows by key, as soon as they are so."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        found = {row["key"]: row for row in (await field.http.get("/v1/plugins")).json()["plugins"]}
        if holds(found):
            return
        need(time.monotonic() < ends, f"{what} never came to be")
        await asyncio.sleep(0.1)


async def choose(field: Field, name: str, enabled: bool) -> int:
    answer = await field.http.put(f"/v1/plugins/{name}/enabled", json={"enabled": enabled})
    return answer.status_code


# ---------------------------------------------------------------- security


async def cross_site_websocket(field: Field, case: dict[str, Any]) -> str:
    own = field.service.endpoint.url
    for shake, wanted in zip(case["input"]["handshakes"], case["expected"]["results"], strict=True):
        origin = own if shake["Origin"] == "<own origin>" else shake["Origin"]
        host = shake.get("Host", "<own host>")
        bearer = [f"bearer.{field.token}"] if shake["token"] else []
        try:
            async with connect(
                field.service.events_url,
                origin=origin,  # type: ignore[arg-type]
                subprotocols=["hermes-plugins.v1", *bearer],  # type: ignore[list-item]
                additional_headers={} if host == "<own host>" else {"Host": host},
                proxy=None,
            ):
                found = "accept"
        except InvalidStatus as refused:
            found = "refuse" if 400 <= refused.response.status_code < 500 else str(refused.response.status_code)
        need(found == wanted, f"{shake}: {found}")
    return "origins and hosts are compared whole, before the socket is accepted"


async def plugin_routes(field: Field, case: dict[str, Any]) -> str:
    root = field.service.root
    with placed(field, case):
        (root / "config.yaml").write_text("plugins:\n  enabled: [board]\n", "utf-8")
        try:
            for (method, path, token), wanted in zip(
                case["input"]["requests"], case["expected"]["status"], strict=True
            ):
                bearer = {"right": f"Bearer {field.token}", "wrong": "Bearer wrong", None: ""}[token]
                answer = await field.http.request(method, path, headers={"Authorization": bearer})
                need(answer.status_code == wanted, f"{method} {path} ({token}): {answer.status_code}")
        finally:
            (root / "config.yaml").unlink()
    return "the token is asked for before any route is looked up (401)"


async def endless_loop(field: Field, case: dict[str, Any]) -> str:
    slowest_s = 0.0
    with placed(field, case):
        names = [f"standalone:{Path(name).parts[1]}" for name in case["input"]["files"]]
        ends = time.monotonic() + PATIENCE_S
        found: dict[str, Any] = {}
        while not all(found.get(name, {}).get("state") in ("failed", "ready") for name in names):
            need(time.monotonic() < ends, f"no verdict: { {name: found.get(name, {}).get('state') for name in names} }")
            began = time.monotonic()
            found = {row["key"]: row for row in (await field.http.get("/v1/plugins")).json()["plugins"]}
            slowest_s = max(slowest_s, time.monotonic() - began)
            await asyncio.sleep(0.1)
        fails = {name: found[name]["state"] for name in names}
        codes = {one["code"] for name in names for one in found[name]["diagnostics"]}
        need(fails.pop("standalone:zfine") == "ready", "the harmless one does not run")
        need(bool(codes & {"HP404", "HP405", "HP106"}), f"nobody was told that it took too long: {sorted(codes)}")
        need("HP404" in codes or set(fails.values()) == {"failed"}, f"they run: {fails}")
    return f"deadlines in killable workers ({', '.join(sorted(codes))}); everybody else was answered meanwhile"


# ---------------------------------------------------------------- archives


async def install(field: Field, archive: Path, *flags: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *loader("install", str(archive), "--yes", *flags, "--hermes-home", str(field.service.root)),
        env=environ(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(PATIENCE_S):
        out, _ = await process.communicate()
    return process.returncode or 0, out.decode("utf-8", "replace")


def packed(members: list[dict[str, str]]) -> bytes:
    types = {"dir": tarfile.DIRTYPE, "hardlink": tarfile.LNKTYPE, "symlink": tarfile.SYMTYPE, "file": tarfile.REGTYPE}
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for member in members:
            info = tarfile.TarInfo(member["name"])
            info.type, info.linkname = types[member["type"]], member.get("linkname", "")
            data = base64.b64decode(member["base64"]) if "base64" in member else member.get("text", "").encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return made.getvalue()


async def refused_archive(field: Field, name: str, data: bytes) -> str:
    """Refused as a whole: the last line of what was said."""
    before = sorted(path.name for path in door(field).iterdir())
    with tempfile.TemporaryDirectory(prefix="attack-archive-") as folder:
        outside = Path(folder) / "outside.txt"
        outside.write_text("ORIGINAL")
        path = Path(folder) / name
        path.write_bytes(data)
        code, said = await install(field, path)
        need(code == 2, f"the command ended with {code}: {said[-300:]}")
        need("Traceback" not in said, f"an unhandled error: {said[-300:]}")
        need(outside.read_text() == "ORIGINAL" and outside.stat().st_nlink == 1, "a file outside was touched")
    after = sorted(path.name for path in door(field).iterdir())
    need(before == after, f"something lies in the door: {sorted({*after} - {*before})}")
    return said.strip().splitlines()[-1][:120]


async def hardlink_out(field: Field, case: dict[str, Any]) -> str:
    return f"refused as a whole: {await refused_archive(field, 'notes.tgz', packed(case['input']['members']))}"


def bombs() -> dict[str, bytes]:
    """As the case's recipe says: a long name of 256 MiB, 512 MiB of zeros, 200,000 empty members."""
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, _BOMB_BYTES
    member = tarfile.TarInfo("plugin.js")
    member.size = 20
    zeros = tarfile.TarInfo("plugin.js")
    zeros.size = 2 * _BOMB_BYTES
    piece = b"a" * (1024 * 1024)
    tail = member.tobuf() + b"x" * 20 + bytes(492) + bytes(1024)
    return {
        "name.tgz": _gzipped(name.tobuf(), *[piece] * 256, tail),
        "zeros.tgz": _gzipped(zeros.tobuf(), *[bytes(len(piece))] * 512, bytes(1024)),
        "many.tgz": _gzipped(*(tarfile.TarInfo(f"m{number}").tobuf() for number in range(_MEMBERS)), bytes(1024)),
    }


def _gzipped(*pieces: bytes) -> bytes:
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="wb", compresslevel=1) as file:
        for piece in pieces:
            file.write(piece)
    return made.getvalue()


async def long_name_bomb(field: Field, case: dict[str, Any]) -> str:
    for name, data in (await asyncio.to_thread(bombs)).items():
        await refused_archive(field, name, data)
    return "limits on bytes and members, held while reading, before a byte is written"


async def apple_sidecars(field: Field, case: dict[str, Any]) -> str:
    """This one must be let in, and only what belongs to the plugin."""
    with tempfile.TemporaryDirectory(prefix="attack-archive-") as folder:
        path = Path(folder) / "notes.tgz"
        path.write_bytes(packed(case["input"]["members"]))
        code, said = await install(field, path, "--enable")
        need(code == 0, f"a good archive is refused: {said[-300:]}")
    try:
        names = sorted(path.name for path in (door(field) / "notes").iterdir())
        need(not any(name.startswith("._") for name in names), f"side files were unpacked: {names}")
        await until(field, lambda found: found.get("standalone:notes", {}).get("state") == "ready", "the plugin")
        need(not (door(field) / "__MACOSX").exists(), "__MACOSX became a folder of the door")
    finally:
        await _removed(field, "notes")
    return "installed without the side files; one plugin runs"


async def _removed(field: Field, name: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *loader("uninstall", name, "--yes", "--hermes-home", str(field.service.root)),
        env=environ(),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    await process.wait()


# ---------------------------------------------------------------- websockets


async def slow_client(field: Field, case: dict[str, Any]) -> str:
    """A stops reading for ever; B gets all, in order. (Bytes that are held for A: tests/server/test_events.py.)"""
    place = door(field) / "noisy" / "plugin.js"
    place.parent.mkdir()
    process, _ = field.service.processes()
    before = process.memory_info().rss
    with stalled_client(field.service):
        async with field.service.client() as reader:
            seq = (await received(reader))["params"]["seq"]
            saves = 40
            for number in range(saves):
                name = f"{number} " + "x" * 20_000
                place.write_text(f"export default {{ id: 'noisy', name: '{name}', register() {{}} }}\n")
                wanted = f"{number} x"
                while True:
                    params = (await received(reader))["params"]
                    if "seq" not in params:
                        continue
                    need(params["seq"] == seq + 1, f"event {params['seq']} after {seq}")
                    seq = params["seq"]
                    if params.get("row", {}).get("name", "").startswith(wanted) and "module_url" in params:
                        break
    grown_mb = (process.memory_info().rss - before) / 1e6
    shutil.rmtree(place.parent)
    return f"a queue with a bound for each client; {saves} large saves reached the other in order ({grown_mb:+.0f} MB)"


async def missed_events(field: Field, case: dict[str, Any]) -> str:
    """What a client was told by the end of it is what runs; nothing twice."""
    root = field.service.root
    with placed(field, case):
        await until(field, lambda found: {"standalone:a", "standalone:b"} <= _ready(found), "a and b")
        async with field.service.client() as client:
            hello = (await received(client))["params"]
            client.transport.abort()
        shutil.rmtree(door(field) / "a")
        text = case["input"]["files"]["desktop-plugins/b/plugin.js"]
        put(root, {"desktop-plugins/b/plugin.js": text.replace("v1", "v2")})
        put(root, {"desktop-plugins/c/plugin.js": text.replace("id: 'b'", "id: 'c'")})
        try:
            await until(
                field,
                lambda found: (
                    "standalone:a" not in found
                    and found["standalone:b"]["name"] == "v2"
                    and "standalone:c" in _ready(found)
                ),
                "the changes",
            )
            since = f"?since={hello['instance']}:{hello['seq']}"
            async with _client(field.service, since) as again:
                first = (await received(again))["params"]
                running = _replayed(hello, first)
                seen = [first["seq"]]
                put(root, {"desktop-plugins/c/plugin.js": text.replace("id: 'b'", "id: 'c'").replace("v1", "v2")})
                while running.get("c") != "v2":
                    frame = await received(again)
                    if "seq" not in frame["params"]:
                        continue
                    seen.append(frame["params"]["seq"])
                    _take(running, frame)
            need(seen == list(range(seen[0], seen[0] + len(seen))), f"numbers: {seen}")
            need("a" not in running and running.get("b") == "v2", f"it believes {running}")
        finally:
            shutil.rmtree(door(field) / "c")
    return "every missed event once, by its number" if first["resumed"] else "a snapshot of what is now"


def _client(service: Running, query: str) -> Any:
    return connect(
        service.events_url + query,
        subprotocols=["hermes-plugins.v1", f"bearer.{service.endpoint.token}"],  # type: ignore[list-item]
        max_size=None,
        proxy=None,
    )


def _ready(found: dict[str, dict[str, Any]]) -> set[str]:
    return {key for key, row in found.items() if row["running_revision"]}


def _replayed(old: dict[str, Any], hello: dict[str, Any]) -> dict[str, str]:
    told = old if hello["resumed"] else hello
    return {each["row"]["id"]: each["row"]["name"] for each in told["plugins"] if each["row"]["running_revision"]}


def _take(running: dict[str, str], frame: dict[str, Any]) -> None:
    params = frame["params"]
    if frame["method"] == "plugin/load":
        running[params["row"]["id"]] = params["row"]["name"]
    elif frame["method"] == "plugin/unload":
        need(running.pop(params["id"], None) is not None, f"{params['id']} is unloaded a second time")


# ---------------------------------------------------------------- identity


async def both_doors(field: Field, case: dict[str, Any]) -> str:
    root = field.service.root
    mine, other = "standalone:word-count", "unified:word-count"
    with placed(field, case):
        await rows(field)
        await choose(field, other.replace(":", "%3A"), True)
        await until(field, lambda found: mine in _ready(found), "the standalone copy")
        package = root / "plugins" / "word-count" / "desktop" / "plugin.js"
        package.write_text(package.read_text("utf-8").replace("v2", "v3"), "utf-8")
        found = {row["key"]: row for row in (await field.http.post("/v1/reload", json={})).json()["plugins"]}
        need(_ready(found) & {mine, other} == {mine}, f"running: {sorted(_ready(found))}")
        need(found[other]["state"] == "shadowed", f"the other is {found[other]['state']}")
        shutil.rmtree(door(field) / "word-count")
        await until(field, lambda found: other in _ready(found), "the copy in the package")
    return "the standalone copy owns the id, the other is shadowed until it goes"


async def dots_as_id(field: Field, case: dict[str, Any]) -> str:
    root = field.service.root
    outside = root.parent / "outside"
    outside.mkdir()
    with placed(field, case):
        found = await rows(field)
        folders = case["expected"]["errors"]
        need({found[folder]["state"] for folder in folders} == {"failed"}, "one of them runs")
        codes = {
            one["code"] for folder in folders for one in found[folder]["diagnostics"] if one["severity"] == "error"
        }
        before = sorted(path.name for path in root.iterdir())
        for name in ("..%2F..%2Foutside", "..", "7", "a%2Fb"):
            for enabled in (False, True):
                need(await choose(field, name, enabled) in (400, 401, 404, 405, 409, 422), f"{name} is chosen")
        need(outside.is_dir() and before == sorted(path.name for path in root.iterdir()), "something outside changed")
        kept = (root / "desktop-loader" / "choices.json").read_text("utf-8")
        need(not any(name in kept for name in ('"../../outside"', '".."', '"a/b"')), "a path is kept as an id")
    outside.rmdir()
    return f"no such id is one ({', '.join(sorted(codes))}); none is stored or routed"


async def folder_differs(field: Field, case: dict[str, Any]) -> str:
    root = field.service.root
    with placed(field, case):
        (root / "config.yaml").write_text("plugins:\n  enabled: [stewardship]\n", "utf-8")
        try:
            found = await rows(field)
            need("stewardship" in found, "it has no row")
            row = found["stewardship"]
            await choose(field, row["key"].replace(":", "%3A"), True)
            row = (await rows(field))["stewardship"]
            told = " ".join(one["message"] for one in row["diagnostics"])
            need(not row["running_revision"], "its page runs under a name that its backend does not have")
            need("stewardship" in told and "dockyard" in told, f"both names are not said: {told}")
        finally:
            (root / "config.yaml").unlink()
    return f"one error names both: {', '.join(sorted({one['code'] for one in row['diagnostics']}))}"


TRIED: dict[str, Callable[[Field, dict[str, Any]], Awaitable[str]]] = {
    "cross-site-websocket": cross_site_websocket,
    "plugin-routes-need-the-token": plugin_routes,
    "endless-loop-that-catches": endless_loop,
    "hardlink-out-then-rewrite": hardlink_out,
    "bomb-in-long-name-record": long_name_bomb,
    "appledouble-sidecars": apple_sidecars,
    "slow-client-blocks-others": slow_client,
    "missed-events-after-reconnect": missed_events,
    "same-id-in-both-doors": both_doors,
    "id-with-dot-dot": dots_as_id,
    "folder-name-differs-from-id": folder_differs,
}


# Deadlines, bombs and large names take their time.
AT_LENGTH = frozenset(
    ("endless-loop-that-catches", "bomb-in-long-name-record", "slow-client-blocks-others", "appledouble-sidecars")
)


def attempts() -> list[Attempt]:
    """A case that nobody tries has no attempt: the tests compare the two."""

    def bound(name: str, case: dict[str, Any]) -> Callable[[Field], Awaitable[str]]:
        return lambda field: TRIED[name](field, case)

    return [
        Attempt("cases at length" if name in AT_LENGTH else "cases", name, bound(name, case))
        for name, case in cases().items()
        if name in TRIED
    ]
