"""The codes of all findings: for ever, one row each. A retired code keeps its row.

The row holds what every maker of findings needs (the rule's name and its usual severity); the paragraph,
the hint and the examples stand with the rule in ``loader/analysis/rules``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from loader.nouns import Diagnostic, Fix, Severity, Span


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    rule: str
    severity: Severity


CODES: Mapping[str, Code] = MappingProxyType(
    {
        row.code: row
        for row in (
            Code("HP001", "unreadable-file", "error"),
            Code("HP002", "file-too-large", "error"),
            Code("HP003", "large-file", "info"),
            Code("HP004", "not-utf8", "error"),
            Code("HP005", "outside-folder", "error"),
            Code("HP010", "integrity-mismatch", "error"),
            Code("HP011", "integrity-malformed", "error"),
            Code("HP101", "syntax-error", "error"),
            Code("HP102", "jsx-syntax", "error"),
            Code("HP103", "typescript-syntax", "error"),
            Code("HP104", "not-javascript", "error"),
            Code("HP105", "nested-too-deeply", "error"),
            Code("HP106", "analysis-gave-up", "error"),
            Code("HP201", "unsupported-import", "error"),
            Code("HP202", "unsupported-dynamic-import", "error"),
            Code("HP203", "computed-dynamic-import", "error"),
            Code("HP204", "unknown-export", "error"),
            Code("HP205", "type-only-export", "error"),
            Code("HP206", "newer-export", "warning"),
            Code("HP207", "commonjs", "error"),
            Code("HP208", "lookalike-specifier", "error"),
            Code("HP209", "import-attributes", "error"),
            Code("HP301", "no-default-export", "error"),
            Code("HP302", "not-a-plugin", "error"),
            Code("HP303", "id-folder-mismatch", "error"),
            Code("HP304", "invalid-id", "error"),
            Code("HP305", "duplicate-id", "error"),
            Code("HP306", "declarative-buttons", "warning"),
            Code("HP401", "register-failed", "warning"),
            Code("HP402", "import-timeout", "error"),
            Code("HP403", "evaluation-failed", "warning"),
            Code("HP404", "resource-limit", "error"),
            Code("HP405", "not-rehearsed", "info"),
            Code("HP406", "render-failed", "warning"),
            Code("HP407", "invalid-contribution", "warning"),
            Code("HP408", "duplicate-contribution", "warning"),
            Code("HP409", "leak", "warning"),
            Code("HP410", "disposer-failed", "warning"),
            Code("HP501", "undeclared-name", "warning"),
            Code("HP502", "hard-coded-color", "warning"),
            Code("HP503", "fast-polling", "warning"),
            Code("HP504", "socket-without-fallback", "warning"),
            Code("HP505", "canvas-without-resize", "warning"),
            Code("HP506", "untracked-side-effect", "warning"),
            Code("HP507", "action-not-allowed", "warning"),
            Code("HP508", "unguarded-new-api", "warning"),
            Code("HP509", "unused-import", "info"),
            Code("HP510", "ignored-refusal", "info"),
            Code("HP511", "stale-closure", "warning"),
            Code("HP512", "wrong-busy-signal", "warning"),
            Code("HP513", "pet-as-log", "info"),
            Code("HP514", "wrong-sdk", "warning"),
            Code("HP515", "unnamespaced-name", "info"),
            Code("HP516", "backend-path", "warning"),
            Code("HP517", "discarded-element", "warning"),
            Code("HP520", "unused-suppression", "info"),
            Code("HP521", "settings-ignored", "warning"),
            Code("HP601", "synthetic-key-event", "warning"),
            Code("HP602", "reach-into-app", "warning"),
            Code("HP611", "dynamic-code", "warning"),
            Code("HP612", "script-injection", "warning"),
            Code("HP613", "prototype-patching", "warning"),
            Code("HP614", "hidden-text", "warning"),
            Code("HP615", "remote-content", "warning"),
            Code("HP701", "page-not-json", "error"),
            Code("HP702", "page-too-large", "warning"),
            Code("HP703", "page-nested-too-deeply", "error"),
            Code("HP704", "page-missing-key", "error"),
            Code("HP705", "page-wrong-type", "error"),
            Code("HP706", "page-unknown-kind", "error"),
            Code("HP707", "page-unknown-choice", "error"),
            Code("HP708", "page-version", "error"),
            Code("HP709", "page-invalid-id", "error"),
            Code("HP710", "page-duplicate-id", "error"),
            Code("HP711", "page-limit", "error"),
            Code("HP712", "page-progress-without-source", "error"),
            Code("HP713", "page-bad-path", "error"),
            Code("HP714", "page-request-in-draft", "error"),
            Code("HP715", "page-draft-refused", "error"),
            Code("HP716", "page-foreign-manifest", "error"),
            Code("HP731", "page-unknown-key", "warning"),
            Code("HP732", "page-undeclared-binding", "warning"),
            Code("HP733", "page-unreachable", "warning"),
            Code("HP734", "page-loose-value", "warning"),
            Code("HP735", "page-repeated-key", "warning"),
            Code("HP736", "page-without-effect", "warning"),
            Code("HP737", "page-state-of-other-type", "warning"),
        )
    }
)


def finding(
    code: str,
    message: str,
    *,
    span: Span | None = None,
    hint: str | None = None,
    fix: Fix | None = None,
    severity: Severity | None = None,
) -> Diagnostic:
    """A diagnostic with the rule's name and usual severity filled in; an unknown code raises KeyError."""
    row = CODES[code]
    return Diagnostic(code, row.rule, severity or row.severity, message, span, hint, fix)
