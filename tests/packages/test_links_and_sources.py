"""What people write where a source is expected."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.errors import UsageError
from loader.packages.links import Link, is_link, parse_link
from loader.packages.sources import ArchiveSource, FolderSource, GitSource, parse_repository, parse_source

SHA = "0123456789abcdef0123456789abcdef01234567"
GITHUB = "https://github.com/owner/repo.git"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("hermes://plugin/install?repo=owner/repo", Link("plugin", "owner/repo")),
        ("hermes-dev://plugin/install?repo=owner/repo", Link("plugin", "owner/repo")),
        ("hermes://plugin-agent/install?repo=owner/repo", Link("plugin-agent", "owner/repo")),
        ("hermes://plugin-desktop/install?repo=owner/repo/", Link("plugin-desktop", "owner/repo/")),
        ("hermes://plugin/install/?repo=owner/repo&enable=1&force=1", Link("plugin", "owner/repo", True, True)),
        ("hermes://plugin/install?repo=owner/repo&enable=0&force=yes", Link("plugin", "owner/repo")),
        (
            "hermes://plugin/install?force=1&repo=owner%2Frepo%2Fsub&later=x",
            Link("plugin", "owner/repo/sub", force=True),
        ),
        (
            "hermes://plugin/install?repo=https%3A%2F%2Fexample.org%2Fa.git%23sub%2Fdir",
            Link("plugin", "https://example.org/a.git#sub/dir"),
        ),
    ],
)
def test_links_that_are_links(text: str, link: Link) -> None:
    assert parse_link(text) == link


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hermes://plugin/install", "names no repository"),
        ("hermes://plugin/install?repo=", "names no repository"),
        ("hermes://plugin/remove?repo=a/b", "only /install"),
        ("hermes://theme/install?repo=a/b", "not about a plugin"),
        ("hermes://plugin:80/install?repo=a/b", "not about a plugin"),
        ("hermes://user@plugin/install?repo=a/b", "not about a plugin"),
        ("hermes://plugin/install?repo=a/b&repo=c/d", "says repo twice"),
        ("hermes://plugin/install?repo=a/b&force=0&force=1", "says force twice"),
        ("hermes://plugin/install?repo", "cannot be read"),
        ("hermes://plugin/install?repo=a%0ab", "names no repository"),
        ("hermes://plugin/install?repo=a%1b[2J", "names no repository"),
        ("hermes://plugin/install?repo=a/b\x1b", "control characters"),
        ("hermes://plugin/install?repo=" + "a" * 3000, "letters"),
        ("https://plugin/install?repo=a/b", "no install link"),
    ],
)
def test_links_that_are_none(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_link(text)
    assert said in str(refused.value)


def parsed(text: str) -> GitSource | str:
    """The source behind a link, or why there is none; whatever else is raised is a fault."""
    try:
        source, link = parse_source(text)
    except UsageError as refused:
        return str(refused)
    assert link is not None
    assert isinstance(source, GitSource)
    return source


@given(st.text(max_size=60))
def test_any_text_behind_the_scheme_is_a_link_or_refused_in_one_line(text: str) -> None:
    found = parsed(f"hermes://plugin/install?repo={text}")
    if isinstance(found, str):
        assert "\n" not in found
    else:
        assert not found.url.startswith(("-", "file:"))


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("owner/repo", GitSource(GITHUB)),
        ("owner/repo.git", GitSource(GITHUB)),
        ("owner/repo/", GitSource(GITHUB)),
        ("owner/repo/sub/dir", GitSource(GITHUB, "sub/dir")),
        ("owner/repo#sub/dir", GitSource(GITHUB, "sub/dir")),
        ("https://github.com/owner/repo/tree/main/sub/dir", GitSource(GITHUB, "sub/dir", branch="main")),
        (f"https://github.com/owner/repo/tree/{SHA}/sub", GitSource(GITHUB, "sub", ref=SHA)),
        ("https://github.com/owner/repo", GitSource("https://github.com/owner/repo")),
        ("https://example.org/a/b.git#sub", GitSource("https://example.org/a/b.git", "sub")),
        ("https://example.org/a/b.git/sub/dir", GitSource("https://example.org/a/b.git", "sub/dir")),
        ("http://example.org/a.git", GitSource("http://example.org/a.git")),
        ("git@example.org:a/b.git", GitSource("git@example.org:a/b.git")),
        ("git@example.org:a/b.git#x", GitSource("git@example.org:a/b.git", "x")),
        ("ssh://git@example.org/a.git", GitSource("ssh://git@example.org/a.git")),
        ("file:///srv/a.git#x", GitSource("file:///srv/a.git", "x")),
    ],
)
def test_repositories(text: str, source: GitSource) -> None:
    assert parse_repository(text) == source


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("ext::sh -c whoami", "names no repository"),
        ("ext::whoami/x", "names nothing"),
        ("git://example.org/a", "not supported"),
        ("ftp://example.org/a", "not supported"),
        ("-upload-pack=x/y", "names no repository"),
        ("--upload-pack=x", "names no repository"),
        ("https://-oProxyCommand=x/a", "names no host"),
        ("ssh://-oProxyCommand=x/a", "names no host"),
        ("https:///a", "names no host"),
        ("https://[::1/a", "cannot be read"),
        ("owner/..", "names nothing"),
        ("owner/./repo", "names nothing"),
        ("owner/repo/../other", "leads out"),
        ("owner/repo#../../etc", "leads out"),
        ("owner/repo#/etc", "absolute"),
        ("owner/repo#C:/x", "colon"),
        ("https://example.org/a.git/../../x", "leads out"),
        ("https://github.com/owner/repo/tree/--x/sub", "no name of a branch"),
        ("catalogue-name", "names of the catalogue"),
        ("missing.tgz", "there is no archive"),
        ("a b/c", "names no repository"),
    ],
)
def test_what_names_no_source(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_source(text, cwd=Path("/"))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_lies_on_the_disk_goes_before_a_repository(tmp_path: Path) -> None:
    (tmp_path / "owner" / "repo").mkdir(parents=True)
    (tmp_path / "a.tgz").write_bytes(b"")
    assert parse_source("owner/repo", cwd=tmp_path) == (FolderSource(tmp_path / "owner" / "repo"), None)
    assert parse_source("a.tgz", cwd=tmp_path) == (ArchiveSource(tmp_path / "a.tgz"), None)
    assert ArchiveSource(tmp_path / "notes-1.0.tar.gz").name == "notes-1.0"
    with pytest.raises(UsageError, match="--ref names a commit"):
        parse_source("a.tgz", ref=SHA, cwd=tmp_path)


def test_a_ref_is_a_whole_commit(tmp_path: Path) -> None:
    assert parse_repository("owner/repo", ref=SHA).ref == SHA
    for ref in ("main", SHA[:12], SHA.upper(), "-x", f"{SHA}\n"):
        with pytest.raises(UsageError, match="40 hex digits"):
            parse_repository("owner/repo", ref=ref)


def test_a_link_never_leads_to_this_machine() -> None:
    for repo in ("file:///etc", "file%3A%2F%2F%2Fetc", "/etc", "../x", "C:/x"):
        with pytest.raises(UsageError):
            parse_source(f"hermes://plugin/install?repo={repo}")
    assert is_link("HERMES://x")
    assert not is_link("hermes/plugin")
