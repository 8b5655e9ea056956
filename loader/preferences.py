"""Which findings somebody wants to see: ``[tool.hermes-desktop]`` in ``pyproject.toml``, or ``.hermes-desktop.toml``.

The nearest folder that has one decides alone, nothing is merged; in one folder the file of our own comes first, and a
pyproject.toml without the table is passed over. Behind a home's door only the plugin's own folder (its package's)
counts, so that the service and `check` say the same; in a checkout every folder up to the repository's root does.

Taste ends where loading begins: see ``is_final``.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from loader.codes import CODES, finding
from loader.discovery import DESKTOP_HALF
from loader.errors import UsageError
from loader.nouns import Candidate, Diagnostic
from loader.source import Unreadable, plugin_folder, read_path

OWN_FILE = ".hermes-desktop.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "tool.hermes-desktop"
KEYS = ("select", "ignore", "strict", "per-file-ignores")

_SIZE_LIMIT_BYTES = 256 * 1024
_MOST_CODES = 200
_MOST_PATTERNS = 200
_LONGEST_PATTERN = 300
_MOST_FOLDERS = 32
_MOST_PARTS = 64
_PART = re.compile(r"""[ \t]*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*""", re.ASCII)
_PREFIX = re.compile(r"HP\d{0,3}", re.IGNORECASE)
# Letters that are typed for digits.
_SLIPS = str.maketrans("OIL", "011")
# What keeps a file from loading stays said: reading, language, imports, identity (diagnostics.md, "Suppression").
_NEVER = ("HP0", "HP1", "HP2", "HP3")
# These would freeze or kill the app's window: that is for its user to allow (`allow-heavy`), not for the plugin.
_NOT_BY_THE_PLUGIN = ("HP402", "HP404")


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes and prefixes, in capitals. ``select`` None means all. The longer prefix wins, at a draw ``ignore``."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    def wants(self, code: str) -> bool:
        chosen = 0 if self.select is None else _longest(self.select, code)
        return chosen >= 0 and chosen > _longest(self.ignore, code)


ALL = Selection()


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one table says. ``folder`` is where it stands, and where the patterns of ``per_file`` begin."""

    selection: Selection = ALL
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    strict: bool = False
    folder: str = ""

    def kept(self, findings: Iterable[Diagnostic], path: str) -> tuple[Diagnostic, ...]:
        """The findings about the file at ``path`` (absolute) that are to be said, in their order."""
        selection = self._for(path)
        return tuple(one for one in findings if is_final(one) or selection.wants(one.code))

    def _for(self, path: str) -> Selection:
        inside = _inside(path, self.folder) if self.per_file else None
        if inside is None:
            return self.selection
        more = [code for pattern, codes in self.per_file if matches(inside, pattern) for code in codes]
        return replace(self.selection, ignore=(*self.selection.ignore, *more))


NO_PREFERENCES = Preferences()


def is_final(found: Diagnostic, *, user_asks: bool = False) -> bool:
    """Whether a finding is said whatever a comment or a table wants.

    ``user_asks``: a person says so on the command line, who may also answer for what is heavy.
    """
    never = _NEVER if user_asks else (*_NEVER, *_NOT_BY_THE_PLUGIN)
    return found.severity == "error" and found.code.startswith(never)


def parse_codes(texts: Iterable[str]) -> tuple[str, ...]:
    """Codes and prefixes of codes as people write them, in capitals.

    Raises:
        ValueError: one is none, or there are too many; says what to write instead.
    """
    found = [text.strip() for text in texts]
    if len(found) > _MOST_CODES:
        raise ValueError(f"more than {_MOST_CODES} codes: name prefixes, such as HP5")
    return tuple(_code(text) for text in found)


def _code(text: str) -> str:
    code = text.upper()
    if _PREFIX.fullmatch(text) and any(known.startswith(code) for known in CODES):
        return code
    by_rule = next((known for known in CODES.values() if known.rule == text.casefold()), None)
    if by_rule is not None:
        raise ValueError(f"write the code {by_rule.code} for `{by_rule.rule}`")
    near = difflib.get_close_matches(code[:20].translate(_SLIPS), CODES, n=1, cutoff=0.7)
    guess = f"did you mean {near[0]}?" if near else "`hermes-desktop rules` lists the codes"
    raise ValueError(f"`{text[:40]}` is no code and no prefix of one: {guess}")


def ended(sentence: str) -> str:
    """With its full stop, unless it asks."""
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


# ---------------------------------------------------------------- patterns


def matches(inside: PurePath, pattern: str) -> bool:
    """Whether a path, relative to the table's folder, or a folder on the way to it goes by this pattern.

    ``*`` and ``?`` stay within one name, ``**`` is any number of folders; a pattern without a slash may begin anywhere.
    """
    steps = [step for step in pattern.split("/") if step not in ("", ".")]
    if "/" not in pattern.rstrip("/"):
        steps = ["**", *steps]
    parts = inside.parts
    # How many parts of the path the steps so far may have used up: no backtracking, whatever the pattern.
    used = {0}
    for step in steps:
        if step == "**":
            used = set(range(min(used), len(parts) + 1))
        else:
            used = {at + 1 for at in used if at < len(parts) and fnmatchcase(parts[at], step)}
        if not used:
            return False
    return True


def _inside(path: str, folder: str) -> PurePath | None:
    try:
        return PurePath(path).relative_to(folder)
    except ValueError:
        return None


# ---------------------------------------------------------------- where a table stands


def preferences_beside(candidate: Candidate) -> tuple[Preferences, tuple[Diagnostic, ...]]:
    """The table in the plugin's own folder. Blocking; raises nothing: one that is wrong is HP521 and does not count."""
    try:
        for folder in _own_folders(candidate):
            found = _in_folder(folder)
            if found is not None:
                return found, ()
    except UsageError as wrong:
        return NO_PREFERENCES, (
            finding("HP521", f"the check's settings do not count: {wrong}", hint="Mend the file or remove it."),
        )
    return NO_PREFERENCES, ()


def preferences_around(candidate: Candidate, *, cwd: Path | None = None) -> Preferences:
    """The nearest table, from the plugin's folder up to the repository's root. Blocking.

    Raises:
        UsageError: it cannot be read or understood; says where and what.
    """
    for folder in _folders_above(Path(candidate.path).parent, Path.cwd() if cwd is None else cwd):
        found = _in_folder(folder)
        if found is not None:
            return found
    return NO_PREFERENCES


def settings_files(candidate: Candidate) -> tuple[Path, ...]:
    """The files that ``preferences_beside`` may read: a change of one is a change of what is said."""
    return tuple(folder / name for folder in _own_folders(candidate) for name in (OWN_FILE, SHARED_FILE))


def _own_folders(candidate: Candidate) -> Iterator[Path]:
    own = Path(candidate.path).parent
    yield own
    outer = Path(plugin_folder(candidate))
    if outer != own:
        yield outer


def _folders_above(folder: Path, cwd: Path) -> Iterator[Path]:
    """Up to the folder that holds ``.git``; in no repository up to the current folder. A table further above, in
    somebody's own home folder, was not written for this plugin."""
    above = [folder, *folder.parents][:_MOST_FOLDERS]
    root = next((each for each in above if (each / ".git").exists()), cwd if cwd in above else None)
    if root is not None:
        yield from above[: above.index(root) + 1]
        return
    yield folder
    if folder.name == DESKTOP_HALF:
        yield folder.parent


def _in_folder(folder: Path) -> Preferences | None:
    for name in (OWN_FILE, SHARED_FILE):
        path = folder / name
        data = _bytes(path)
        # Most pyproject.toml are about other things, and parsing one is slow.
        if data is None or (name == SHARED_FILE and b"hermes-desktop" not in data):
            continue
        table = _table(path, data)
        if table is not None:
            return read_table(table, path)
    return None


def _bytes(path: Path) -> bytes | None:
    """The file's bytes, None when there is none. Only regular files are opened: a FIFO here would hold us for ever."""
    read = read_path(str(path), limit_bytes=_SIZE_LIMIT_BYTES)
    if isinstance(read, Unreadable):
        if read.absent:
            return None
        raise UsageError(f"{path}: {read.findings[0].message}")
    return read.data


def _table(path: Path, data: bytes) -> Mapping[str, Any] | None:
    try:
        text = data.decode("utf-8-sig")
        if _has_endless_key(text):
            raise ValueError(f"a key has more than {_MOST_PARTS} parts")
        document: Any = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no UTF-8.") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UsageError(f"{path} is no TOML: {error or 'nested too deeply'}.") from error
    # In a file of our own the keys may stand at the top or under the same heading as in pyproject.toml.
    if path.name == OWN_FILE and "tool" not in document:
        return dict(document)
    found = document
    for step in TABLE.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    if found is None:
        return None if path.name == SHARED_FILE else {}
    if not isinstance(found, dict):
        raise UsageError(f"{path}: `{TABLE}` must be a table.")
    return found


# ---------------------------------------------------------------- what a table may say


def read_table(table: Mapping[str, Any], path: Path) -> Preferences:
    """The table of a file, checked to the last value.

    Raises:
        UsageError: names the file, the key, and what to write instead.
    """
    for key in table:
        if key not in KEYS:
            near = difflib.get_close_matches(key[:40].replace("_", "-"), KEYS, n=1, cutoff=0.5)
            guess = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(KEYS)}."
            raise UsageError(f"{path}: unknown key `{key[:40]}`: {guess}")
    try:
        select = None if "select" not in table else _codes(table["select"], "select")
        ignore = _codes(table.get("ignore", []), "ignore")
        per_file = _per_file(table.get("per-file-ignores", {}))
        strict = table.get("strict", False)
        if not isinstance(strict, bool):
            raise ValueError("`strict` must be true or false")
    except ValueError as wrong:
        raise UsageError(f"{path}: {ended(str(wrong))}") from None
    return Preferences(Selection(select, ignore), per_file, strict, str(path.parent))


def _has_endless_key(text: str) -> bool:
    """`a.a.a…`: the parser's time grows with the square of its parts, to minutes for a file within the limit."""
    parts = 0
    for piece in text.split("."):
        parts = parts + 1 if _PART.fullmatch(piece) else 0
        if parts > _MOST_PARTS:
            return True
    return False


def _codes(value: object, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f'`{key}` must be a list of codes, such as ["HP502", "HP6"]')
    try:
        return parse_codes(value)
    except ValueError as wrong:
        raise ValueError(f"`{key}`: {wrong}") from None


def _per_file(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ValueError('`per-file-ignores` must be a table from patterns to codes, such as {"vendor/**" = ["HP5"]}')
    if len(value) > _MOST_PATTERNS or any(len(pattern) > _LONGEST_PATTERN for pattern in value):
        raise ValueError(
            f"`per-file-ignores` takes at most {_MOST_PATTERNS} patterns of at most {_LONGEST_PATTERN} letters"
        )
    return tuple((pattern, _codes(codes, f"per-file-ignores.{pattern}")) for pattern, codes in value.items())
