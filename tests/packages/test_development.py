"""Web apps under development: which addresses are taken, how little is fetched, and what the wall has of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from loader.errors import UsageError
from loader.home import Home
from loader.packages.development import DevelopmentSource, fetch_manifest, page_url
from loader.packages.grants import Grants
from loader.packages.install import Packages
from loader.packages.planning import Word
from loader.packages.probe import fetch, probed, staging
from loader.packages.record import source_of
from loader.packages.refused import Invalid
from loader.packages.shelf import walled_of
from loader.packages.sources import GitSource, parse_source
from loader.packages.standings import standing_of
from loader.packages.tree import hash_tree
from loader.testing import FakeAnalyzer
from tests.packages.dev_server import DevServer, dev_server

APP = "com.example.board"


def manifest(**changes: object) -> str:
    return json.dumps({"kind": "web-app", "id": APP, "name": "Board", "requestedApis": ["tools"], **changes})


@pytest.fixture
def server() -> Iterator[DevServer]:
    with dev_server({"plugin.json": manifest(), "index.html": "<!doctype html>"}) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://localhost:5173/", "http://localhost:5173/"),
        ("http://localhost:5173", "http://localhost:5173/"),
        ("HTTP://LocalHost:5173/app", "http://localhost:5173/app/"),
        ("http://127.0.0.1:80/", "http://127.0.0.1/"),
        ("http://127.9.9.9:5173/a-b/c_d/", "http://127.9.9.9:5173/a-b/c_d/"),
        # No policy of a page can name an IPv6 address.
        ("http://[::1]:5173/", "http://localhost:5173/"),
    ],
)
def test_loopback_addresses_are_under_development(text: str, url: str) -> None:
    assert parse_source(text, cwd=Path("/")) == (DevelopmentSource(url), None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("https://localhost:5173/", "over http"),
        ("http://me:secret@localhost:5173/", "user name"),
        ("http://localhost:5173/?x=1", "'?' or '#'"),
        ("http://localhost:5173/#/route", "'?' or '#'"),
        ("http://localhost:5173/../", "path"),
        ("http://localhost:5173/a//b/", "path"),
        ("http://localhost:5173/%2e%2e/", "path"),
        ("http://localhost:99999/", "no port"),
        ("http://localhost:0/", "no port"),
        ("http://localhost:x/", "no port"),
    ],
)
def test_other_spellings_are_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_source(text, cwd=Path("/"))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org:5173/",
        "http://192.168.1.2:5173/",
        "http://0.0.0.0:5173/",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://localhost:3000/owner/repo.git",
        "http://localhost:3000/owner/repo.git#sub",
    ],
)
def test_what_is_not_plainly_this_machine_or_names_git_is_a_repository(text: str) -> None:
    assert isinstance(parse_source(text, cwd=Path("/"))[0], GitSource)


@pytest.mark.parametrize("repo", ["http://localhost:5173/", "http://127.0.0.1/a.git", "https://[::1]/a.git%23sub"])
def test_a_link_never_names_one(repo: str) -> None:
    with pytest.raises(UsageError, match=r"development address|on this machine"):
        parse_source(f"hermes://plugin/install?repo={repo}")


def test_no_commit_belongs_to_one() -> None:
    with pytest.raises(UsageError, match="--ref names a commit"):
        parse_source("http://localhost:5173/", ref="0" * 40)


def test_the_tab_loads_the_address_itself_or_the_page_that_is_named() -> None:
    assert page_url("http://localhost:5173/app/", "index.html") == "http://localhost:5173/app/"
    assert page_url("http://localhost:5173/app/", "pages/first.html") == "http://localhost:5173/app/pages/first.html"


# ---------------------------------------------------------------- the manifest


def test_only_the_manifest_is_fetched(server: DevServer, tmp_path: Path) -> None:
    arrived = fetch(DevelopmentSource(server.url), tmp_path)
    assert [path for path, _ in server.asked] == ["/plugin.json"]
    assert list(arrived.files) == ["plugin.json"]
    assert arrived.contents.kind == "web-app"
    assert arrived.contents.problems == ()


def test_a_server_on_ipv6_alone_is_reached_by_name(tmp_path: Path) -> None:
    with dev_server({"plugin.json": manifest()}, "[::1]") as server:
        source, _ = parse_source(server.url)
        assert isinstance(source, DevelopmentSource)
        assert fetch(source, tmp_path).contents.manifest is not None


def refusal(source: DevelopmentSource, into: Path) -> str:
    with pytest.raises(UsageError) as refused:
        fetch(source, into)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(
    ("status", "headers", "body", "said"),
    [
        (404, {}, b"", "answers 404"),
        (500, {}, b"", "answers 500"),
        (200, {"Content-Type": "text/html"}, b"<!doctype html>", "answered with a page"),
        (200, {}, b"x" * 70_000, "more than 65536 bytes"),
        (200, {}, b"{", "no JSON at line 1"),
        (200, {}, b"[]", "holds a list"),
        (200, {}, b"{}", "for web apps"),
        (200, {}, b'{"kind": "desktop", "id": "com.example.a", "name": "A"}', "for web apps"),
        (200, {}, b'{"kind": "web-app", "id": "a", "name": "A"}', "no reverse domain name"),
        (302, {"Location": "http://example.org/plugin.json"}, b"", "leads to another server"),
        (302, {"Location": "http://localhost:1/plugin.json"}, b"", "leads to another server"),
        (302, {"Location": "https:///x"}, b"", "leads to another server"),
        (307, {"Location": "/plugin.json"}, b"", "redirects more than 3 times"),
    ],
)
def test_what_is_no_manifest_is_refused_with_the_reason(
    server: DevServer, tmp_path: Path, status: int, headers: dict[str, str], body: bytes, said: str
) -> None:
    server.answers["plugin.json"] = (status, headers, body)
    assert said in refusal(DevelopmentSource(server.url), tmp_path)


def test_a_redirect_on_the_same_server_is_followed(server: DevServer, tmp_path: Path) -> None:
    server.answers["plugin.json"] = (302, {"Location": "/static/plugin.json"}, b"")
    server.files["static/plugin.json"] = manifest(name="Elsewhere")
    arrived = fetch(DevelopmentSource(server.url), tmp_path)
    assert arrived.contents.manifest is not None
    assert arrived.contents.manifest.name == "Elsewhere"


def test_nothing_that_listens_is_said(tmp_path: Path) -> None:
    with dev_server({}) as server:
        gone = DevelopmentSource(server.url)
    assert "Is the development server running?" in refusal(gone, tmp_path)


def test_a_server_that_dribbles_is_left(tmp_path: Path) -> None:
    moments = iter(range(1000))

    def drop(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=iter([b" "] * 900))

    with pytest.raises(UsageError, match="did not answer within"):
        fetch_manifest(
            DevelopmentSource("http://localhost:5173/"),
            tmp_path,
            now_s=lambda: float(next(moments)),
            transport=httpx.MockTransport(drop),
        )
    assert list(tmp_path.iterdir()) == []


def test_the_name_is_asked_at_this_machine_whatever_a_hosts_file_says(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append((str(request.url), request.headers["host"]))
        if "[::1]" in str(request.url):
            raise httpx.ConnectError("refused")
        return httpx.Response(200, content=iter([manifest().encode()]))

    fetch_manifest(DevelopmentSource("http://localhost:5173/"), tmp_path, transport=httpx.MockTransport(answer))
    assert asked == [
        ("http://[::1]:5173/plugin.json", "localhost:5173"),
        ("http://127.0.0.1:5173/plugin.json", "localhost:5173"),
    ]


def test_no_proxy_is_asked(server: DevServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1/")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1/")
    assert fetch(DevelopmentSource(server.url), tmp_path).contents.kind == "web-app"


# ---------------------------------------------------------------- record and wall


def put(home: Home, url: str, word: Word) -> Packages:
    packages = Packages(home)
    with staging(home) as place:
        probe = asyncio.run(probed(fetch(parse_source(url)[0], place), FakeAnalyzer()))
        packages.install(probe, packages.plan(probe), word)
    return packages


TOOLS = Grants(frozenset({"tools"}))


def test_it_is_recorded_without_files_and_stands_behind_the_wall_by_its_address(home: Home, server: DevServer) -> None:
    packages = put(home, server.url, Word(TOOLS, enable=True))
    entry = packages.entry(APP)
    record = entry.current
    assert record is not None
    assert (record.source_kind, record.source, record.revision, record.url) == (
        "development",
        server.url,
        None,
        server.url,
    )
    assert source_of(record) == DevelopmentSource(server.url)
    assert list(hash_tree(packages.folder_of(record))) == ["plugin.json"]
    assert not (home.state_dir / "pins.json").exists()
    standing = standing_of(home, entry)
    assert standing is not None
    walled = walled_of(standing, None)
    assert walled is not None
    assert (walled.folder, walled.url, walled.enabled, walled.grants) == (None, server.url, True, TOOLS)


def test_a_manifest_that_asks_for_more_or_another_address_is_another_state(home: Home, server: DevServer) -> None:
    packages = put(home, server.url, Word(TOOLS, enable=True))
    server.files["plugin.json"] = manifest(requestedApis=["tools", "ai"], entry="board.html")
    put(home, server.url, Word())
    record, entry = packages.get(APP), packages.entry(APP)
    assert record.url == f"{server.url}board.html"
    assert entry.consent.on is False
    standing = standing_of(home, entry)
    assert standing is not None
    assert standing.granted == TOOLS
    packages.uninstall(APP)
    assert packages.find(APP) is None
    assert not packages.folder_of(record).exists()


def test_of_two_apps_from_one_server_that_come_at_once_the_second_is_refused(home: Home, server: DevServer) -> None:
    packages = Packages(home)
    with staging(home) as one, staging(home) as other:
        first = asyncio.run(probed(fetch(DevelopmentSource(server.url), one), FakeAnalyzer()))
        server.files["plugin.json"] = manifest(id="com.example.other")
        second = asyncio.run(probed(fetch(DevelopmentSource(server.url), other), FakeAnalyzer()))
        # Both were looked at before either was there.
        plans = packages.plan(first), packages.plan(second)
        packages.install(first, plans[0])
        with pytest.raises(UsageError, match="could speak for each other"):
            packages.install(second, plans[1])
    assert [record.id for record in packages.installed()] == [APP]


def test_a_wrong_manifest_is_no_probe_either(home: Home, server: DevServer, tmp_path: Path) -> None:
    server.files["plugin.json"] = manifest(requestedApis=["everything"])
    with pytest.raises(Invalid, match="requestedApis"):
        fetch(DevelopmentSource(server.url), tmp_path)


def test_a_damaged_record_gives_no_address(home: Home, server: DevServer) -> None:
    packages = put(home, server.url, Word())
    file = home.records_dir / f"{APP}.json"
    whole = json.loads(file.read_text())
    assert whole["data"]["current"]["page"] == "index.html"
    whole["data"]["current"]["page"] = None
    file.write_text(json.dumps(whole))
    assert packages.find(APP) is None
