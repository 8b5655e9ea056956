"""What may stand at the cursor: names in an import list, specifiers, areas and the app's actions.

Decided by the letters before the cursor alone. A text that is being typed rarely parses, and the server's own process
never parses a plugin; the patterns are bounded by a window and read it once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.analysis.surface import ModuleSurface, Surface
from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER

Kind: TypeAlias = Literal["function", "class", "constant", "value", "module"]

_WINDOW = 4000
_IN_ACTION = re.compile(r"""\brunAction\s*(?:\?\.)?\s*\(\s*["'`]([^"'`\n]*)\Z""")
_IN_SPECIFIER = re.compile(r"""\b(?:from|import)\s*\(?\s*["']([^"'\n]*)\Z""")
_IN_AREA_TEXT = re.compile(r"""\barea\s*:\s*["'`]([^"'`\n]*)\Z""")
_IN_AREA_NAME = re.compile(r"""\barea\s*:\s*((?:[A-Za-z_$][\w$.]*)?)\Z""")
_IN_IMPORT_LIST = re.compile(r"""\bimport\s+(?:[\w$]+\s*,\s*)?\{([^{}"'`;]*)\Z""")
_REST_OF_IMPORT = re.compile(r"""([^{}"'`;]*)\}\s*from\s*["']([^"'\n]+)["']""")
_WORD = re.compile(r"[\w$]*\Z")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``label`` takes the place of the ``typed`` letters before the cursor."""

    label: str
    kind: Kind
    detail: str
    typed: str
    # Later is lower in the list.
    rank: int = 0


def suggestions(text: str, index: int, surface: Surface) -> tuple[Suggestion, ...]:
    """Everything that may be meant at an index of the text; empty where nothing of ours belongs."""
    before = text[max(index - _WINDOW, 0) : index]
    if found := _IN_ACTION.search(before):
        return _actions(surface, found[1])
    if found := _IN_SPECIFIER.search(before):
        return tuple(Suggestion(name, "module", "may be imported", found[1]) for name in ALLOWED_SPECIFIERS)
    if found := _IN_IMPORT_LIST.search(before):
        return _exports(surface, found[1], text[index : index + _WINDOW])
    if found := _IN_AREA_TEXT.search(before):
        return tuple(
            Suggestion(area.value, "value", area.payload, found[1], rank=0 if area.documented else 1)
            for area in surface.areas
            if area.value is not None
        )
    if found := _IN_AREA_NAME.search(before):
        return tuple(
            Suggestion(area.constant, "constant", area.value or "", found[1], rank=0 if area.documented else 1)
            for area in surface.areas
        )
    return ()


def _actions(surface: Surface, typed: str) -> tuple[Suggestion, ...]:
    """Those that a plugin may run: a refused one would only be a finding."""
    return tuple(
        Suggestion(action.id, "value", f"{action.label} ({action.category})", typed)
        for action in surface.actions.values()
        if action.allowed
    )


def _exports(surface: Surface, before: str, behind: str) -> tuple[Suggestion, ...]:
    rest = _REST_OF_IMPORT.match(behind)
    module = surface.modules.get(rest[2] if rest else SDK_SPECIFIER)
    listed = _COMMENT.sub(" ", before).split(",")
    if module is None or "//" in before.rpartition("\n")[2] or re.search(r"\bas\s", listed[-1]):
        return ()
    word = _WORD.search(before)
    typed = word[0] if word else ""
    others = [*listed[:-1], *(_COMMENT.sub(" ", rest[1]).split(",")[1:] if rest else ())]
    taken = {name.split()[0] for name in others if name.strip()}
    return tuple(_export(module, name, typed) for name in module.names if name not in taken)


def _export(module: ModuleSurface, name: str, typed: str) -> Suggestion:
    builds = module.only_in(name)
    kind: Kind = "constant" if name.isupper() else "class" if name[:1].isupper() else "function"
    detail = f"{module.specifier}, in some builds of the app only" if builds else module.specifier
    return Suggestion(name, kind, detail, typed, rank=1 if builds else 0)
