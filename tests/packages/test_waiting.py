"""What waits for a person outlives the service, in bounds, and means the same afterwards."""

import asyncio
import json
from pathlib import Path

import pytest

from loader.home import Home
from loader.nouns import Json
from loader.packages.asking import LIFE_S, WAITING_LIMIT, Kept, NoSuchRequest, Requests, Wanted
from loader.packages.control import Control, approval_digest
from loader.packages.grants import Grants
from loader.packages.install import Packages
from loader.packages.refused import Changed
from loader.packages.sources import ArchiveSource, GitSource
from loader.packages.waiting import PROBE_LIMIT_BYTES, WAITING_FILE, Waiting, kept_by, may_be_kept
from loader.packages.wishes import Wish
from loader.testing import FakeAnalyzer
from tests.packages.conftest import make_app
from tests.packages.test_install import put

pytestmark = pytest.mark.anyio

APP = "com.example.board"
BOTH = Grants(frozenset({"tools", "storage"}), frozenset({"read-only"}))


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


async def nothing() -> None: ...


def control(home: Home, clock: Clock | None = None) -> Control:
    """As a service makes it when it starts."""
    wall = clock or Clock()
    waiting = Waiting(home, wall_clock_s=wall)
    requests = Requests(kept=waiting.load(), now_s=wall)
    return Control(home, FakeAnalyzer(), nothing, requests=requests, waiting=waiting)


async def asked_for(one: Control, source: Path) -> Wanted:
    wish = Wish(path=str(source))
    looked, _, _ = await one.look(wish)
    wanted = Wanted(
        "install", looked.probe.id, looked.digest, wish, {"id": looked.probe.id}, BOTH, enable=True, without=()
    )
    await one.ask(wanted, "mcp")
    return wanted


async def test_a_question_is_there_again_and_its_answer_does_what_was_asked(home: Home, tmp_path: Path) -> None:
    wanted = await asked_for(control(home), make_app(tmp_path / "app"))
    again = control(home)
    (asked,) = again.requests.waiting()
    assert (asked.number, asked.wanted, asked.by) == (1, wanted, "mcp")
    assert again.requests.state(1) == "waiting"
    await again.answer(1, True, "person")
    entry = Packages(home).entry(APP)
    assert (entry.consent.approved, entry.consent.on) == (BOTH, True)
    third = control(home)
    assert (third.requests.waiting(), third.requests.state(1)) == ((), "approved")
    await asked_for(third, make_app(tmp_path / "another", "com.example.another"))
    assert third.requests.waiting()[0].number == 2, "no number means two things"


async def test_its_answer_still_belongs_to_the_bytes_that_were_looked_at(home: Home, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await asked_for(control(home), source)
    (source / "app.js").write_text("evil()")
    again = control(home)
    with pytest.raises(Changed):
        await again.answer(1, True, "person")
    assert Packages(home).installed() == ()
    assert control(home).requests.state(1) == "changed"


async def test_an_approval_belongs_to_what_was_installed_then(home: Home, tmp_path: Path) -> None:
    await asyncio.to_thread(put, home, make_app(tmp_path / "app"))
    record = Packages(home).get(APP)
    await control(home).ask(Wanted("approve", APP, approval_digest(record), grants=BOTH), "tool")
    await asyncio.to_thread(put, home, make_app(tmp_path / "app", text="other bytes"))
    with pytest.raises(Changed):
        await control(home).answer(1, True, "person")
    assert Packages(home).entry(APP).consent.approved == Grants()


async def test_time_goes_on_while_no_service_runs_and_a_clock_that_is_set_back_gives_no_more(
    home: Home, tmp_path: Path
) -> None:
    clock = Clock()
    await asked_for(control(home, clock), make_app(tmp_path / "app"))
    clock.now_s += LIFE_S - 10
    late = control(home, clock).requests
    assert late.expires_in_s(late.waiting()[0]) == 10
    clock.now_s -= 100 * LIFE_S
    early = control(home, clock).requests
    assert early.expires_in_s(early.waiting()[0]) == LIFE_S
    clock.now_s += 101 * LIFE_S
    assert control(home, clock).requests.waiting() == ()


async def test_one_answer_is_carried_out_at_a_time(home: Home, tmp_path: Path) -> None:
    one = control(home)
    await asked_for(one, make_app(tmp_path / "app"))
    with one.requests.answering(1), pytest.raises(NoSuchRequest, match="is being carried out"):
        await one.answer(1, False, "person")
    assert one.requests.state(1) == "waiting"


async def test_a_secret_and_what_is_too_large_never_lie_on_the_disk(home: Home) -> None:
    small: dict[str, Json] = {"id": "x"}
    assert may_be_kept(GitSource("https://example.org/a/b.git"), small)
    assert may_be_kept(GitSource("git@example.org:a/b.git"), small)
    assert may_be_kept(ArchiveSource(Path("/a@b/c.tgz")), small)
    assert not may_be_kept(GitSource("https://ada:secret@example.org/a/b.git"), small)
    assert not may_be_kept(GitSource("https://token@example.org/a/b.git"), small)
    assert not may_be_kept(ArchiveSource(Path("/c.tgz")), {"text": "x" * PROBE_LIMIT_BYTES})
    one = control(home)
    wish = Wish(repository="https://ada:secret@example.org/a/b.git")
    await one.ask(Wanted("install", APP, "sha256:0", wish, {}, lasts=False), "tool")
    assert len(one.requests.waiting()) == 1
    assert "secret" not in (home.state_dir / WAITING_FILE).read_text()
    again = control(home).requests
    assert again.waiting() == ()
    with pytest.raises(NoSuchRequest):
        again.state(1)


@pytest.mark.parametrize(
    "told",
    [
        *([], {}, "x", {"waiting": 1}, {"waiting": [None, {}], "answered": {"x": "approved", "1": "?"}, "count": "x"}),
        {"waiting": [{"number": 1, "by": "person?", "until_s": 2e9, "action": "install", "id": "a", "digest": "d"}]},
        {"waiting": [{"number": 1, "by": "mcp", "until_s": 2e9, "action": "install", "id": "a", "digest": "d"}]},
    ],
)
async def test_what_was_never_written_by_us_asks_for_nothing(home: Home, told: object) -> None:
    home.state_dir.mkdir()
    (home.state_dir / WAITING_FILE).write_text(json.dumps({"version": 1, "data": told}))
    assert kept_by(home).waiting == ()
    assert Requests(kept=kept_by(home)).waiting() == ()


async def test_a_home_in_which_nobody_asked_has_no_file_and_a_full_queue_fits(home: Home) -> None:
    assert kept_by(home) == Kept()
    Waiting(home).save(Kept())
    assert not home.state_dir.exists()
    one = control(home)
    for number in range(WAITING_LIMIT):
        probe: dict[str, Json] = {"text": "x" * (PROBE_LIMIT_BYTES - 100)}
        await one.ask(Wanted("install", f"com.example.a{number}", "sha256:0", Wish(path="/x"), probe), "tool")
    assert len(control(home).requests.waiting()) == WAITING_LIMIT
