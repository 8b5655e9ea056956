"""``plugins.enabled`` and ``plugins.disabled`` of a home's config.yaml: read as they stand, and changed with care.

The file is the user's and Hermes': a change touches the two lists and nothing else (comments, order, quotes and line
ends stay), goes to a temporary file first and is renamed over the old one, under a lock.
"""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from loader.config_yaml import load, text_of
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.regular_file import opened_regular
from loader.state import ensure_state_dir

CONFIG_FILE = "config.yaml"
LIMIT_BYTES = 1024 * 1024
LOCK_TIMEOUT_S = 10.0
_WIDE = 1_000_000


@dataclass(frozen=True, slots=True)
class Lists:
    """``problem``: why nothing counts as enabled, in one line."""

    enabled: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()
    problem: str | None = None


def lists_in(data: bytes) -> Lists:
    """What the file's bytes say. A missing list holds nothing; names compare exactly.

    What is no list enables nothing and is said: tools write ``enabled: '["board"]'``, a text, and wonder. A text alone
    in ``disabled`` counts as one name: whoever wrote it wants something off.
    """
    try:
        text = text_of(data)
        loaded = load(text) if "plugins" in text else None
    except Exception as error:  # the parser lets out whatever it stumbles over; it enables nothing
        return Lists(problem=f"config.yaml is no valid YAML ({_first_line(error)})")
    plugins = loaded.get("plugins") if isinstance(loaded, dict) else None
    if plugins is None:
        return Lists()
    if not isinstance(plugins, dict):
        return Lists(problem=f"'plugins' in config.yaml is {_kind(plugins)}, no mapping of 'enabled' and 'disabled'")
    enabled, disabled = plugins.get("enabled"), plugins.get("disabled")
    problem = None
    if enabled is not None and not isinstance(enabled, list):
        problem = f"'plugins.enabled' in config.yaml is {_kind(enabled)}, no list"
    return Lists(_names(enabled), _names([disabled] if isinstance(disabled, str) else disabled), problem)


def _names(value: object) -> frozenset[str]:
    return frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else frozenset()


def _kind(value: object) -> str:
    return {str: "a text", list: "a list", dict: "a mapping", bool: "true or false"}.get(type(value), "a value")


def _first_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}" if mark is not None else ""
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    return f"{str(problem).splitlines()[0]}{where}"


class ConfigReader:
    """The lists as they stand now. Blocks (reads a file); parses only what has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: bytes | None = None
        self._lists = Lists()

    def read(self) -> Lists:
        """A file that cannot be read or understood enables nothing: never run what may have been switched off."""
        try:
            with opened_regular(self.path) as file:
                data = file.read(LIMIT_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            data = b""
        except OSError as error:
            return Lists(problem=f"{self.path} cannot be read ({error.strerror or error})")
        if len(data) > LIMIT_BYTES:
            return Lists(problem=f"{self.path} is larger than {LIMIT_BYTES // 1024} KiB")
        if data != self._seen:
            self._lists, self._seen = lists_in(data), data
        return self._lists


# ---------------------------------------------------------------- changing


def set_enabled(home: Home, names: Sequence[str], enabled: bool) -> bool:
    """Put the names on ``plugins.enabled`` and take them off ``plugins.disabled``, or the other way round.

    Gives whether anything had to change. Blocks.

    Raises:
        UsageError: the file is no YAML, or its ``plugins`` (or a list in it) is something else.
        LoaderError: it cannot be read, locked or written; the old file stands then.
    """
    path = home.home / CONFIG_FILE
    ensure_state_dir(home.state_dir)
    lock = FileLock(home.state_dir / "config.yaml.lock", timeout=LOCK_TIMEOUT_S, mode=0o600)
    try:
        with lock:
            old = _bytes_of(path)
            new = changed(old, names, enabled)
            if new == old:
                return False
            _replace(path, new)
            return True
    except Timeout:
        raise LoaderError(f"{path} is being changed by another process. Try again.") from None
    except OSError as error:
        raise LoaderError(f"{path} could not be changed: {error.strerror or error}. It is as it was.") from error


def changed(data: bytes, names: Sequence[str], enabled: bool) -> bytes:
    """The file's bytes with the lists changed. Raises UsageError where that is not possible."""
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("config.yaml is no UTF-8. Mend it first.") from None
    crlf = "\r\n" in text
    text = text.replace("\r\n", "\n")
    document = _loaded(text)
    before = ""
    if document is None:
        # A file of comments alone loads as nothing, and would lose them.
        document, before, text = CommentedMap(), text, ""
    if not isinstance(document, CommentedMap):
        raise UsageError("config.yaml holds no mapping. Mend it first.")
    where = _block(document, text)
    if not _change(document, names, enabled):
        return data
    out = io.StringIO()
    _round_trip(text).dump(document, out)
    made = before + ("\n" if before and not before.endswith("\n") else "") + _spliced(text, where, out.getvalue())
    return mark + (made.replace("\n", "\r\n") if crlf else made).encode("utf-8")


def _loaded(text: str) -> Any:
    try:
        return _round_trip(text).load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"config.yaml is no valid YAML ({_first_line(error)}). Mend it first.") from None


def _block(document: CommentedMap, text: str) -> tuple[int, int] | None:
    """The lines of ``plugins`` with its value; where it is missing, the end; None in a document without lines."""
    lines = len(text.splitlines())
    if not document or document.fa.flow_style():
        return None
    if "plugins" not in document:
        return lines, lines
    starts = sorted(document.lc.key(key)[0] for key in document)
    start = document.lc.key("plugins")[0]
    return start, next((line for line in starts if line > start), lines)


def _spliced(text: str, where: tuple[int, int] | None, dumped: str) -> str:
    """The old text with only the block of ``plugins`` from the new one: even spaces of the rest are the user's."""
    block = _block(_loaded(dumped), dumped)
    if where is None or block is None:
        return dumped
    old, new = text.splitlines(keepends=True), dumped.splitlines(keepends=True)
    head, tail = old[: where[0]], old[where[1] :]
    if head and not head[-1].endswith("\n"):
        head[-1] += "\n"
    made = "".join((*head, *new[block[0] : block[1]], *tail))
    # Whatever was not foreseen: the meaning decides.
    return made if _meaning(made) == _meaning(dumped) else dumped


def _meaning(text: str) -> Any:
    try:
        return load(text)
    except (YAMLError, ValueError, RecursionError):
        return None


def _change(document: CommentedMap, names: Sequence[str], enabled: bool) -> bool:
    plugins = document.get("plugins")
    if plugins is None:
        plugins = document["plugins"] = CommentedMap()
    if not isinstance(plugins, CommentedMap):
        raise UsageError("'plugins' in config.yaml is no mapping. Mend it first.")
    to, away = ("enabled", "disabled") if enabled else ("disabled", "enabled")
    did = False
    for name in names:
        did = _add(plugins, to, name) or did
        did = _remove(plugins, away, name) or did
    return did


def _add(plugins: CommentedMap, key: str, name: str) -> bool:
    found = _list_of(plugins, key)
    if found is None:
        found = plugins[key] = CommentedSeq()
    if name in found:
        return False
    # Hermes writes its lists sorted; one that a person keeps in an order of their own is only added to.
    plain = [str(one) for one in found]
    place = sum(one < name for one in plain) if plain == sorted(plain) and not _has_comments(found) else len(found)
    found.insert(place, name)
    return True


def _remove(plugins: CommentedMap, key: str, name: str) -> bool:
    found = _list_of(plugins, key)
    if found is None or name not in found:
        return False
    while name in found:
        found.remove(name)
    return True


def _list_of(plugins: CommentedMap, key: str) -> CommentedSeq | None:
    found = plugins.get(key)
    if found is None:
        return None
    if not isinstance(found, CommentedSeq):
        raise UsageError(f"'plugins.{key}' in config.yaml is no list. Mend it first.")
    return found


def _has_comments(found: CommentedSeq) -> bool:
    return bool(found.ca.items)


def _round_trip(text: str) -> Any:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = _WIDE
    yaml.explicit_start = text.lstrip().startswith("---") or None
    # As PyYAML, and so Hermes, writes: lists at their key's own depth; indented ones are kept so.
    indented = (
        any(
            line.startswith("  - ") and above.rstrip().endswith(":") and not above.startswith((" ", "#"))
            for above, line in zip(text.splitlines(), text.splitlines()[1:], strict=False)
        )
        or "\n    - " in text
    )
    if indented:
        yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _bytes_of(path: Path) -> bytes:
    try:
        with opened_regular(path) as file:
            data = file.read(LIMIT_BYTES + 1)
    except FileNotFoundError:
        return b""
    if len(data) > LIMIT_BYTES:
        raise LoaderError(f"{path} is larger than {LIMIT_BYTES // 1024} KiB.")
    return data


def _replace(path: Path, data: bytes) -> None:
    # What a link names is changed, the link stays: people keep their dotfiles elsewhere.
    real = Path(os.path.realpath(path))
    temporary = real.with_name(f".{real.name}.{secrets.token_hex(4)}.tmp")
    try:
        mode = stat.S_IMODE(real.stat().st_mode)
    except FileNotFoundError:
        mode = 0o600
    try:
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(number, "wb") as file:  # noqa: PTH123 - an open descriptor has no path
            file.write(data)
            file.flush()
            os.fsync(number)
        temporary.chmod(mode)
        temporary.replace(real)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
