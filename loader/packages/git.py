"""Fetches one commit with the system's git, and takes the files out of it without ever checking them out.

No work tree is made, so no hook, filter, submodule or link of the repository ever acts: the commit's tree goes through
the same reader as a foreign archive. Hooks are off, other transports than those that a person may name are refused,
nothing asks for a password, and time and size are bounded. All of it blocks.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loader.errors import LoaderError, TimedOut, UsageError
from loader.packages.archives import extract_tree
from loader.packages.limits import LIMITS, MIB, Limits
from loader.packages.members import Listing
from loader.packages.refused import Invalid, shown
from loader.packages.sources import URL_SCHEMES, GitSource

FETCH_DEADLINE_S = 300.0
# A shallow clone brings the whole tree, wanted or not: more than a package may have, for repositories of many.
FETCH_LIMIT_BYTES = 500 * MIB

_LOOK_EVERY_S = 0.05
# Whatever else of git's own variables is set (GIT_DIR above all) is about some other repository.
_KEPT = frozenset(
    {"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH"}
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """``revision`` is the commit, 40 hex digits."""

    revision: str
    listing: Listing


def fetch_git(
    source: GitSource,
    into: Path,
    work: Path,
    *,
    limits: Limits = LIMITS,
    deadline_s: float = FETCH_DEADLINE_S,
    fetch_limit_bytes: int = FETCH_LIMIT_BYTES,
    environ: Mapping[str, str] | None = None,
    find: Callable[[str], str | None] = shutil.which,
) -> Fetched:
    """Write the files of a commit (or of one sub-directory of it) below ``into``, an empty folder.

    ``work`` is an empty folder for git itself, the caller's to remove. Links in the tree are passed over.

    Raises:
        UsageError: there is no such repository, commit or sub-directory; Invalid: what it holds may not be installed.
        TimedOut: it took longer than ``deadline_s``. LoaderError: there is no git here.
    """
    program = find("git")
    if program is None:
        raise LoaderError("git is not on the PATH: install it, or name a folder or an archive.")
    git = _Git(
        program, work, time.monotonic() + deadline_s, fetch_limit_bytes, os.environ if environ is None else environ
    )
    git.run("init", "--quiet", "--bare", "--template=", ".")
    wanted = source.ref or (f"refs/heads/{source.branch}" if source.branch else "HEAD")
    options = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance")
    git.run("fetch", *options, "--", source.url, wanted, about=source.said)
    revision = git.answer("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}")
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", revision):
        raise UsageError(f"{shown(source.said)}: what was fetched is no commit.")
    if source.ref is not None and revision != source.ref:
        raise UsageError(f"{shown(source.said)}: the commit {source.ref} was asked for and {revision} arrived.")
    tree = f"{revision}:{source.subdir}" if source.subdir else revision
    if source.subdir and git.answer("cat-file", "-t", tree) != "tree":
        raise UsageError(f"{shown(source.said)}: the commit has no folder {shown(source.subdir)}.")
    packed = work / "tree.tar"
    # Now the repository's own attributes meet no filter: those are defined in a user's settings only.
    git.run("archive", "--format=tar", f"--output={packed}", tree, plain=True)
    with packed.open("rb") as file:
        try:
            listing = extract_tree(file, into, limits=limits)
        except Invalid as refused:
            if refused.member is None and not any(into.iterdir()) and "no file" in refused.reason:
                raise UsageError(f"{shown(source.said)} is empty.") from refused
            raise
    return Fetched(revision, listing)


class _Git:
    """Runs git in the bare repository ``work``, under the deadline and the limit of the whole fetch."""

    def __init__(
        self, program: str, work: Path, ends_at_s: float, limit_bytes: int, environ: Mapping[str, str]
    ) -> None:
        self._program = program
        self._work = work
        self._ends_at_s = ends_at_s
        self._limit_bytes = limit_bytes
        kept = {key: value for key, value in environ.items() if not key.startswith("GIT_") or key in _KEPT}
        self._environ = kept | {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",  # empty, not unset: no other program is looked for
            "GIT_ALLOW_PROTOCOL": ":".join(URL_SCHEMES),
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_DIR": str(work),
            "GCM_INTERACTIVE": "never",
            "LC_ALL": "C",
        }

    def run(self, *args: str, about: str | None = None, plain: bool = False) -> None:
        """Raises UsageError with git's own last words."""
        if self._call(args, plain=plain) != 0:
            text = self._read("stderr")
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            # The first fatal line names the cause, what follows it is advice.
            said = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
            raise UsageError(f"{shown(about) if about else 'git'}: git {args[0]} failed ({shown(said, 200)}).")

    def answer(self, *args: str) -> str:
        return self._read("stdout").strip() if self._call(args) == 0 else ""

    def _call(self, args: Sequence[str], *, plain: bool = False) -> int:
        settings = ("core.hooksPath=" + os.devnull, "core.fsmonitor=false", "submodule.recurse=false", "gc.auto=0")
        command = [self._program, *(part for setting in settings for part in ("-c", setting)), *args]
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} if plain else {}
        with (self._work / "stdout").open("wb") as out, (self._work / "stderr").open("wb") as err:
            process = subprocess.Popen(
                command,
                cwd=self._work,
                env=self._environ | own,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                # A session of its own: it has no terminal to ask on, and can be ended with all its children.
                start_new_session=True,
            )
            try:
                return self._watched(process)
            finally:
                _end(process)

    def _watched(self, process: subprocess.Popen[bytes]) -> int:
        while True:
            try:
                code = process.wait(_LOOK_EVERY_S)
            except subprocess.TimeoutExpired:
                code = None
            if _size_bytes(self._work) > self._limit_bytes:
                raise Invalid(f"the repository brings more than {self._limit_bytes} bytes")
            if code is not None:
                return code
            if time.monotonic() > self._ends_at_s:
                raise TimedOut("git took too long. Try again, or name an archive.")

    def _read(self, name: str) -> str:
        with (self._work / name).open("rb") as file:
            return file.read(16 * 1024).decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _size_bytes(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # git renames its own files meanwhile
                total += Path(place, name).lstat().st_size
    return total
