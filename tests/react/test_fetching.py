"""React fetched once: whole and verified, or nothing of it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from loader.errors import UsageError
from loader.react.choosing import React, read_kept
from loader.react.fetching import NotFetched, fetch_react, react_folder
from loader.react.module import FILES
from loader.react.pinned import REGISTRY, pinned_packages, registry_of
from tests.react.registry import How, Registry, packages_of, registry, sri
from tests.requirements import PEERS, peers

pytestmark = pytest.mark.anyio
TEXTS = {name: f"exports.name = {name!r}".encode() for name in FILES}
PACKAGES, ARCHIVES = packages_of(TEXTS)


@pytest.fixture
def mirror() -> Iterator[tuple[str, type[Registry]]]:
    with registry(ARCHIVES) as found:
        yield found


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "desktop-loader"


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


async def test_what_was_agreed_to_is_kept_and_nothing_else_of_the_archives(
    mirror: tuple[str, type[Registry]], state_dir: Path
) -> None:
    react = React(None, state_dir, environ={"NPM_CONFIG_REGISTRY": f"{mirror[0]}/"}, packages=PACKAGES)
    told = await react.told()
    assert (told["ready"], told["registry"], mirror[1].asked) == (False, mirror[0], [])
    await react.fetch()
    folder = react_folder(state_dir, PACKAGES)
    assert names(state_dir / "react") == sorted(f"19.0.0/{places[0]}" for places in FILES.values())
    assert not (folder.parent / "evil.js").exists()
    text = await react.text()
    assert text is not None and text.count("exports.name = ") == len(FILES)
    assert ((await react.told())["ready"], (await react.told())["origin"]) == (True, "fetched")
    # Once: neither this service nor the next one asks again.
    asked = list(mirror[1].asked)
    await react.fetch()
    assert await React(None, state_dir, environ={}, packages=PACKAGES).text() == text
    assert mirror[1].asked == asked == list(ARCHIVES)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("wrong", "is not react 19.0.0"),
        ("large", "larger than"),
        ("elsewhere", "sends elsewhere"),
        ("round", "without end"),
        ("torn", "could not be fetched"),
        ("missing", "answered 404"),
    ],
)
async def test_what_is_refused_keeps_nothing(
    mirror: tuple[str, type[Registry]], state_dir: Path, how: How, said: str
) -> None:
    mirror[1].how = how
    with pytest.raises(NotFetched, match=said):
        await fetch_react(state_dir, mirror[0], PACKAGES)
    assert not state_dir.exists()
    mirror[1].how = "whole"
    await fetch_react(state_dir, mirror[0], PACKAGES)
    assert read_kept(state_dir, PACKAGES) is not None


async def test_a_redirect_on_the_same_host_is_followed(mirror: tuple[str, type[Registry]], state_dir: Path) -> None:
    mirror[1].how = "moved"
    await fetch_react(state_dir, mirror[0], PACKAGES)
    assert read_kept(state_dir, PACKAGES) is not None


async def test_a_registry_that_stalls_ends_at_the_deadline(mirror: tuple[str, type[Registry]], state_dir: Path) -> None:
    mirror[1].how = "stalled"
    with pytest.raises(NotFetched, match="did not give React within"):
        await fetch_react(state_dir, mirror[0], PACKAGES, timeout_s=0.5)
    assert not state_dir.exists()


async def test_an_archive_without_its_files_or_with_others_is_not_kept(
    mirror: tuple[str, type[Registry]], state_dir: Path
) -> None:
    lost = replace(PACKAGES[0], files={"cjs/other.js": "sha256-x"})
    changed = replace(PACKAGES[0], files=dict.fromkeys(PACKAGES[0].files, "sha256-x"))
    for package in (lost, changed):
        with pytest.raises(NotFetched):
            await fetch_react(state_dir, mirror[0], (package,))
    assert not state_dir.exists()


async def test_what_was_changed_on_the_disk_since_is_not_run_and_fetched_anew(
    mirror: tuple[str, type[Registry]], state_dir: Path
) -> None:
    file = await fetch_react(state_dir, mirror[0], PACKAGES) / FILES["react"][0]
    file.write_bytes(b"exports.evil = 1")
    react = React(None, state_dir, environ={"npm_config_registry": mirror[0]}, packages=PACKAGES)
    assert await react.text() is None
    await react.fetch()
    assert "evil" not in str(await react.text())
    assert file.read_bytes() == TEXTS["react"]
    assert [path.name for path in (state_dir / "react").iterdir()] == ["19.0.0"]


async def test_a_folder_of_the_users_own_goes_first() -> None:
    react = React("given")
    await react.fetch()
    assert (await react.text(), (await react.told())["origin"]) == ("given", "folder")


# ---------------------------------------------------------------- where from


@pytest.mark.parametrize(
    "wish",
    [
        "http://registry.example",
        "ftp://registry.example",
        "https://user:secret@registry.example",
        "https://registry.example/?token=secret",
        "https://[",
        "registry.example",
    ],
)
async def test_a_registry_that_cannot_be_trusted_with_a_request_is_refused(wish: str, state_dir: Path) -> None:
    with pytest.raises(UsageError) as refused:
        registry_of({"NPM_CONFIG_REGISTRY": wish})
    assert "secret" not in str(refused.value)
    told = await React(None, state_dir, environ={"NPM_CONFIG_REGISTRY": wish}).told()
    assert told["registry"] is None and told["why"]


async def test_the_registry_is_npms_own_unless_a_mirror_is_named() -> None:
    assert registry_of({}) == registry_of({"NPM_CONFIG_REGISTRY": ""}) == REGISTRY
    assert registry_of({"npm_config_registry": "https://mirror.example/npm/"}) == "https://mirror.example/npm"


async def test_what_is_pinned_is_what_the_lock_file_says_and_has_every_file_that_is_wrapped() -> None:
    locked = json.loads((PEERS / "package-lock.json").read_text("utf-8"))["packages"]
    pinned = {package.name: package for package in pinned_packages()}
    for name, package in pinned.items():
        entry = locked[f"node_modules/{name}"]
        assert (package.version, package.integrity) == (entry["version"], entry["integrity"])
    for places in FILES.values():
        name, _, path = places[0].partition("/")
        assert path in pinned[name].files
    assert all("LICENSE" in package.files for package in pinned.values())


@pytest.mark.real
async def test_what_npm_installs_has_the_pinned_hashes() -> None:
    for package in pinned_packages():
        for path, integrity in package.files.items():
            assert sri("sha256", (peers() / "node_modules" / package.name / path).read_bytes()) == integrity, path
