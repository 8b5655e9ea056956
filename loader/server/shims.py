"""``/sdk/…``: small modules that re-export what the shell put into ``globalThis[Symbol.for('hermes.modules')]``.

A module's export names must stand in its text. The shell's own announcement is the truth about its app; without one
the shipped union of builds is used, so that a plugin for any known build links (a name the app lacks is undefined).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping

from loader.nouns import SDK_SPECIFIER

REGISTRY = "hermes.modules"
SPECIFIER_OF = {"plugin-sdk": SDK_SPECIFIER, "react": "react", "jsx-runtime": "react/jsx-runtime"}
MODULE_OF = {specifier: module for module, specifier in SPECIFIER_OF.items()}
IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)


class ExportNames:
    """Which names each module exports, as the mounted shells say, else as shipped."""

    def __init__(self, shipped: Callable[[str], Iterable[str]]) -> None:
        """``shipped(specifier)``: the names that at least one known build exports."""
        self._shipped = shipped
        self._announced: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def announce(self, shell: str, exports: Mapping[str, tuple[str, ...]] | None) -> None:
        """A shell's own names by specifier; None takes back what it said before."""
        if exports is None:
            self._announced.pop(shell, None)
        else:
            self._announced[shell] = exports

    def of(self, specifier: str) -> tuple[str, ...]:
        """Sorted, each once, without ``default``. With several shells: the union, for import() does not say whose."""
        announced = [exports[specifier] for exports in self._announced.values() if specifier in exports]
        names = {name for found in announced for name in found} if announced else set(self._shipped(specifier))
        return tuple(sorted(name for name in names if name != "default" and _is_well_formed(name)))


def shim(specifier: str, names: Iterable[str]) -> str:
    """The module's text. Names are data from outside: what is no plain identifier is written as a string literal."""
    wanted = json.dumps(specifier)
    absent = json.dumps(f"{specifier} is not in globalThis[Symbol.for('{REGISTRY}')]: the shell has to put it there")
    lines = [
        f"const found = globalThis[Symbol.for({json.dumps(REGISTRY)})]?.[{wanted}];",
        f"if (!found) throw new Error({absent});",
        'const standard = "default" in found ? found.default : found;',
        "export { standard as default };",
    ]
    lines += [
        f"const x{number} = found[{json.dumps(name)}]; export {{ x{number} as {_export_name(name)} }};"
        for number, name in enumerate(names)
    ]
    return "\n".join(lines) + "\n"


def _export_name(name: str) -> str:
    return name if IDENTIFIER.fullmatch(name) else json.dumps(name)


def _is_well_formed(name: str) -> bool:
    # A lone surrogate cannot be an export's name, not even as a string.
    return not any("\ud800" <= letter <= "\udfff" for letter in name)
