"""Who may enter: the endpoint's token (tools), session tokens (persons), plugin tokens (one plugin's one revision).

Every secret is kept and compared as its SHA-256 only: a memory dump of the tables gives no token, and the time of a
look-up says nothing about how much of a guess was right.
"""

from __future__ import annotations

import hmac
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias, TypeVar

from loader.nouns import PluginCaller

Kept = TypeVar("Kept")

CODE_LIFE_S = 60.0
SESSION_LIFE_S = 12 * 3600.0
CODES_LIMIT = 64
SESSIONS_LIMIT = 256
RETIRED_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Tool:
    """Whoever can read endpoint.json: the CLI, scripts, a shell."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who came through a one-time code: the page. ``ends_at_s`` is by the clock of ``Credentials``."""

    ends_at_s: float = field(default=math.inf, compare=False)


Caller: TypeAlias = Tool | Person | PluginCaller


@dataclass(frozen=True, slots=True)
class Session:
    token: str
    expires_in_s: float


def new_secret() -> str:
    """256 bits, in letters that need no escaping in a URL, a header or a subprotocol."""
    return secrets.token_urlsafe(32)


class Credentials:
    """All that can be presented. Not thread-safe: it lives on the event loop."""

    def __init__(
        self,
        endpoint_token: str,
        *,
        now_s: Callable[[], float] = time.monotonic,
        make_token: Callable[[], str] = new_secret,
    ) -> None:
        self._endpoint = _digest(endpoint_token)
        self._now_s = now_s
        self._make_token = make_token
        self._codes: OrderedDict[bytes, float] = OrderedDict()
        self._sessions: OrderedDict[bytes, float] = OrderedDict()
        self._plugins: dict[bytes, PluginCaller] = {}
        self._retired: OrderedDict[bytes, PluginCaller] = OrderedDict()

    def who(self, token: str) -> Caller | None:
        """Who presents this token; None when nobody does (or no longer)."""
        digest = _digest(token)
        if hmac.compare_digest(digest, self._endpoint):
            return Tool()
        expires = self._sessions.get(digest)
        if expires is not None:
            if self._now_s() < expires:
                return Person(expires)
            del self._sessions[digest]
            return None
        return self._plugins.get(digest) or self._retired.get(digest)

    def left_s(self, caller: Caller | None) -> float | None:
        """How long what was opened with this may stay open, in seconds; None: for as long as its owner likes."""
        return caller.ends_at_s - self._now_s() if isinstance(caller, Person) else None

    def plugin(self, token: str) -> PluginCaller | None:
        """The plugin behind a ``plugin_token`` of a call; None when it never was one, or was forgotten."""
        digest = _digest(token)
        return self._plugins.get(digest) or self._retired.get(digest)

    # ------------------------------------------------------------ persons

    def issue_code(self) -> str:
        """A one-time code, good for a minute."""
        code = self._make_token()
        self._codes[_digest(code)] = self._now_s() + CODE_LIFE_S
        _forget_oldest(self._codes, CODES_LIMIT)
        return code

    def redeem(self, code: str) -> Session | None:
        """A session for a code, once; None when the code is wrong, used or too old."""
        expires = self._codes.pop(_digest(code), None)
        if expires is None or self._now_s() >= expires:
            return None
        token = self._make_token()
        self._sessions[_digest(token)] = self._now_s() + SESSION_LIFE_S
        _forget_oldest(self._sessions, SESSIONS_LIMIT)
        return Session(token, SESSION_LIFE_S)

    # ------------------------------------------------------------ plugins

    def mint(self, plugin: str, revision: str) -> str:
        token = self._make_token()
        self._plugins[_digest(token)] = PluginCaller(plugin, revision)
        return token

    def retire(self, token: str) -> None:
        """The token's revision no longer runs. Its last thousand are remembered, to tell *gone* from *never was*."""
        digest = _digest(token)
        caller = self._plugins.pop(digest, None)
        if caller is not None:
            self._retired[digest] = PluginCaller(caller.plugin, caller.revision, alive=False)
            _forget_oldest(self._retired, RETIRED_LIMIT)


def _digest(secret: str) -> bytes:
    # surrogatepass: a token from a hostile frame may hold anything.
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _forget_oldest(table: OrderedDict[bytes, Kept], limit: int) -> None:
    while len(table) > limit:
        table.popitem(last=False)
