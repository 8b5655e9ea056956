"""``plugin.json`` at a package's root, or the field ``meith`` of its ``package.json``: what a package says it is.

Hermes' own portable manifests are called ``plugin.json`` too; one that says nothing of ours is not looked at further.
All problems of a manifest are said at once, each with its field.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.packages.grants import APIS, CAPABILITIES, Grants
from loader.packages.names import parts_of
from loader.packages.refused import Invalid, shown

MANIFEST_FILE = "plugin.json"
NPM_FILE = "package.json"
NPM_FIELD = "meith"

Kind: TypeAlias = Literal["web-app", "desktop"]
KINDS: tuple[Kind, ...] = ("web-app", "desktop")

_LIMIT_BYTES = 64 * 1024
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ID = re.compile(rf"(?=.{{3,128}}\Z){_LABEL}(?:\.{_LABEL})+")
_VERSION = re.compile(r"(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}(?:[-+][0-9A-Za-z.+-]{1,64})?")
_NAME_LETTERS = 80
_DESCRIPTION_LETTERS = 1000
_FIELDS = ("kind", "id", "name", "version", "description", "entry", "permissions", "requestedApis")


@dataclass(frozen=True, slots=True)
class Manifest:
    """``entry`` is a relative path with slashes. ``file`` is where it was read from."""

    kind: Kind
    id: str
    name: str
    version: str
    description: str
    entry: str
    requested: Grants
    file: str


@dataclass(frozen=True, slots=True)
class Problem:
    """``field`` is empty when the file as a whole is wrong."""

    file: str
    field: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}{f': {self.field}' if self.field else ''}: {self.text}"


def read_manifest(folder: Path) -> Manifest | tuple[Problem, ...]:
    """The manifest of a package; an empty tuple where there is none of ours. Blocking."""
    fields = _read(folder / MANIFEST_FILE)
    if isinstance(fields, Problem):
        return (fields,)
    if fields is not None and is_ours(fields):
        return parse_manifest(fields, MANIFEST_FILE)
    package = _read(folder / NPM_FILE)
    if isinstance(package, Problem) or package is None or NPM_FIELD not in package:
        return ()  # a broken package.json is its author's matter: nothing here reads it
    inner = package[NPM_FIELD]
    where = f"{NPM_FILE} ({NPM_FIELD})"
    if not isinstance(inner, dict):
        return (Problem(where, "", f"it is {_kind_of(inner)}, not an object"),)
    # What npm says too need not be said twice.
    inherited = {key: package[key] for key in ("version", "description") if key in package}
    return parse_manifest(inherited | inner, where)


def is_ours(fields: Mapping[str, Json]) -> bool:
    return fields.get("kind") in KINDS or "requestedApis" in fields


def parse_manifest(fields: Mapping[str, Json], file: str = MANIFEST_FILE) -> Manifest | tuple[Problem, ...]:
    """Pure. Unknown fields are passed over unless they look like a known one mistyped."""
    problems: list[Problem] = []

    def field(name: str, default: str | None, wrong: Callable[[str], str | None]) -> str:
        value = fields.get(name, default)
        if value is None and name not in fields:
            problems.append(Problem(file, name, "it is missing"))
        elif not isinstance(value, str):
            problems.append(Problem(file, name, f"it is {_kind_of(value)}, not a string"))
        elif (text := wrong(value)) is not None:
            problems.append(Problem(file, name, text))
        else:
            return value
        return ""

    def words(name: str, known: tuple[str, ...]) -> frozenset[str]:
        value = fields.get(name, [])
        if not isinstance(value, list):
            problems.append(Problem(file, name, f"it is {_kind_of(value)}, not a list"))
            return frozenset()
        found = set()
        for index, word in enumerate(value[:100]):
            place = f"{name}[{index}]"
            if not isinstance(word, str):
                problems.append(Problem(file, place, f"it is {_kind_of(word)}, not a string"))
            elif word not in known:
                problems.append(Problem(file, place, f"{shown(word, 60)} is not known{_near(word, known)}"))
            elif word in found:
                problems.append(Problem(file, place, f"'{word}' stands there twice"))
            else:
                found.add(word)
        return frozenset(found)

    kind = field(
        "kind", None, lambda text: None if text in KINDS else f"{shown(text, 60)} is not known{_near(text, KINDS)}"
    )
    plugin_id = field("id", None, _wrong_id)
    name = field("name", None, _wrong_text(_NAME_LETTERS, empty=False))
    version = field("version", "0.0.0", lambda text: None if _VERSION.fullmatch(text) else _VERSION_RULE)
    description = field("description", "", _wrong_text(_DESCRIPTION_LETTERS, empty=True))
    entry = field("entry", "index.html", _wrong_entry)
    capabilities = words("permissions", CAPABILITIES)
    apis = words("requestedApis", APIS)
    for key in fields:
        near = difflib.get_close_matches(key, _FIELDS, n=1, cutoff=0.8) if key not in _FIELDS else []
        if near and near[0] not in fields:
            problems.append(Problem(file, key[:60], f"no such field. Did you mean '{near[0]}'?"))
    if problems:
        return tuple(problems)
    return Manifest(
        "web-app" if kind == "web-app" else "desktop",
        plugin_id,
        name,
        version,
        description,
        "/".join(parts_of(entry)),
        Grants(apis, capabilities),
        file,
    )


_VERSION_RULE = "a version has three numbers, such as 1.4.0"


def is_app_id(text: str) -> bool:
    """Whether this may be the id of a web app: a reverse domain name, which is a folder's name on every system."""
    return _wrong_id(text) is None


def _wrong_id(text: str) -> str | None:
    if _ID.fullmatch(text):
        try:
            parts_of(text)
        except Invalid as refused:  # con.example
            return refused.reason
        return None
    return f"{shown(text, 60)} is no reverse domain name such as com.example.notes (a-z, 0-9, '-', two parts at least)"


def _wrong_text(limit: int, *, empty: bool) -> Callable[[str], str | None]:
    def wrong(text: str) -> str | None:
        if not empty and not text.strip():
            return "it is empty"
        if len(text) > limit:
            return f"it has {len(text)} letters; {limit} are shown"
        return None if text.replace("\n", " ").isprintable() else "it holds control characters"

    return wrong


def _wrong_entry(text: str) -> str | None:
    try:
        parts = parts_of(text)
    except Invalid as refused:
        return refused.reason
    return None if parts and not text.endswith("/") else "it names no file"


def _near(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word.casefold(), known, n=1)
    return f". Did you mean '{near[0]}'?" if near else f"; known are {', '.join(known)}"


def _kind_of(value: Json) -> str:
    if value is None:
        return "null"
    return {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}.get(
        type(value), "an object"
    )


def _read(path: Path) -> dict[str, Json] | Problem | None:
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT_BYTES + 1)
    except OSError as error:
        return Problem(path.name, "", f"it cannot be read: {error.strerror or error}")
    if len(data) > _LIMIT_BYTES:
        return Problem(path.name, "", f"it has more than {_LIMIT_BYTES} bytes")
    try:
        fields: Json = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        return Problem(path.name, "", f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}")
    except UnicodeDecodeError:
        return Problem(path.name, "", "it is no UTF-8")
    except (ValueError, RecursionError):
        return Problem(path.name, "", "it is no JSON that can be read")
    if not isinstance(fields, dict):
        return Problem(path.name, "", f"it holds {_kind_of(fields)}, not an object")
    return fields
