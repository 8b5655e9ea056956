"""What a person has switched on and allowed: for one connection, one effective profile, one plugin.

Off by default, and nothing is granted by default. The answers are pure; keeping them is ``Grants``' work. Nothing a
plugin sends names a connection, a profile or a grant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.pages.limits import METHODS, WRITE_CAPABILITY, is_identifier
from loader.pages.paths import PathFault, scoped_path
from loader.state import JsonObject, StateFile

SERVER_DEFAULT = "__server_default__"
FILE = "page-grants.json"

Why: TypeAlias = Literal["disabled", "unconfirmed", "not-granted", "method", "path"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose choice it is. Raises ValueError for a blank connection and for what is no plugin's id."""

    connection: str
    profile: str
    plugin: str

    def __post_init__(self) -> None:
        if not self.connection.strip() or not is_identifier(self.plugin):
            raise ValueError("a scope needs a connection and a plugin's id")

    @property
    def key(self) -> str:
        """The same for every spelling of the scope, and no name of it in clear."""
        joined = "\0".join((self.connection, self.profile, self.plugin))
        return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def scope_of(connection: str, profile: str | None, plugin: str) -> Scope:
    """The scope of a plugin under the effective profile: none, blank and the server's default are one."""
    chosen = (profile or "").strip()
    return Scope(connection, chosen or SERVER_DEFAULT, plugin)


@dataclass(frozen=True, slots=True)
class Choice:
    """``enabled`` None: never touched, so the manifest's wish counts."""

    enabled: bool | None = None
    grants: frozenset[str] = frozenset()

    def is_on(self, default_enabled: bool) -> bool:
        return default_enabled if self.enabled is None else self.enabled

    @property
    def may_write(self) -> bool:
        return WRITE_CAPABILITY in self.grants


@dataclass(frozen=True, slots=True)
class Call:
    """What a button may send: within the plugin's own routes, and a body only where the method has one."""

    method: str
    path: str
    has_body: bool


@dataclass(frozen=True, slots=True)
class NoCall:
    why: Why
    text: str


def judge_action(
    plugin: str, method: str, path: str, *, choice: Choice, default_enabled: bool, asks: bool, confirmed: bool
) -> Call | NoCall:
    """Whether an action may be sent. ``asks``: it declares a confirmation; ``confirmed``: a person just gave it.

    The order is the phone's: confirmation, method, grant, path.
    """
    if not choice.is_on(default_enabled):
        return NoCall("disabled", "the plugin's pages are switched off")
    if asks and not confirmed:
        return NoCall("unconfirmed", "a person confirms this each time")
    upper = method.upper()
    if upper != "GET" and not choice.may_write:
        return NoCall("not-granted", f"the plugin may not write: {WRITE_CAPABILITY} is not granted")
    if upper not in METHODS:
        return NoCall("method", f"the method {method[:20]!r} is never sent")
    found = scoped_path(plugin, path)
    if isinstance(found, PathFault):
        return NoCall("path", found.text)
    return Call(upper, found, upper in ("POST", "PUT", "PATCH"))


class Grants:
    """The choices on disk. Blocks: call it in a thread."""

    def __init__(self, file: StateFile) -> None:
        self._file = file

    def of(self, scope: Scope) -> Choice:
        return _choice(self._file.read().get(scope.key))

    def enable(self, scope: Scope, enabled: bool) -> Choice:
        """Switch on or off; grants stay. Raises LoaderError when it cannot be kept."""
        return self._change(scope, lambda row: row | {"enabled": enabled})

    def grant(self, scope: Scope, granted: bool) -> Choice:
        """Allow writing, or take it back."""
        return self._change(scope, lambda row: row | {"grants": [WRITE_CAPABILITY] if granted else []})

    def _change(self, scope: Scope, change: Callable[[JsonObject], JsonObject]) -> Choice:
        def changed(state: JsonObject) -> JsonObject:
            row = state.get(scope.key)
            state[scope.key] = change(dict(row) if isinstance(row, dict) else {})
            return state

        return _choice(self._file.update(changed).get(scope.key))


def _choice(row: object) -> Choice:
    if not isinstance(row, dict):
        return Choice()
    enabled, grants = row.get("enabled"), row.get("grants")
    return Choice(
        enabled if isinstance(enabled, bool) else None,
        frozenset(grant for grant in grants if isinstance(grant, str) and grant.strip())
        if isinstance(grants, list)
        else frozenset(),
    )
