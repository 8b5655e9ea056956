"""What a person names as the source of a package: a folder, an archive, a git repository, a link to one, or a web app
under development."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit, urlunsplit

from loader.errors import UsageError
from loader.packages.development import DevelopmentSource, development_source, is_development, is_loopback_host
from loader.packages.links import Link, is_link, parse_link
from loader.packages.names import ARCHIVE_ENDINGS, parts_of
from loader.packages.refused import shown

URL_SCHEMES = ("https", "http", "ssh", "file")

_REF = re.compile(r"[0-9a-f]{40}")
_SHORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._-]{1,100}(?:/.*)?")
_SCP_LIKE = re.compile(r"[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:(?!/).+")
_CATALOG_NAME = re.compile(r"[a-z0-9_-]{1,64}")
_GITHUB_PAGE = re.compile(r"/(?P<repo>[^/]+/[^/]+?)(?:\.git)?/(?:tree|blob)/(?P<branch>[^/]+)(?:/(?P<dir>.*))?")
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")


@dataclass(frozen=True, slots=True)
class FolderSource:
    path: Path

    @property
    def said(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    path: Path

    @property
    def said(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """What the archive is called, for a plugin that says no name of its own."""
        lower = self.path.name.casefold()
        ending = next((end for end in sorted(ARCHIVE_ENDINGS, key=len, reverse=True) if lower.endswith(end)), "")
        return self.path.name[: len(self.path.name) - len(ending)]


@dataclass(frozen=True, slots=True)
class GitSource:
    """``url`` is what git is given. ``ref`` is a commit, 40 hex digits; without it (and without ``branch``) the
    repository's own default branch counts. ``subdir`` is a relative path with slashes, empty for the whole."""

    url: str
    subdir: str = ""
    ref: str | None = None
    branch: str | None = None

    @property
    def said(self) -> str:
        """For people and for the record: without user name and password."""
        return without_credentials(self.url) + (f"#{self.subdir}" if self.subdir else "")

    @property
    def name(self) -> str:
        last = (self.subdir or re.split(r"[/:]", self.url.rstrip("/"))[-1]).rsplit("/", 1)[-1]
        return last.removesuffix(".git")

    @property
    def warning(self) -> str | None:
        """What is to know about the way itself."""
        if self.url.startswith("http:"):
            return "http is not encrypted: what arrives may not be what was sent."
        if self.url.startswith("file:"):
            return "it is a repository on this machine."
        return None


Source: TypeAlias = FolderSource | ArchiveSource | GitSource | DevelopmentSource


def parse_source(text: str, *, ref: str | None = None, cwd: Path | None = None) -> tuple[Source, Link | None]:
    """The source that ``text`` names, and the link if it is one. What exists on the disk goes before a repository.

    Raises:
        UsageError: nothing of the kind; says what the forms are.
    """
    if is_link(text):
        link = parse_link(text)
        source = parse_repository(link.repo, ref=ref)
        parts = urlsplit(source.url)
        if parts.scheme == "file" or is_loopback_host(parts.hostname or ""):
            raise UsageError("the link names a repository on this machine. Install from there yourself if you mean it.")
        return source, link
    if not text.strip():
        raise UsageError(f"the source is empty. {_FORMS}")
    path = (Path.cwd() if cwd is None else cwd) / Path(text).expanduser()
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        if ref is not None:
            raise UsageError("--ref names a commit of a git repository, and the source is a file or folder.")
        return (FolderSource(path.resolve()) if path.is_dir() else ArchiveSource(path.resolve())), None
    if text.casefold().endswith(ARCHIVE_ENDINGS) and "://" not in text:
        raise UsageError(f"there is no archive {shown(text)}.")
    development = _development(text)
    if development is not None and ref is not None:
        raise UsageError("--ref names a commit of a git repository, and the source is a development address.")
    return development or parse_repository(text, ref=ref), None


def _development(text: str) -> DevelopmentSource | None:
    """The server that an address names; None for what is a repository, or nothing. Raises UsageError as it does."""
    try:
        parts = urlsplit(text)
        if not is_development(parts) or not text.isprintable():
            return None
    except ValueError:
        return None
    return development_source(parts)


_FORMS = (
    "It may be a folder, an archive, owner/repo[/sub/dir], a git URL[#sub/dir], a hermes:// link, or the "
    "http://localhost:… address of a web app under development."
)


def parse_repository(text: str, *, ref: str | None = None) -> GitSource:
    """``owner/repo[/sub/dir]``, a git URL or a page of GitHub, each with ``#sub/dir`` if wanted.

    Raises:
        UsageError: it names none, the sub-directory leads outside, or ``ref`` is no commit.
    """
    checked_ref(ref)
    if not text.isprintable() or text.startswith("-") or any(letter.isspace() for letter in text):
        raise UsageError(f"{shown(text)} names no repository. {_FORMS}")
    url, _, subdir = text.partition("#")
    scheme = url.partition("://")[0] if "://" in url else ""
    if scheme in URL_SCHEMES:
        return _of_url(url, subdir, ref)
    if scheme:
        if scheme in ("http", "https"):
            raise UsageError(f"{shown(text)} cannot be read.")
        raise UsageError(f"the address scheme {shown(scheme)} is not supported; use {', '.join(URL_SCHEMES)}.")
    if _SCP_LIKE.fullmatch(url):
        return GitSource(url, _subdir(subdir), ref)
    if _SHORT.fullmatch(url):
        owner, repo, *rest = url.split("/")
        inside = "/".join([*(part for part in rest if part), *([subdir] if subdir else [])])
        return GitSource(f"https://github.com/{owner}/{repo.removesuffix('.git')}.git", _subdir(inside), ref)
    if _CATALOG_NAME.fullmatch(url):
        raise UsageError(
            f"there is no {shown(text)} here, and names of the catalogue are not known to this program. {_FORMS}"
        )
    raise UsageError(f"{shown(text)} names nothing to install. {_FORMS}")


def checked_ref(ref: str | None) -> str | None:
    """Raises UsageError for what is no full commit: a shorter one, a branch and a tag can mean another one tomorrow."""
    if ref is not None and not _REF.fullmatch(ref):
        raise UsageError(f"--ref {shown(ref)}: a commit has 40 hex digits (0-9, a-f).")
    return ref


def without_credentials(url: str) -> str:
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if not parts.scheme or not at:
        return url
    # The name that one logs in by is part of an ssh address; in the others it may be a token.
    kept = f"{user.partition(':')[0]}@" if parts.scheme == "ssh" else ""
    return urlunsplit(parts._replace(netloc=f"{kept}{host}"))


def _of_url(url: str, subdir: str, ref: str | None) -> GitSource:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise UsageError(f"{shown(url)} cannot be read ({error}).") from error
    if parts.scheme != "file" and (not host or host.startswith("-")):
        raise UsageError(f"{shown(url)} names no host.")
    if is_development(parts) and not subdir:
        raise UsageError(f"{shown(url)} is a development address, which is named by itself and by nobody else.")
    page = _GITHUB_PAGE.fullmatch(parts.path) if host in ("github.com", "www.github.com") else None
    if page is not None:
        branch = page["branch"]
        if not _BRANCH.fullmatch(branch):
            raise UsageError(f"{shown(branch)} is no name of a branch.")
        inside = "/".join(part for part in (page["dir"] or "", subdir) if part)
        named = branch if _REF.fullmatch(branch) else None
        return GitSource(
            f"https://github.com/{page['repo']}.git",
            _subdir(inside),
            ref or named,
            branch if named is None and ref is None else None,
        )
    before, git, after = parts.path.partition(".git/")
    if git and after.strip("/"):
        subdir = "/".join(part for part in (after.strip("/"), subdir) if part)
        url = urlunsplit(parts._replace(path=f"{before}.git"))
    return GitSource(url, _subdir(subdir), ref)


def _subdir(text: str) -> str:
    return "/".join(parts_of(text)) if text.strip("/") else ""
