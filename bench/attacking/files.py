"""What lies in the home: hostile names and links, races between check and serve, squatted ids, damaged state; and leaks."""

# ruff: noqa: E501 - a row is a row

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.attacking.attempt import Attempt, Field, Through
from bench.measuring import environ, loader

GOOD = "export default {{ id: '{id}', register() {{}} }} // {n}\n"


def door(field: Field) -> Path:
    return field.service.root / "desktop-plugins"


async def rows(field: Field) -> dict[str, dict[str, Any]]:
    """The inventory by folder, after everything was looked at anew."""
    answer = (await field.http.post("/v1/reload", json={})).raise_for_status().json()
    return {row["folder"]: row for row in answer["plugins"]}


def placed(
    folder: str, make: Callable[[Path], None], *, listed: bool | None = None
) -> Callable[[Field], Awaitable[str]]:
    """``make`` puts something hostile in place of a plugin.js; it may never come to run."""

    async def run(field: Field) -> str:
        place = door(field) / folder
        place.mkdir(parents=True, exist_ok=True)
        try:
            await asyncio.to_thread(make, place / "plugin.js")
            found = (await rows(field)).get(folder)
            if found is None:
                return "passed over: it is no plugin's folder"
            if listed is False:
                raise Through("it is listed")
            if found["running_revision"]:
                raise Through("it runs")
            return f"refused: {', '.join(sorted({one['code'] for one in found['diagnostics']}))}"
        finally:
            with contextlib.suppress(OSError):
                (place / "plugin.js").unlink()

    return run


def write(text: str) -> Callable[[Path], None]:
    def written(path: Path) -> None:
        path.write_text(text, "utf-8")

    return written


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def socket_file(path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as held:
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket may be no longer than 107 bytes
        try:
            held.bind(path.name)
        finally:
            os.chdir(here)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(17 * 1024 * 1024)


def closed(path: Path) -> None:
    path.write_bytes(b"\xff\xfe" + "export default 1".encode("utf-16-le"))


async def out_of_package(field: Field) -> str:
    """A package that the user switched on, whose file is a link to one outside of it."""
    root = field.service.root
    (root / "elsewhere.js").write_text(GOOD.format(id="pack", n=0), "utf-8")
    place = root / "plugins" / "pack" / "desktop"
    place.mkdir(parents=True)
    (place / "plugin.js").symlink_to(root / "elsewhere.js")
    await rows(field)
    await field.http.put("/v1/plugins/unified%3Apack/enabled", json={"enabled": True})
    found = (await rows(field))["pack"]
    if found["running_revision"]:
        raise Through("it runs")
    return f"refused: {', '.join(sorted({one['code'] for one in found['diagnostics']}))}"


async def race(field: Field) -> str:
    """A link flips between a good file and another one while the module is fetched: what is served is what was checked."""
    place = door(field) / "racer"
    place.mkdir(exist_ok=True)
    for name in ("a", "b"):
        (place / f"{name}.js").write_text(GOOD.format(id="racer", n=name), "utf-8")
    allowed = {hashlib.sha256((place / f"{name}.js").read_bytes()).hexdigest() for name in "ab"}
    (place / "plugin.js").symlink_to("a.js")
    served = 0
    for number in range(60):
        temporary = place / ".link"
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(("../../elsewhere.js", "a.js", "/etc/passwd", "b.js")[number % 4])
        temporary.replace(place / "plugin.js")
        answer = await field.http.get("/v1/plugins/racer/source")
        if answer.status_code == 200:
            served += 1
            said = answer.headers["etag"].strip('"')
            found = hashlib.sha256(answer.content).hexdigest()
            if found != said or found not in allowed:
                raise Through("bytes were served that were not checked")
    (place / "plugin.js").unlink()
    return f"served from what was read and hashed once ({served} fetches)"


def squat(folder: str, plugin_id: str) -> Callable[[Field], Awaitable[str]]:
    async def run(field: Field) -> str:
        place = door(field) / folder
        place.mkdir(exist_ok=True)
        (place / "plugin.js").write_text(GOOD.format(id=plugin_id, n=folder), "utf-8")
        found = (await rows(field))[folder]
        owner = (await rows(field))["board"]
        (place / "plugin.js").unlink()
        if found["running_revision"]:
            raise Through("it runs under that id")
        if not owner["running_revision"] or owner["id"] != "board":
            raise Through("the owner was pushed aside")
        return f"refused: {', '.join(sorted({one['code'] for one in found['diagnostics']}))}"

    return run


async def dead_module(field: Field) -> str:
    """The address of a revision that was replaced."""
    place = door(field) / "board" / "plugin.js"
    place.write_text(GOOD.format(id="board", n="next"), "utf-8")
    await rows(field)
    found = (await field.http.get(field.module_url, headers={"Authorization": ""})).status_code
    if found != 410:
        raise Through(f"answered {found}")
    return "its capability died with the revision (410)"


async def dead_token(field: Field) -> str:
    answer = await field.http.post(
        "/v1/plugins/board/actions",
        json={"action": "nav.settings"},
        headers={"Authorization": f"Bearer {field.plugin_token}"},
    )
    if answer.status_code == 200 and answer.json().get("ok"):
        raise Through("it acted")
    return f"the token died with its revision ({answer.json().get('error', answer.status_code)})"


async def log_leak(field: Field) -> str:
    told = field.service.log.read_text("utf-8", "replace")
    _none_of(told, field, "the service's log")
    return "the log holds no token, code or capability"


async def events_leak(field: Field) -> str:
    process = await asyncio.create_subprocess_exec(
        *loader("events", "--json", "--hermes-home", str(field.service.root)),
        env=environ(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    _none_of((out + err).decode(), field, "the printed events")
    if not out:
        raise Through("no event was printed, so nothing was shown")
    return "events are printed by chosen fields"


async def page_leak(field: Field) -> str:
    _none_of((await field.http.get("/", headers={"Authorization": ""})).text, field, "the page")
    return "the page is static"


async def health_leak(field: Field) -> str:
    answer = (await field.http.get("/v1/health", headers={"Authorization": ""})).json()
    if answer != {"status": "ok"}:
        raise Through(json.dumps(answer))
    return "a stranger learns that it lives, and no more"


async def problem_leak(field: Field) -> str:
    answer = await field.http.get(f"/v1/plugins/{field.token}", headers={"Authorization": "Bearer wrong"})
    _none_of(answer.text, field, "the refusal")
    return "a refusal does not repeat what was asked"


async def modes(field: Field) -> str:
    folder = field.service.root / "desktop-loader"
    for path, wanted in ((folder, 0o700), (folder / "endpoint.json", 0o600)):
        if stat.S_IMODE(path.stat().st_mode) != wanted:
            raise Through(f"{path.name} has mode {stat.S_IMODE(path.stat().st_mode):o}")
    return "the state folder is the user's alone (0700, 0600)"


async def damaged_state(field: Field) -> str:
    path = field.service.root / "desktop-loader" / "choices.json"
    path.write_bytes(b'{"version": 1, "data": {"board": ')
    answer = await field.http.put("/v1/plugins/other/enabled", json={"enabled": True})
    kept = [each.name for each in path.parent.iterdir() if each.name.startswith("choices") and each != path]
    if answer.status_code >= 500 or not kept:
        raise Through(f"{answer.status_code}, {kept}")
    return "a damaged file is set aside, not overwritten"


def _none_of(text: str, field: Field, where: str) -> None:
    for name, secret in (
        ("the token", field.token),
        ("a plugin's token", field.plugin_token),
        ("a capability", field.module_url.split("/")[2]),
    ):
        if secret in text:
            raise Through(f"{where} holds {name}")


_PLACED: tuple[tuple[str, str, Callable[[Path], None]], ...] = (
    ("links", "a link to /etc/passwd", link("/etc/passwd")),
    ("links", "a link to /dev/zero", link("/dev/zero")),
    ("links", "a link to itself", link("plugin.js")),
    ("links", "a link that leads nowhere", link("/nowhere/at/all")),
    ("links", "a link to /proc/self/environ", link("/proc/self/environ")),
    ("files", "a pipe that nobody writes to", fifo),
    ("files", "a socket", socket_file),
    ("files", "a folder called plugin.js", lambda path: path.mkdir()),
    ("files", "17 MiB of zeros", huge),
    ("files", "UTF-16", closed),
    ("files", "a NUL in the text", write("export default { id: 'x', register() {} }\0")),
)
_NAMES = (
    "a\nb",
    "\u202etxt.exe",
    "..\\up",
    " lead",
    "trail ",
    "ＦＵＬＬ",
    "-rf",
    "a" * 200,
    "con",
    "__proto__",
    "%2e%2e",
    "<script>",
    "$(id)",
    "a:b",
)
_IDS = ("../board", "board/../x", "__proto__", "constructor", "BOARD", "", "a" * 5000, "board\u200b", "bоard")


def attempts() -> list[Attempt]:
    found = [Attempt(kind, name, placed(f"attack-{n}", make)) for n, (kind, name, make) in enumerate(_PLACED)]
    found += [
        Attempt(
            "hostile names",
            f"a folder called {ascii(name)[:40]}",
            placed(name, write("export default { id: 'x', register() {} }")),
        )
        for name in _NAMES
    ]
    found += [
        Attempt(
            "id squatting",
            f"the id {ascii(plugin_id)[:30]}",
            placed(f"squatter-{n}", write(f"export default {{ id: {json.dumps(plugin_id)}, register() {{}} }}")),
        )
        for n, plugin_id in enumerate(_IDS)
    ]
    found.append(Attempt("id squatting", "another folder exports `board`", squat("aaa", "board")))
    found.append(Attempt("links", "a link out of the package", out_of_package))
    found.append(Attempt("links", "flipped between check and serve", race))
    for kind, name, run in (
        ("leaks", "what a stranger learns of health", health_leak),
        ("leaks", "secrets in the page", page_leak),
        ("leaks", "secrets in a refusal", problem_leak),
        ("leaks", "secrets in the printed events", events_leak),
        ("leaks", "secrets in the log", log_leak),
        ("leaks", "modes of the state folder", modes),
        ("state", "half a choices.json", damaged_state),
        ("token guessing", "a module after its revision is gone", dead_module),
        ("token guessing", "a plugin's token after its revision is gone", dead_token),
    ):
        found.append(Attempt(kind, name, run))
    return found
