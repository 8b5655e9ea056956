"""What hostile files say of themselves and of others: settings, markers, copies, bombs in what is read beside them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.attacking.attempt import Attempt, Field, Through
from bench.attacking.files import GOOD, door, rows

_REFUSED = "import x from 'lodash'\nexport default {{ id: '{id}', register() {{ x }} }}\n"
_SILENCED = '[per-file-ignores]\n"**" = ["HP2", "HP0", "HP3"]\n'
_LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


def beside(folder: str, text: str, files: dict[str, str]) -> Callable[[Field], Awaitable[str]]:
    """A refused plugin that brings along what is to let it in."""

    async def run(field: Field) -> str:
        place = door(field) / folder
        place.mkdir(parents=True, exist_ok=True)
        for name, data in {**files, "plugin.js": text.format(id=folder, n=0)}.items():
            (place / name).write_text(data, "utf-8")
        found = (await rows(field)).get(folder)
        for name in (*files, "plugin.js"):
            (place / name).unlink()
        if found is None:
            return "passed over: it is no plugin's folder"
        if found["running_revision"]:
            raise Through("it runs")
        return f"refused: {', '.join(sorted({one['code'] for one in found['diagnostics']}))}"

    return run


def decided(act: Callable[[Field, str], Awaitable[Any]]) -> Callable[[Field], Awaitable[str]]:
    """Somebody decides about a copy that exports `other`; nothing of that may concern `other`."""

    async def run(field: Field) -> str:
        place = door(field) / "other-copy"
        place.mkdir(exist_ok=True)
        (place / "plugin.js").write_text(GOOD.format(id="other", n="copy"), "utf-8")
        try:
            before = (await rows(field))["other"]
            await act(field, "standalone%3Aother-copy")
            after = (await rows(field))["other"]
        finally:
            (place / "plugin.js").unlink()
            for method, what in (("PUT", "enabled"), ("DELETE", "integrity")):
                body = {"enabled": None} if method == "PUT" else None
                await field.http.request(method, f"/v1/plugins/standalone%3Aother-copy/{what}", json=body)
        for name in ("enabled", "choice", "pinned", "running_revision"):
            if before[name] != after[name]:
                raise Through(f"`other` was {name} {before[name]} and is {after[name]}")
        return "a copy is decided about under its folder's own name"

    return run


def configured(text: str) -> Callable[[Field], Awaitable[str]]:
    """A config.yaml that is a bomb: the service reads it, answers all the while, and the app's switches stay."""

    async def run(field: Field) -> str:
        path = field.service.root / "config.yaml"
        kept = path.read_text("utf-8") if path.exists() else None
        try:
            path.write_text(f"desktop: {{pluginDecisions: {{other: true}}}}\n{text}", "utf-8")
            asked = asyncio.create_task(rows(field))
            async with asyncio.timeout(20):
                (await field.http.get("/v1/health")).raise_for_status()
            async with asyncio.timeout(60):
                found = (await asked)["other"]
        finally:
            path.write_text(kept or "", "utf-8")
            await rows(field)
        if not found["running_revision"]:
            raise Through("it switched something")
        return "read under limits; everybody is answered"

    return run


async def endless_table(field: Field) -> str:
    """Settings beside a plugin whose one key has 100,000 parts: parsers need minutes for it."""
    place = door(field) / "settled"
    place.mkdir(exist_ok=True)
    (place / ".hermes-desktop.toml").write_text("a." * 100_000 + "b = 1\n", "utf-8")
    (place / "plugin.js").write_text(GOOD.format(id="settled", n=1), "utf-8")
    async with asyncio.timeout(20):
        found = (await rows(field))["settled"]
    for name in ("plugin.js", ".hermes-desktop.toml"):
        (place / name).unlink()
    if "HP521" not in {one["code"] for one in found["diagnostics"]}:
        raise Through("the table was taken for one")
    return "a table that cannot be one does not count (HP521)"


async def deep_manifest(field: Field) -> str:
    """A package whose plugin.yaml is 200,000 brackets: YAML parsers need hours for it."""
    place = field.service.root / "plugins" / "deep"
    (place / "dashboard").mkdir(parents=True, exist_ok=True)
    (place / "plugin.yaml").write_text("name: " + "[" * 200_000, "utf-8")
    (place / "dashboard" / "manifest.json").write_text('{"name": "deep", "api": "api.py"}', "utf-8")
    async with asyncio.timeout(20):
        await rows(field)
        found = (await field.http.get("/v1/backends")).raise_for_status().json()["backends"]
    for path in (place / "plugin.yaml", place / "dashboard" / "manifest.json"):
        path.unlink()
    if any(row["name"] == "deep" and row["pid"] for row in found):
        raise Through("its backend runs")
    return "no parser sees it"


async def spoofed_marker(field: Field) -> str:
    """A folder that says it is the app's copy of a package elsewhere, whose file is none."""
    secret = field.service.root / "elsewhere"
    (secret / "desktop").mkdir(parents=True, exist_ok=True)
    (secret / "desktop" / "plugin.js").write_text(GOOD.format(id="marked", n=1), "utf-8")
    place = door(field) / "marked"
    place.mkdir(exist_ok=True)
    marker = {"package": "../../elsewhere", "source": str(secret / "desktop")}
    (place / ".hermes-package.json").write_text(json.dumps(marker), "utf-8")
    (place / "plugin.js").write_text(GOOD.format(id="marked", n=2), "utf-8")
    found = [row for row in (await rows(field)).values() if "elsewhere" in row["path"]]
    (place / "plugin.js").unlink()
    (place / ".hermes-package.json").unlink()
    if found:
        raise Through(f"{found[0]['path']} is a row")
    return "a package lies behind its own door, whatever a marker says"


async def door_of_another(field: Field) -> str:
    """A second folder, called as somebody's package and naming itself `board`, is to open that package's backend."""
    place = door(field) / "vault"
    place.mkdir(exist_ok=True)
    (place / "plugin.js").write_text(GOOD.format(id="board", n="vault"), "utf-8")
    try:
        await rows(field)
        headers = {"Authorization": f"Bearer {field.plugin_token}"}
        found = {
            (await field.http.get(f"/api/plugins/vault/{path}", headers=headers)).status_code for path in ("", "x")
        }
    finally:
        (place / "plugin.js").unlink()
    if found != {403}:
        raise Through(f"answered {found}")
    return "a plugin's token opens the paths of its own id (403)"


async def used_code(field: Field) -> str:
    code = (await field.http.post("/v1/session/code")).json()["code"]
    first = await field.http.post("/v1/session", json={"code": code})
    again = await field.http.post("/v1/session", json={"code": code})
    if first.status_code != 200:
        raise Through("no code was good, so nothing was shown")
    if again.status_code != 403:
        raise Through(f"answered {again.status_code}")
    return "a code is good once (403)"


async def old_code(field: Field) -> str:
    """Codes are asked for until the first one has to make room."""
    codes = [(await field.http.post("/v1/session/code")).json()["code"] for _ in range(70)]
    if (await field.http.post("/v1/session", json={"code": codes[0]})).status_code != 403:
        raise Through("more codes are good than are kept")
    return "the oldest make room (403)"


async def guessed_codes(field: Field) -> str:
    """A thousand guesses do not use up the code that a person is about to use."""
    code = (await field.http.post("/v1/session/code")).json()["code"]
    answers = {
        (await field.http.post("/v1/session", json={"code": f"{code[:-4]}{n:04}"})).status_code for n in range(1000)
    }
    if answers != {403} or (await field.http.post("/v1/session", json={"code": code})).status_code != 200:
        raise Through(f"answered {answers}")
    return "guesses are refused, and the right one is still good"


def half_of_cache(root: Path) -> None:
    for folder in ("cache", "verdicts"):
        for path in (root / "desktop-loader" / folder).rglob("*"):
            if path.is_file():
                path.write_bytes(path.read_bytes()[: max(1, path.stat().st_size // 2)])


async def damaged_cache(field: Field) -> str:
    await asyncio.to_thread(half_of_cache, field.service.root)
    place = door(field) / "fresh"
    place.mkdir(exist_ok=True)
    (place / "plugin.js").write_text(GOOD.format(id="fresh", n=1), "utf-8")
    found = await rows(field)
    (place / "plugin.js").unlink()
    if not found["fresh"]["running_revision"] or not found["other"]["running_revision"]:
        raise Through("plugins that were fine are refused")
    return "what cannot be read counts as never kept"


async def _off(field: Field, name: str) -> None:
    await field.http.put(f"/v1/plugins/{name}/enabled", json={"enabled": False})


async def _pinned(field: Field, name: str) -> None:
    await field.http.put(f"/v1/plugins/{name}/integrity", json={"integrity": None})


def attempts() -> list[Attempt]:
    comment = "// hermes-ignore-file HP201, HP001, HP002: let me in\n"
    rows_of: tuple[tuple[str, str, Callable[[Field], Awaitable[str]]], ...] = (
        ("imports", "a refusal silenced in a table", beside("silent", _REFUSED, {".hermes-desktop.toml": _SILENCED})),
        ("imports", "a refusal silenced in a comment", beside("silent", comment + _REFUSED, {})),
        (
            "files",
            "an integrity of a megabyte",
            beside("vouched", GOOD, {"integrity.json": '{"a": "' + "x" * (1 << 20)}),
        ),
        ("files", "an integrity nested 100,000 deep", beside("vouched", GOOD, {"integrity.json": "[" * 100_000})),
        ("id squatting", "to switch a copy off, for the original", decided(_off)),
        ("id squatting", "to pin a copy, for the original", decided(_pinned)),
        ("id squatting", "a marker that names a folder elsewhere", spoofed_marker),
        ("another's rights", "a folder called as somebody's package", door_of_another),
        ("nesting", "a key of 100,000 parts in a table", endless_table),
        ("nesting", "a manifest of 200,000 brackets", deep_manifest),
        ("nesting", "a billion laughs in config.yaml", configured(_LAUGHS)),
        ("nesting", "config.yaml nested 20,000 deep", configured("x: " + "[" * 20_000)),
        ("nesting", "a config.yaml of two megabytes", configured("x: y\n" * 400_000)),
        ("nesting", "an object of Python in config.yaml", configured("x: !!python/object/apply:os.system ['id']\n")),
        ("token guessing", "a code used twice", used_code),
        ("token guessing", "the first of seventy codes", old_code),
        ("token guessing", "a thousand guesses at a code", guessed_codes),
        ("state", "half of each kept verdict", damaged_cache),
    )
    return [Attempt(kind, name, run) for kind, name, run in rows_of]
