"""What `check --fix` does to one file: the fixes of its findings, round after round, and one whole write at the end.

The rounds are played in memory, each on the text that the last one made, so that nothing half-mended is ever on disk
and `--diff` shows exactly what `--fix` would write. Fixes after which the file would not parse any more are not taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from loader.checking.checked import CheckedFile
from loader.checking.run import Analyzer, CheckSettings, file_of, judged, seen
from loader.checking.targets import Target
from loader.edits import with_fixes
from loader.errors import LoaderError
from loader.integrity import declared_integrity
from loader.inventory.judging import Excuse
from loader.nouns import Fix, Source

# Each round mends at least one finding; more than a few follow one another only where fixes undo each other.
_MOST_ROUNDS = 20
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Mended:
    """What came of one file. ``before`` and ``after`` are whole files in bytes, the same where there was nothing to do.

    ``titles`` say what was changed, in order. ``left`` says why a file with fixes was left alone.
    """

    target: Target
    before: bytes = field(default=b"", repr=False)
    after: bytes = field(default=b"", repr=False)
    titles: tuple[str, ...] = ()
    left: str | None = None

    @property
    def changed(self) -> bool:
        return self.before != self.after


async def mend(
    target: Target,
    analyzer: Analyzer,
    settings: CheckSettings,
    *,
    excuse: Excuse | None = None,
    wanted: Callable[[CheckedFile], CheckedFile] = lambda file: file,
) -> Mended:
    """Mend what can be mended safely, in memory. ``wanted`` takes away findings that are none of this run's business.

    Raises what checking it raises.
    """
    look = await seen(target, settings)
    source = look.source
    if source is None:
        return Mended(target)
    checked = await judged(target, look, analyzer, settings, excuse)
    file = wanted(file_of(checked, (), settings))
    if not any(found.fix for found in file.diagnostics):
        return Mended(target, source.data, source.data)
    why_not = _why_not(target, source, vouched=bool(look.pins))
    if why_not:
        return Mended(target, source.data, source.data, left=why_not)
    titles: list[str] = []
    before = source.data
    for _ in range(_MOST_ROUNDS):
        text, taken = with_fixes(source.text, _next_fixes(file))
        if text == source.text:
            break
        source = _source(source, text)
        checked = await judged(target, replace(look, source=source), analyzer, settings, excuse)
        mended = wanted(file_of(checked, (), settings))
        if not _parses(mended) and _parses(file):
            return Mended(
                target, before, before, left="the fixes would break it, which is a fault of theirs: report it"
            )
        file, titles = mended, [*titles, *(fix.title for fix in taken)]
    return Mended(target, before, source.data, tuple(dict.fromkeys(titles)))


def _why_not(target: Target, source: Source, *, vouched: bool) -> str | None:
    if vouched or declared_integrity(target.candidate) is not None:
        return "its bytes are vouched for by a hash, which a fix would break"
    # Bytes that are no UTF-8 would be written back as what they were read as.
    if _encoded(source.had_bom, source.text) != source.data:
        return "it is no clean UTF-8"
    return None


def _source(before: Source, text: str) -> Source:
    data = _encoded(before.had_bom, text)
    return Source(data, text, hashlib.sha256(data).hexdigest(), before.had_bom, before.findings)


def _encoded(had_bom: bool, text: str) -> bytes:
    return (_MARK if had_bom else b"") + text.encode("utf-8", "surrogatepass")


def _next_fixes(file: CheckedFile) -> list[Fix]:
    """Errors first, in a round of their own: once a module's name is right, names can join its list of imports."""
    fixable = [found for found in file.diagnostics if found.fix]
    errors = [found for found in fixable if found.severity == "error"]
    return [found.fix for found in errors or fixable if found.fix]


def _parses(file: CheckedFile) -> bool:
    return not any(found.severity == "error" and found.code.startswith("HP1") for found in file.diagnostics)


# ---------------------------------------------------------------- writing


def write_mended(mended: Mended) -> None:
    """Put the mended bytes in the file's place: whole or not at all, and only over the bytes that were looked at.

    A link stays a link, what it leads to is written. Rights stay. Blocking.

    Raises:
        LoaderError: the file was changed meanwhile, or cannot be written; it is as it was.
    """
    path = Path(os.path.realpath(mended.target.candidate.path))
    shown = mended.target.shown
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        _write_new(temporary, mended.after, mode)
        # As late as can be: whoever saved since we looked has the last word.
        if path.read_bytes() != mended.before:
            raise LoaderError(f"{shown} was changed while it was checked; nothing was written. Run it again.")
        temporary.replace(path)
    except OSError as error:
        raise LoaderError(f"{shown} cannot be written: {error.strerror or error}. It is as it was.") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with open(handle, "wb") as file:  # noqa: PTH123 (an open descriptor has no path)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(mode)  # the umask has cut what open was given
