"""Subresource Integrity for plugins: ``sha256-<standard base64>``, closed on failure.

Whoever writes an integrity value wants a check, so nothing in it is ever ignored: browsers skip what they cannot
read and load the file unchecked; here one malformed item refuses the whole list, even beside a hash that matches,
because a list that was mistyped may have been meant to say something else. Several well-formed hashes are
alternatives (the present and the next version), and one match is enough. Only no value at all means unchecked.
"""

from __future__ import annotations

import base64
import binascii
import difflib
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from loader.codes import finding
from loader.nouns import Candidate, Diagnostic, Json, Source
from loader.source import Unreadable, plugin_folder, read_path

DECLARATION_FILE = "integrity.json"

_DECLARATION_LIMIT_BYTES = 64 * 1024
# A list that long is no list of versions; each item would be quoted back in a finding.
_LIST_LIMIT_CHARACTERS = 8192
_ITEMS_LIMIT = 64
_DIGEST_BYTES = 32
_PREFIX = "sha256-"
_HOW = "`hermes-desktop pin ID` computes and stores the right one for the file as it is."
# U+FEFF is white space to JavaScript and comes along when a hash is copied out of a marked file.
_SEPARATORS = re.compile("[\\s\ufeff]+")
_BARE_HASH = re.compile(r"(?i)[0-9a-f]{64}|[a-z0-9+/_-]{43}=?")
_DEPTH_LIMIT = 3
_ALGORITHM = re.compile(r"(?i)(md5|sha-?1|sha-?224|sha-?256|sha-?384|sha-?512|sha3-?\d+|blake\w+)(?=[-:=_]|$)")


def integrity_of(sha256_hex: str) -> str:
    """The integrity value of a digest: ``sha256-`` and 44 letters. Raises ValueError for what is no hex digest."""
    digest = bytes.fromhex(sha256_hex)
    if len(digest) != _DIGEST_BYTES:
        raise ValueError(f"a SHA-256 digest has {_DIGEST_BYTES} bytes, not {len(digest)}")
    return _PREFIX + base64.b64encode(digest).decode("ascii")


def check_integrity(expected: str | None, source: Source) -> tuple[Diagnostic, ...]:
    """Empty when the file passes; HP011 for each malformed item, else HP010 when no hash matches.

    ``expected`` is the value as written: hashes separated by white space of any kind. None is unchecked.
    """
    if expected is None:
        return ()
    malformed = check_form(expected)
    if malformed:
        return malformed
    hashes = _items(expected)
    actual = integrity_of(source.sha256)
    if actual in hashes:
        return ()
    wanted = hashes[0] if len(hashes) == 1 else f"one of {', '.join(hashes)}"
    return (finding("HP010", f"the file is {actual}, expected was {wanted}", hint=_mismatch_hint(hashes, source)),)


def check_form(expected: str) -> tuple[Diagnostic, ...]:
    """HP011 for each item that is no ``sha256-`` hash, and for a value without any; empty when all are well formed."""
    if len(expected) > _LIST_LIMIT_CHARACTERS:
        text = f"the integrity value has {len(expected)} characters; at most {_LIST_LIMIT_CHARACTERS} are read"
        return (finding("HP011", text, hint=f"Keep the hashes that are in use. {_HOW}"),)
    items = _items(expected)
    if not items:
        hint = f"Remove it to leave the file unchecked, or write a hash. {_HOW}"
        return (finding("HP011", "the integrity value is empty", hint=hint),)
    if len(items) > _ITEMS_LIMIT:
        text = f"the integrity value lists {len(items)} hashes; at most {_ITEMS_LIMIT} are read"
        return (finding("HP011", text, hint=f"Keep the hashes that are in use. {_HOW}"),)
    wrong = dict.fromkeys((item, reason) for item in items if (reason := _what_is_wrong(item)) is not None)
    return tuple(finding("HP011", f"{_quoted(item)}: {said}", hint=hint) for item, (said, hint) in wrong)


def declared_integrity(candidate: Candidate) -> str | Diagnostic | None:
    """What a plugin declares of itself in ``integrity.json`` beside it: ``{"plugin.js": "sha256-…"}``. Blocking.

    The value as written (check it with ``check_integrity``); None when there is no such file, or it says nothing
    about this file; an HP011 when it cannot be understood. A declaration is no proof: whoever changes the plugin
    can change it too.
    """
    path = Path(candidate.path)
    read = read_path(
        str(path.with_name(DECLARATION_FILE)),
        folder=plugin_folder(candidate),
        door=candidate.door,
        limit_bytes=_DECLARATION_LIMIT_BYTES,
    )
    if isinstance(read, Unreadable):
        if read.absent and not path.with_name(DECLARATION_FILE).is_symlink():
            return None
        return _undeclared(read.findings[0].message)
    if any(found.code == "HP004" for found in read.findings):
        return _undeclared(next(found.message for found in read.findings if found.code == "HP004"))
    return parse_declaration(read.text, path.name)


def parse_declaration(text: str, file_name: str = "plugin.js") -> str | Diagnostic | None:
    """The value for ``file_name`` in the text of an ``integrity.json``; see ``declared_integrity``."""
    try:
        declared: Json = json.loads(text, object_pairs_hook=_no_repeats)
    except _Repeated as error:
        return _undeclared(f"{DECLARATION_FILE} names '{error}' twice")
    except json.JSONDecodeError as error:
        return _undeclared(f"{DECLARATION_FILE} is no JSON (line {error.lineno}, column {error.colno}: {error.msg})")
    except (ValueError, RecursionError):  # a number of thousands of digits; nested thousands deep
        return _undeclared(f"{DECLARATION_FILE} is no JSON that can be read")
    if not isinstance(declared, dict):
        return _undeclared(f"{DECLARATION_FILE} holds no object")
    if file_name in declared:
        value = declared[file_name]
        if value is None or isinstance(value, str):
            return value
        return _undeclared(f"{DECLARATION_FILE}: the value of '{file_name}' is no string")
    near = [key for key in declared if Path(key.strip().replace("\\", "/")).name.lower() == file_name]
    near = near or difflib.get_close_matches(file_name, declared, n=1, cutoff=0.8)
    if near:
        return _undeclared(f"{DECLARATION_FILE} names {_quoted(near[0])}, not '{file_name}'")
    # `{"integrity": "sha256-…"}`, `{"files": {…}}`: a hash for nothing that could be another file.
    elsewhere = next((key for key, value in declared.items() if "." not in key and _holds_a_hash(value)), None)
    if elsewhere is not None:
        return _undeclared(f"{DECLARATION_FILE} has its hash under {_quoted(elsewhere)}, not under '{file_name}'")
    return None


def _holds_a_hash(value: Json, depth: int = 0) -> bool:
    if isinstance(value, str):
        return any(_ALGORITHM.match(item) or _BARE_HASH.fullmatch(item) for item in _items(value))
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth < _DEPTH_LIMIT and any(_holds_a_hash(part, depth + 1) for part in parts)


# ---------------------------------------------------------------- what is wrong with one item


def _items(value: str) -> list[str]:
    return [item for item in _SEPARATORS.split(value) if item]


def _what_is_wrong(item: str) -> tuple[str, str] | None:
    """The reason and the way out; None for ``sha256-`` and the canonical base64 of 32 bytes."""
    if item.startswith(_PREFIX):
        return _wrong_digest(item[len(_PREFIX) :])
    if set(item) <= set(".…"):
        return "a placeholder, not a hash", _HOW
    if item[0] in "\"'`" or item[-1] in "\"'`":
        return "the quotes do not belong to the value", "Write it without them."
    if re.fullmatch(r"(?i)[0-9a-f]{64}", item):
        return "a bare hex digest", f"Write {integrity_of(item)}."
    if re.fullmatch(r"[A-Za-z0-9+/]{43}=", item):
        return "base64 without its algorithm", f"Write {_PREFIX}{item}."
    algorithm = _ALGORITHM.match(item)
    if algorithm is None:
        if "-" in item:
            return f"the algorithm {_quoted(item.split('-', 1)[0])} is unknown; only sha256 is supported", _HOW
        return "not of the form sha256-<base64>", _HOW
    name = algorithm[0].lower().replace("sha-", "sha")
    if name != "sha256":
        return f"the algorithm {name} is not supported, only sha256 is", _HOW
    if len(item) == len(algorithm[0]):
        return "the algorithm without a hash", _HOW
    return "the algorithm is written 'sha256-', in lower case and with one hyphen", _HOW


def _wrong_digest(digest: str) -> tuple[str, str] | None:
    if not digest:
        return "the hash behind 'sha256-' is empty", _HOW
    if set(digest) <= set(".…"):
        return "a placeholder, not a hash", _HOW
    if "?" in digest:
        return "options behind '?' are not supported", "Write the hash alone."
    if "," in digest or ";" in digest:
        return "hashes are separated by white space, not by commas", "Put a space between them."
    if re.fullmatch(r"(?i)[0-9a-f]{64}", digest):
        return "hex, where base64 belongs", f"Write {integrity_of(digest)}."
    if re.fullmatch(r"[A-Za-z0-9_-]{42,}=*", digest) and re.search(r"[-_]", digest):
        return "base64url ('-' and '_'), where standard base64 ('+' and '/') belongs", _standard(digest)
    strange = re.search(r"[^A-Za-z0-9+/=]", digest)
    if strange:
        return f"not base64: {_quoted(strange[0])} is no letter of it", _HOW
    try:
        raw = base64.b64decode(digest, validate=True)
    except (binascii.Error, ValueError):
        if re.fullmatch(r"[A-Za-z0-9+/]{43}", digest):
            return "not base64: the '=' at the end is missing", f"Write {_PREFIX}{digest}=."
        return f"not base64 of {_DIGEST_BYTES} bytes: wrong length or padding", _HOW
    if len(raw) != _DIGEST_BYTES:
        return f"the hash has {len(raw)} bytes, sha256 has {_DIGEST_BYTES}", _HOW
    canonical = base64.b64encode(raw).decode("ascii")
    if canonical != digest:
        return "not canonical base64: its last letter holds bits that mean nothing", f"Write {_PREFIX}{canonical}."
    return None


def _standard(digest: str) -> str:
    plain = digest.rstrip("=").replace("-", "+").replace("_", "/")
    return f"Write {_PREFIX}{plain}=." if len(plain) == 43 else _HOW


def _quoted(text: str) -> str:
    return f"'{text}'" if len(text) <= 120 else f"'{text[:100]}…' ({len(text)} characters)"


# ---------------------------------------------------------------- why it does not match


def _mismatch_hint(hashes: list[str], source: Source) -> str:
    for data, said in _variants(source):
        if integrity_of(hashlib.sha256(data).hexdigest()) in hashes:
            return (
                f"It would match {said}: an editor or git changed the file on its way. Hash the file as it lies here."
            )
    return "If you meant to change the file, pin it again: `hermes-desktop pin ID`. If not, somebody else did."


def _variants(source: Source) -> Iterator[tuple[bytes, str]]:
    """The same text as other tools write it: line ends, byte order mark, final line end; the likeliest first."""
    mark = b"\xef\xbb\xbf"
    body = source.data.removeprefix(mark)
    lf = body.replace(b"\r\n", b"\n")
    bodies = [
        (body, ""),
        (lf, "with LF line ends"),
        (lf.replace(b"\n", b"\r\n"), "with CRLF line ends"),
        (body.rstrip(b"\r\n"), "without the line end at its end"),
        (body + b"\n", "with a line end at its end"),
    ]
    for changed, said in bodies:
        for prefix in (b"", mark):
            if prefix + changed == source.data:
                continue
            moved = bool(prefix) != source.had_bom
            about_mark = ("with" if prefix else "without") + " a byte order mark" if moved else ""
            yield prefix + changed, " and ".join(filter(None, (said, about_mark)))


# ---------------------------------------------------------------- the declaration


class _Repeated(ValueError):
    """A key that stands twice in an object: readers disagree which one counts."""


def _no_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    for key, value in pairs:
        if key in fields:
            raise _Repeated(key)
        fields[key] = value
    return fields


def _undeclared(reason: str) -> Diagnostic:
    hint = f'Write {{"plugin.js": "sha256-…"}}, or remove {DECLARATION_FILE}.'
    return finding("HP011", reason, hint=hint)
