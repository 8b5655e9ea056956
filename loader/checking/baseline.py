"""A baseline: the findings that were there when somebody began to look, so that only new ones are reported.

The file is JSON, made to be committed: sorted, a line for each finding, paths relative to the file's own folder. What
keeps a plugin from loading is never taken into it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from loader.checking.checked import CheckedFile, CheckRun
from loader.checking.fingerprints import fingerprints
from loader.errors import LoaderError, UsageError
from loader.preferences import is_final

LookedFor: TypeAlias = Callable[[str], bool]

_VERSION = 1
_WRONG_PLACE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
_SIZE_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """One finding of the baseline. ``path`` has slashes on every system; ``code`` is for people who read the file."""

    path: str
    code: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """``folder`` is that of the file: paths count from there."""

    folder: Path
    known: frozenset[Known] = frozenset()

    def without_known(self, run: CheckRun) -> CheckRun:
        return replace(run, files=tuple(self.only_new(file) for file in run.files))

    def only_new(self, file: CheckedFile) -> CheckedFile:
        path = self._path(file)
        marks = {each.fingerprint for each in self.known if each.path == path}
        if not marks:
            return file
        new = tuple(found for found, mark in fingerprints(file) if is_final(found) or mark not in marks)
        return replace(file, diagnostics=new, known=len(file.diagnostics) - len(new))

    def gone(self, run: CheckRun, looked_for: LookedFor = lambda code: True) -> int:
        """How many of its findings are not there any more, in the files of this run (before it is applied).

        ``looked_for`` tells for a code whether the run would have said it.
        """
        return len(self._about(run, looked_for) - self._of(run.files))

    def updated(self, run: CheckRun, looked_for: LookedFor = lambda code: True) -> Baseline:
        """With what the run found in place of what was known of its files; files that are gone are forgotten."""
        others = self.known - self._about(run, looked_for)
        kept = {each for each in others if (self.folder / each.path).exists()}
        return replace(self, known=frozenset(kept | self._of(run.files)))

    def _about(self, run: CheckRun, looked_for: LookedFor) -> set[Known]:
        paths = {self._path(file) for file in run.files}
        return {each for each in self.known if each.path in paths and looked_for(each.code)}

    def _of(self, files: Iterable[CheckedFile]) -> set[Known]:
        return {
            Known(self._path(file), found.code, mark)
            for file in files
            for found, mark in fingerprints(file)
            if not is_final(found)
        }

    def _path(self, file: CheckedFile) -> str:
        try:
            return PurePath(os.path.relpath(Path.cwd() / file.path, self.folder)).as_posix()
        except ValueError:  # Windows: on another drive
            return PurePath(file.path).as_posix()


def read_baseline(path: Path) -> Baseline | None:
    """The baseline in a file, None when there is none yet.

    Raises:
        UsageError: it cannot be read or is no baseline.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_LIMIT_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror or error}.") from error
    if len(data) > _SIZE_LIMIT_BYTES:
        raise UsageError(f"the baseline {path} is larger than {_SIZE_LIMIT_BYTES} bytes.")
    try:
        stored: Any = json.loads(data)
        version, rows = stored["version"], stored["findings"]
        if version != _VERSION:
            raise UsageError(f"the baseline {path} is of version {version!r}, this program reads {_VERSION}.")
        known = frozenset(Known(_text(row["path"]), _text(row["code"]), _text(row["fingerprint"])) for row in rows)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            f"{path} is no baseline of ours ({type(error).__name__}: {error}). Name another file, or make it anew with "
            "--update-baseline after moving it away."
        ) from error
    return Baseline(_folder(path), known)


def new_baseline(path: Path) -> Baseline:
    return Baseline(_folder(path))


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write it whole, or leave what is there. Blocking.

    Raises:
        UsageError: there is no such folder, or nobody may write there.
        LoaderError: it cannot be written for another reason (a full disk).
    """
    rows = [
        json.dumps({"path": each.path, "code": each.code, "fingerprint": each.fingerprint})
        for each in sorted(baseline.known)
    ]
    head = f'{{"version": {_VERSION}, "tool": "hermes-desktop", "findings": ['
    text = "\n".join((head, ",\n".join(rows), "]}", ""))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        kind = UsageError if isinstance(error, _WRONG_PLACE) else LoaderError
        raise kind(f"the baseline {path} cannot be written: {error.strerror or error}.") from error


def _folder(path: Path) -> Path:
    return (Path.cwd() / path).parent


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where text belongs")
    return value
