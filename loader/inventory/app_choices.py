"""The desktop app's own switches, as it mirrors them into the home's config.yaml. Read only.

`desktop.pluginDecisions` maps plugin ids to booleans (facts of the app's plugin store). The file belongs to the
user and is edited by hand: one that cannot be read leaves the last known switches in force and is said once. One
that lost a switch is believed when it still has after a while: a save in pieces would turn plugins on that are off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ruamel.yaml.error import YAMLError

from loader.config_yaml import load, text_of
from loader.inventory.identity import is_valid_id

CONFIG_FILE = "config.yaml"
_LIMIT_BYTES = 1024 * 1024
_KEY = "pluginDecisions"


@dataclass(slots=True)
class AppChoices:
    """The switches in force. ``refresh`` blocks (it reads and parses a file of at most 1 MiB): call it in a thread.

    ``settle_s``: how long a file must stand that lost a switch, by the clock ``now_s``.
    """

    path: Path
    decisions: Mapping[str, bool] = field(default_factory=dict)
    settle_s: float = 0.0
    now_s: Callable[[], float] = time.monotonic
    _seen: bytes | None = None
    _complained: bool = False
    _fewer: tuple[Mapping[str, bool], float] | None = None

    @property
    def settling(self) -> bool:
        """Whether a switch is gone from the file that still counts: refresh again when ``settle_s`` have passed."""
        return self._fewer is not None

    def refresh(self) -> str | None:
        """Read the file again. Returns what is wrong with it, in one line and once, until it is whole again.

        A missing file holds no switches. Entries that are no plugin id or no boolean are passed over.
        """
        try:
            if self.path.exists() and not self.path.is_file():
                # A pipe in its place would hold the reader for ever.
                return self._complain("is no regular file")
            with self.path.open("rb") as file:
                data = file.read(_LIMIT_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            data = b""
        except OSError as error:
            return self._complain(f"cannot be read ({error.strerror or error})")
        if data == self._seen:
            if self._fewer is not None and self.now_s() - self._fewer[1] >= self.settle_s:
                self.decisions, self._fewer = self._fewer[0], None
            return None
        self._seen, self._fewer = data, None
        if len(data) > _LIMIT_BYTES:
            return self._complain(f"is larger than {_LIMIT_BYTES // 1024} KiB")
        try:
            found = _decisions(data, hasty=not self.decisions)
        except (YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
            return self._complain(f"is no valid YAML ({_first_line(error)})")
        self._complained = False
        if self.settle_s > 0 and self.decisions.keys() - found.keys():
            self._fewer = (found, self.now_s())
        else:
            self.decisions = found
        return None

    def _complain(self, what: str) -> str | None:
        if self._complained:
            return None
        self._complained = True
        return f"{self.path} {what}: the app's own switches stay as they were last read. Mend the file."


def _decisions(data: bytes, *, hasty: bool) -> Mapping[str, bool]:
    text = text_of(data)
    if hasty and _KEY not in text:
        # Most configurations hold none, and a YAML parser in Python needs seconds for a megabyte.
        return {}
    loaded = load(text, pure=False)
    desktop = loaded.get("desktop") if isinstance(loaded, dict) else None
    found = desktop.get(_KEY) if isinstance(desktop, dict) else None
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if is_valid_id(key) and isinstance(value, bool)}


def _first_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}" if mark is not None else ""
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    return f"{str(problem).splitlines()[0]}{where}"
