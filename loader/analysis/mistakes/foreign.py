"""Texts that are no JavaScript at all: empty files, error pages, JSON, Markdown, diffs, pointers, another language."""

from __future__ import annotations

import re

from loader.analysis.compiled import Compiled
from loader.codes import finding
from loader.nouns import Diagnostic, Span

_HTML = re.compile(r"\s*<(?:!doctype|html\b|head\b|body\b|\?xml|svg\b|!--)", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*?(?:\r?\n|$)")
_FENCE_LATER = re.compile(r"^(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
_PROSE = re.compile(r"\s*[A-Z][\w',]* (?:[\w',()]+ )*[\w',()]+[.:!]?\s*?(?:\r?\n|$)")
# An array would be code as well.
_JSON = re.compile(r"""\s*\{\s*"[^"\n]{0,200}"\s*:""")
_NUMBERED = re.compile(r"\s*1[ \t]*[|:.→\t ].*\n\s*2[ \t]*[|:.→\t ].*\n\s*3[ \t]*[|:.→\t ]")
# What begins so is none of ours, if it does not compile: (pattern, what it is, the way out).
_BEGINNINGS = (
    (
        re.compile(r"version https://git-lfs\.github\.com/spec/"),
        "a pointer of Git LFS, not the file itself",
        "Fetch the file: `git lfs pull`; a plugin is small enough to live in the repository as it is.",
    ),
    (
        re.compile(r"\s*(?:diff --git \S|Index: \S|--- \S[^\n]*\n\+\+\+ \S|@@ -\d+[, ])"),
        "a diff, not JavaScript",
        "Apply it to the plugin (`git apply`, `patch`), or save the whole file.",
    ),
    (
        re.compile(r"\s*(?:[45]\d\d[: ]+)?(?:Not Found|Forbidden|Bad Gateway|Too Many Requests|Access Denied)\b"),
        "a server's error message, not JavaScript",
        "The download failed and left it behind: fetch the file again.",
    ),
    (
        re.compile(
            r"(?:\s*(?:#[^\n]*|import [\w.]+(?: as \w+)?[ \t]*\r?)\n)*"
            r"\s*(?:\"\"\"|\'\'\'|from [\w.]+ import |(?:async )?def \w+\(|class \w+(?:\([^)\n]*\))?:)"
        ),
        "Python, not JavaScript",
        "plugin.js is what the app shows; Python belongs into a package (`hermes-desktop new ID --template package`).",
    ),
    (
        _NUMBERED,
        "a listing with line numbers, not JavaScript",
        "Copy the text without the numbers in front of its lines.",
    ),
)
_METHOD = re.compile(r"""\bregister["']?\s*(?:\(|:\s*(?:async\s+)?(?:function|\())""")
_BLANKS = "\ufeff \t\r\n\f\v\0\u2028\u2029\u00a0"


def may_be_foreign(text: str) -> bool:
    """Whether `not_javascript` might find something, whatever the engine will say."""
    begins = text.lstrip(_BLANKS)[:1]
    return begins in ("", "{", "[", "<", "`", "~") or _PROSE.match(text) is not None


def not_javascript(text: str, compiled: Compiled) -> Diagnostic | None:
    """HP104 for a text that was never meant to be a module; None leaves it to the parsers."""
    if not text.strip(_BLANKS):
        return finding(
            "HP104",
            "the file is empty",
            span=Span(1, 1, 1, 1),
            hint="Save the plugin again; an interrupted save leaves an empty file behind.",
        )
    if _FENCE.match(text):
        # Backticks alone are a template and parse; nobody means that.
        return _not(
            text,
            "Markdown, not JavaScript: it begins with a code fence (```)",
            "Keep only what stands between the fences.",
        )
    if compiled.error is None and compiled.gave_up is None:
        return None
    if _HTML.match(text):
        return _not(
            text,
            "an HTML page, not JavaScript",
            "A download that failed leaves the server's error page behind: fetch the file again.",
        )
    if _JSON.match(text):
        # Comments and commas too many do not make it code, a method does.
        if not _METHOD.search(text):
            return _not(text, "JSON, not JavaScript", "plugin.js holds code; a manifest has a file of its own.")
        return _not(text, "an object without `export default`", "Write `export default` before its `{`.")
    for pattern, what, hint in _BEGINNINGS:
        if pattern.match(text):
            return _not(text, what, hint)
    if _FENCE_LATER.search(text) and _PROSE.match(text):
        return _not(text, "prose with a code fence, not JavaScript", "Keep only what stands between the fences (```).")
    return None


def _not(text: str, what: str, hint: str) -> Diagnostic:
    start = len(text) - len(text.lstrip("\ufeff \t\r\n\f\v"))
    line = text.count("\n", 0, start) + 1
    first = text[start:].split("\n", 1)[0].rstrip("\r")
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    units = len(first.encode("utf-16-le", "surrogatepass")) // 2
    return finding("HP104", f"this is {what}", span=Span(line, column, line, column + units), hint=hint)
