"""The Hermes hosts elsewhere whose pages are shown here: names, addresses and tokens, in the host's own state.

Each has an id of its own, made anew whenever it is connected: what was allowed to one that was taken away is not
allowed to the next one of that name.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from loader.errors import NeedsPerson, UsageError
from loader.loopback import is_loopback, is_plain_http
from loader.nouns import Json
from loader.pages.fetching import check_client_address
from loader.state import JsonObject, StateFile

FILE = "page-hosts.json"
LIMIT = 16
TOKEN_LIMIT = 4096
ADDRESS_LIMIT = 2048
PROFILE_LIMIT = 128
READ_ON_THE_WAY = "http is not encrypted: whoever is on the way can read the token."
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PageHostEntry:
    """``connection`` is its id, for URLs and grants. ``token`` goes to ``url`` and is shown nowhere."""

    name: str
    connection: str
    url: str
    token: str | None = None
    profile: str | None = None

    @property
    def is_read_on_the_way(self) -> bool:
        """Whether its token crosses a network unencrypted: what a person is told, or asked, in ``READ_ON_THE_WAY``."""
        return self.token is not None and is_plain_http(self.url) and not is_loopback(urlsplit(self.url).hostname or "")


def checked_address(text: str) -> str:
    """An address without a trailing slash. Raises UsageError for what is no plain http(s) address."""
    if len(text) > ADDRESS_LIMIT or not text.isprintable() or " " in text:
        raise UsageError(f"the address must be one line without blanks, of at most {ADDRESS_LIMIT} letters.")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"the address cannot be read ({error}).") from error
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError("the address must begin with http:// or https:// and name a host.")
    if parts.username is not None or parts.query or parts.fragment:
        # It is shown, so a secret must not stand in it.
        raise UsageError("the address must be plain: no name, password, query or fragment. The token comes apart.")
    check_client_address(text)
    return text.rstrip("/")


class PageHosts:
    """The connected hosts on disk. Blocks: call it in a thread. Raises LoaderError when the file cannot be used."""

    def __init__(self, state_dir: Path) -> None:
        self._file = StateFile(state_dir / FILE)

    def all(self) -> tuple[PageHostEntry, ...]:
        """In the order of their names."""
        rows = self._file.read()
        found = (_entry(name, row) for name, row in sorted(rows.items()))
        return tuple(entry for entry in found if entry is not None)

    def connect(
        self,
        name: str,
        url: str,
        *,
        token: str | None = None,
        profile: str | None = None,
        read_on_the_way: bool = True,
    ) -> PageHostEntry:
        """``read_on_the_way`` False: nobody has agreed to that yet.

        Raises UsageError (the name is taken or none, the address is none, there are too many) and NeedsPerson.
        """
        if not _NAME.fullmatch(name):
            raise UsageError("a host's name has letters, digits, '.', '_' and '-', at most 64.")
        if token is not None and (not token.isascii() or not token.isprintable() or len(token) > TOKEN_LIMIT):
            raise UsageError("that is no token: it has to be printable ASCII.")
        profile = (profile or "").strip() or None
        if profile is not None and (not profile.isprintable() or len(profile) > PROFILE_LIMIT):
            raise UsageError(f"a profile's name is printable and has at most {PROFILE_LIMIT} letters.")
        entry = PageHostEntry(name, f"host-{secrets.token_hex(8)}", checked_address(url), token or None, profile)
        if entry.is_read_on_the_way and not read_on_the_way:
            raise NeedsPerson(READ_ON_THE_WAY)

        def added(rows: JsonObject) -> JsonObject:
            if name in rows:
                raise UsageError(f"{name!r} is connected already: disconnect it first.")
            if len(rows) >= LIMIT:
                raise UsageError(f"{LIMIT} hosts are connected, and that is the most.")
            kept: dict[str, Json] = {"connection": entry.connection, "url": entry.url}
            kept |= {key: value for key, value in (("token", entry.token), ("profile", profile)) if value}
            return rows | {name: kept}

        self._file.update(added)
        return entry

    def disconnect(self, name: str) -> bool:
        """Whether there was one."""
        return self._drop(lambda key, _: key == name)

    def disconnect_id(self, connection: str) -> bool:
        """As ``disconnect``, of exactly this one: another one may go by its name meanwhile."""
        return self._drop(lambda _, row: isinstance(row, dict) and row.get("connection") == connection)

    def _drop(self, meant: Callable[[str, Json], bool]) -> bool:
        there = any(meant(key, row) for key, row in self._file.read().items())
        if there:
            self._file.update(lambda rows: {key: row for key, row in rows.items() if not meant(key, row)})
        return there


def _entry(name: str, row: object) -> PageHostEntry | None:
    if not isinstance(row, dict):
        return None
    connection, url, token, profile = (row.get(key) for key in ("connection", "url", "token", "profile"))
    if not isinstance(connection, str) or not isinstance(url, str):
        return None
    return PageHostEntry(
        name,
        connection,
        url,
        token if isinstance(token, str) else None,
        profile if isinstance(profile, str) else None,
    )
