"""What plugins can import and call, by build of the app: the data of ``sdk_stubs/surface.json`` behind questions.

Actions have a file of their own (``sdk_stubs/app_actions.json``), since policy decides by them.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from loader.nouns import ALLOWED_SPECIFIERS

# documented: in the guides; newer: in the newest known build only; some builds, branch: seen in passing.
Since: TypeAlias = Literal["documented", "newer", "some builds", "branch"]
_EVERYWHERE = "everywhere"
_NOT_NAMES = frozenset({"types", "documented", "version"})


@dataclass(frozen=True, slots=True)
class ModuleSurface:
    """The exports of one module. ``exact`` is true when a connected shell announced them (one build, no union)."""

    specifier: str
    builds_of: Mapping[str, tuple[str, ...]]
    types: frozenset[str] = frozenset()
    exact: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All exports of any known build, sorted; ``default`` is not listed, every module has one."""
        return tuple(sorted(self.builds_of))

    def exports(self, name: str) -> bool:
        return name in ("default", "*") or name in self.builds_of

    def only_in(self, name: str) -> tuple[str, ...]:
        """The builds that export a name, empty when all do (or none)."""
        builds = self.builds_of.get(name, ())
        return () if _EVERYWHERE in builds else builds


@dataclass(frozen=True, slots=True)
class Member:
    """One member of ``ctx`` or ``host``; ``name`` is dotted (``pet.say``). ``detect``: plugins should test for it."""

    name: str
    since: Since
    detect: bool
    is_namespace: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Area:
    """A place of the app that takes contributions; ``value`` is None where no text showed it."""

    constant: str
    value: str | None
    payload: str
    documented: bool


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    label: str
    category: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class Surface:
    """Everything a rule may ask about the app. ``build`` names what the list was taken from."""

    build: str
    modules: Mapping[str, ModuleSurface]
    areas: tuple[Area, ...]
    ctx: Mapping[str, Member]
    host: Mapping[str, Member]
    theme_variables: tuple[str, ...]
    actions: Mapping[str, Action]

    def with_exports(self, announced: Iterable[tuple[str, tuple[str, ...]]] | None) -> Surface:
        """The surface of a shell that announced its exports: those modules hold its names and no others."""
        if announced is None:
            return self
        modules = dict(self.modules)
        for specifier, names in announced:
            known = self.modules.get(specifier)
            modules[specifier] = ModuleSurface(
                specifier,
                dict.fromkeys(names, (_EVERYWHERE,)),
                known.types if known is not None else frozenset(),
                exact=True,
            )
        return Surface(self.build, modules, self.areas, self.ctx, self.host, self.theme_variables, self.actions)

    def homes_of(self, name: str) -> tuple[str, ...]:
        """The modules that export a name."""
        return tuple(specifier for specifier in ALLOWED_SPECIFIERS if name in self.modules[specifier].builds_of)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was most likely meant: the same in other case first, then the most similar."""
    names = list(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    same = folded.get(name.casefold())
    if same is not None:
        return same
    # Similarity is quadratic in the length, and a name of a thousand letters was never a slip.
    if len(name) > 100:
        return None
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.75)
    return folded[close[0]] if close else None


@lru_cache(maxsize=1)
def shipped_surface() -> Surface:
    """The shipped list: the union of all known builds."""
    data: dict[str, Any] = json.loads((files("sdk_stubs") / "surface.json").read_text(encoding="utf-8"))
    actions: dict[str, Any] = json.loads((files("sdk_stubs") / "app_actions.json").read_text(encoding="utf-8"))
    modules = {}
    for specifier, lists in data["modules"].items():
        builds_of: dict[str, tuple[str, ...]] = {}
        for build, names in lists.items():
            if build not in _NOT_NAMES:
                for name in names:
                    builds_of[name] = (*builds_of.get(name, ()), build)
        modules[specifier] = ModuleSurface(specifier, builds_of, frozenset(lists.get("types", ())))
    variables = data["theme_variables"]
    return Surface(
        build=next(iter(data["builds"])),
        modules=modules,
        areas=tuple(Area(row["constant"], row["value"], row["payload"], row["documented"]) for row in data["areas"]),
        ctx=_members(data["ctx"]),
        host=_members(data["host"]),
        theme_variables=tuple(name for group in ("documented", "seen") for name in variables[group]),
        actions={
            row["id"]: Action(row["id"], row["label"], row["category"], group == "allowed")
            for group in ("allowed", "known")
            for row in actions[group]
        },
    )


def _members(rows: Iterable[Mapping[str, Any]]) -> dict[str, Member]:
    return {
        row["name"]: Member(row["name"], row["since"], row["detect"], row["kind"] == "namespace", row["meaning"])
        for row in rows
    }
