"""What a rule is: a question to the model, a paragraph, a bad and a good example, under a code that is for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.analysis.surface import Surface
from loader.analysis.syntax import Module
from loader.codes import CODES, finding
from loader.nouns import Diagnostic, Fix, ImportRef, Severity, Span
from loader.settings import AnalysisSettings

# Who comes upon it: `model` rules have a check; the others are documented here and raised by the part named.
FoundBy: TypeAlias = Literal[
    "model", "syntax", "reading", "integrity", "inventory", "rehearsal", "pool", "comments", "pages"
]


_LONGEST = 480


@dataclass(frozen=True, slots=True)
class Subject:
    """What a check is given: the model of one text, the app's surface, and the settings.

    ``imports`` is the list that all parsers agree on; where the grammar stumbled over valid syntax it holds more
    than the model does.
    """

    module: Module
    surface: Surface
    settings: AnalysisSettings
    imports: tuple[ImportRef, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check yields; the runner adds code, rule and severity. ``severity`` overrides the usual one."""

    span: Span | None
    message: str
    hint: str | None = None
    fix: Fix | None = None
    severity: Severity | None = None

    def under(self, code: str) -> Diagnostic:
        hint = None if self.hint is None else _cut(self.hint)
        return finding(code, _cut(self.message), span=self.span, hint=hint, fix=self.fix, severity=self.severity)


def _cut(text: str) -> str:
    """A name of a hundred thousand letters belongs into no message, whichever rule quotes it."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


Check: TypeAlias = Callable[[Subject], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One code explained. ``paragraph`` is the rule file's docstring: what it is, why it matters, the source.

    ``bad`` is a whole plugin.js that gets exactly this code, ``good`` the same mended; where a text alone cannot
    show it (``shown_by_text`` false) both describe the situation in a few lines.
    """

    code: str
    paragraph: str
    bad: str
    good: str
    check: Check | None = None
    found_by: FoundBy = "model"
    shown_by_text: bool = True
    since: str = "0.1.0"

    def __post_init__(self) -> None:
        if (self.check is None) == (self.found_by == "model"):
            raise ValueError(f"{self.code}: a rule has either a check or somebody else who finds it")

    @property
    def name(self) -> str:
        return CODES[self.code].rule

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity
