"""What connected shells say: who is there, what they made of each revision, what their app brings along. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from loader.codes import finding
from loader.inventory.identity import is_valid_id, shown
from loader.inventory.subject import Subject
from loader.nouns import Diagnostic, Running, ShellOutcome, ShellReport, Verdict

Phase: TypeAlias = Literal["import", "register", "render"]
SdkExports: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]

_ERROR_CHARACTERS = 2000
_CODE_OF_PHASE: Mapping[str, str] = {"import": "HP403", "register": "HP401", "render": "HP406"}
_ABOUT_EXPORTS = frozenset(("HP204", "HP205", "HP206", "HP508"))


@dataclass(frozen=True, slots=True)
class _Said:
    outcome: ShellOutcome
    error: str | None
    phase: str


@dataclass(slots=True)
class ShellBook:
    """The mounted shells and what each said of the revisions that run now. Forgets with the shell or the revision."""

    _versions: dict[str, str] = field(default_factory=dict)
    _said: dict[tuple[str, str], dict[str, _Said]] = field(default_factory=dict)

    def mount(self, shell: str, version: str) -> None:
        self._versions[shell] = version

    def unmount(self, shell: str) -> None:
        self._versions.pop(shell, None)
        for said in self._said.values():
            said.pop(shell, None)

    @property
    def mounted(self) -> tuple[str, ...]:
        """In the order in which they came."""
        return tuple(self._versions)

    def report(self, shell: str, running: Running, outcome: str, error: str | None, phase: str) -> None:
        """Ignored from a shell that is not mounted, and for an outcome that is none."""
        if shell not in self._versions or outcome not in ("loaded", "failed"):
            return
        failed = outcome == "failed"
        said = _Said("failed" if failed else "loaded", (error or "")[:_ERROR_CHARACTERS] if failed else None, phase)
        self._said.setdefault((running.key, running.revision), {})[shell] = said

    def forget(self, running: Running) -> None:
        self._said.pop((running.key, running.revision), None)

    def reports(self, running: Running | None) -> tuple[ShellReport, ...]:
        """One for each mounted shell, pending until it has spoken; none for what does not run."""
        if running is None:
            return ()
        said = self._said.get((running.key, running.revision), {})
        silent = _Said("pending", None, "")
        return tuple(
            ShellReport(shell, version, said.get(shell, silent).outcome, said.get(shell, silent).error)
            for shell, version in self._versions.items()
        )

    def evidence(self, running: Running | None, subject: Subject) -> tuple[Diagnostic, ...] | None:
        """What takes the place of HP401 and HP403 from the rehearsal; None while no shell has tried these bytes."""
        if running is None or running.revision != subject.revision:
            return None
        said = self._said.get((running.key, running.revision))
        if not said:
            return None
        return tuple(
            finding(
                _CODE_OF_PHASE.get(word.phase, "HP401"),
                f"Shell {shown(shell)} ({shown(self._versions[shell])}) could not run it: {shown(word.error or '')}",
            )
            for shell, word in said.items()
            if word.outcome == "failed"
        )


@dataclass(slots=True)
class Announced:
    """What the mounted shells' apps bring along.

    What the last shell announced stays in force when it leaves: a window that reconnects must not make every
    plugin of a bundled id start and stop again.
    """

    _bundled: dict[str, frozenset[str]] = field(default_factory=dict)
    bundled: frozenset[str] = frozenset()
    exports: SdkExports | None = None

    def mount(self, shell: str, exports: Mapping[str, Iterable[str]] | None, bundled: Iterable[str] | None) -> None:
        """Ids that are none are left out; ``exports`` None leaves those of an earlier shell in force."""
        self._bundled[shell] = frozenset(name for name in bundled or () if is_valid_id(name))
        self.bundled = frozenset().union(*self._bundled.values())
        if exports is not None:
            self.exports = tuple(
                sorted((module, tuple(sorted({str(name) for name in names}))) for module, names in exports.items())
            )

    def leave(self, shell: str) -> None:
        self._bundled.pop(shell, None)
        if self._bundled:
            self.bundled = frozenset().union(*self._bundled.values())


def judged_otherwise(
    source_text: str, verdict: Verdict, before: SdkExports | None, now: SdkExports | None, shipped: SdkExports
) -> bool:
    """Whether other announced exports may change this verdict: a cheap look that errs to the side of yes.

    A name that both lists have, or both lack, is judged alike, so only a text that spells one of the names in which
    they differ needs another analysis; and what was said about exports already, since its severity may differ.
    """
    if any(finding_.code in _ABOUT_EXPORTS for finding_ in verdict.diagnostics):
        return True
    # A module that a shell did not announce is judged by the shipped list.
    old, new = ({**dict(shipped), **dict(exports or ())} for exports in (before, now))
    differing: set[str] = set()
    for module in {ref.specifier or "" for ref in verdict.imports} & (old.keys() | new.keys()):
        if module not in old or module not in new:
            return True
        differing |= set(old[module]) ^ set(new[module])
    if not differing:
        return False
    return not differing.isdisjoint(_WORD.findall(source_text)) or "\\u" in source_text


_WORD = re.compile(r"[\w$]+")
