"""Repositories, by the system's git and from this machine's disk."""

import os
import subprocess
from pathlib import Path

import pytest

from loader.errors import LoaderError, TimedOut, UsageError
from loader.packages.git import Fetched, fetch_git
from loader.packages.refused import Invalid
from loader.packages.sources import GitSource, parse_repository
from loader.packages.tree import hash_tree
from tests.packages.conftest import make_plugin, write_files
from tests.requirements import need


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    @property
    def url(self) -> str:
        return self.folder.as_uri()

    def git(self, *args: str) -> str:
        environ = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            [need("git"), *identity, *args], cwd=self.folder, env=environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self) -> str:
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "repo")
    make_plugin(repository.folder, "notes")
    repository.commit()
    return repository


def fetched(source: GitSource, tmp_path: Path, **options: object) -> tuple[Fetched, Path]:
    into, work = tmp_path / "into", tmp_path / "work"
    into.mkdir()
    work.mkdir()
    return fetch_git(source, into, work, **options), into  # type: ignore[arg-type]


def test_the_default_branch_arrives_without_a_repository(repository: Repository, tmp_path: Path) -> None:
    found, into = fetched(parse_repository(repository.url), tmp_path)
    assert found.revision == repository.git("rev-parse", "HEAD")
    assert hash_tree(into) == {k: v for k, v in hash_tree(repository.folder).items() if not k.startswith(".git/")}


def test_a_commit_and_a_branch_can_be_named(repository: Repository, tmp_path: Path) -> None:
    old = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "--quiet", "-b", "other")
    make_plugin(repository.folder, "notes", version=2)
    new = repository.commit()
    repository.git("checkout", "--quiet", "main")
    make_plugin(repository.folder, "notes", version=3)
    repository.commit()
    for name, source, revision in (
        ("a", parse_repository(repository.url, ref=old), old),
        ("b", GitSource(repository.url, branch="other"), new),
    ):
        (tmp_path / name).mkdir()
        assert fetched(source, tmp_path / name)[0].revision == revision


def test_a_subdirectory_arrives_alone(repository: Repository, tmp_path: Path) -> None:
    make_plugin(repository.folder / "plugins" / "clock", "clock")
    repository.commit()
    _, into = fetched(parse_repository(f"{repository.url}#plugins/clock"), tmp_path)
    assert sorted(path.name for path in into.iterdir()) == ["README.md", "plugin.js"]


def test_hooks_filters_submodules_and_links_never_act(repository: Repository, tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled"
    script = f"#!/bin/sh\ntouch {spoiled}\n"
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-merge", "pre-receive"):
        path = repository.folder / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(script)
        path.chmod(0o755)
    inner = Repository(tmp_path / "inner")
    make_plugin(inner.folder, "inner")
    inner.commit()
    for path in (repository.folder / ".git" / "hooks").iterdir():
        path.chmod(0o644)  # only while this test itself commits
    write_files(repository.folder, {".gitattributes": "*.js filter=evil\n*.md export-subst\n"})
    (repository.folder / "link").symlink_to("/etc/passwd")
    (repository.folder / "sub-link").symlink_to("..")
    repository.git("submodule", "--quiet", "add", inner.url, "module")
    repository.commit()
    repository.git("config", "filter.evil.smudge", f"touch {spoiled}; cat")
    for path in (repository.folder / ".git" / "hooks").iterdir():
        path.chmod(0o755)
    found, into = fetched(parse_repository(repository.url), tmp_path)
    assert sorted(found.listing.left_out) == ["link", "sub-link"]
    assert not any(path.is_symlink() for path in into.rglob("*"))
    assert not (into / "module" / "plugin.js").exists()
    assert (into / "plugin.js").read_bytes() == (repository.folder / "plugin.js").read_bytes()
    assert not spoiled.exists()


def test_a_users_own_filters_do_not_act_either(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(repository.folder, {".gitattributes": "*.js filter=own\n"})
    repository.commit()
    spoiled = tmp_path / "spoiled"
    settings = tmp_path / "gitconfig"
    settings.write_text(f'[filter "own"]\n\tsmudge = "touch {spoiled}; cat"\n\trequired = true\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    settings.rename(tmp_path / ".gitconfig")
    fetched(parse_repository(repository.url), tmp_path)
    assert not spoiled.exists()


@pytest.mark.parametrize(
    ("subdir", "said"),
    [("missing", "has no folder 'missing'"), ("plugin.js", "has no folder"), ("link", "has no folder")],
)
def test_a_subdirectory_that_is_none(subdir: str, said: str, repository: Repository, tmp_path: Path) -> None:
    (repository.folder / "link").symlink_to("..")
    repository.commit()
    with pytest.raises(UsageError, match=said):
        fetched(GitSource(repository.url, subdir), tmp_path)


def test_what_cannot_be_fetched_says_why_in_one_line(repository: Repository, tmp_path: Path) -> None:
    sources = (
        GitSource((tmp_path / "nowhere").as_uri()),
        GitSource(repository.url, ref="0" * 40),
        GitSource(repository.url, branch="missing"),
        GitSource("ext::touch% x"),
    )
    for number, source in enumerate(sources):
        place = tmp_path / str(number)
        place.mkdir()
        with pytest.raises(UsageError, match="git fetch failed") as refused:
            fetched(source, place)
        assert "\n" not in str(refused.value)
        assert list((place / "into").iterdir()) == []


def test_time_and_size_are_bounded(repository: Repository, tmp_path: Path) -> None:
    (repository.folder / "big.bin").write_bytes(os.urandom(3_000_000))
    repository.commit()
    (tmp_path / "a").mkdir()
    with pytest.raises(Invalid, match="brings more than 1000000 bytes"):
        fetched(parse_repository(repository.url), tmp_path / "a", fetch_limit_bytes=1_000_000)
    (tmp_path / "b").mkdir()
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    with pytest.raises(TimedOut, match="took too long"):
        fetched(parse_repository(repository.url), tmp_path / "b", deadline_s=0.2, find=lambda _: str(slow))


def test_without_git_the_way_out_is_said(tmp_path: Path) -> None:
    with pytest.raises(LoaderError, match="git is not on the PATH"):
        fetched(GitSource("https://example.org/a.git"), tmp_path, find=lambda _: None)


def test_hostile_names_in_a_repository_are_refused(repository: Repository, tmp_path: Path) -> None:
    write_files(repository.folder, {"A.txt": "x", "a.txt": "x"})
    repository.commit()
    with pytest.raises(Invalid, match="one name"):
        fetched(parse_repository(repository.url), tmp_path)


def test_other_variables_of_git_do_not_lead_elsewhere(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.sshCommand")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "false")
    assert fetched(parse_repository(repository.url), tmp_path)[0].revision
