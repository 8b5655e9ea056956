"""A rule explained: the same text in the terminal (`explain`), on its page in docs/rules, and for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence

from loader.analysis.rule import Rule
from loader.nouns import Json
from loader.reports.safe import visible_lines

INDEX = "README.md"
# Code and lists keep their lines; prose is wrapped anew.
_AS_WRITTEN = ("    ", "- ")
_FOUND_BY = {
    "model": "the static check",
    "syntax": "the parsers",
    "reading": "reading the file",
    "integrity": "the integrity check",
    "inventory": "the inventory, which knows the other plugins",
    "rehearsal": "the rehearsal",
    "pool": "the pool of workers",
    "comments": "comparing the comments with the findings",
    "pages": "`hermes-desktop page check`",
}


def rule_json(rule: Rule) -> dict[str, Json]:
    return {
        "code": rule.code,
        "rule": rule.name,
        "severity": rule.severity,
        "found_by": rule.found_by,
        "since": rule.since,
        "paragraph": _paragraphs(rule),
        "bad": rule.bad,
        "good": rule.good,
        "url": f"docs/rules/{rule.code}.md",
    }


def rule_text(rule: Rule, *, width: int) -> str:
    """The rule for a terminal of ``width`` cells; code stays as it is written, what cannot be seen shows as escapes."""
    parts = [f"{rule.code} {rule.name} ({rule.severity})"]
    parts += [_wrapped(part, width) for part in _paragraphs(rule).split("\n\n")]
    parts += ["Bad:\n" + textwrap.indent(visible_lines(rule.bad.rstrip("\n")), "    ")]
    parts += ["Good:\n" + textwrap.indent(visible_lines(rule.good.rstrip("\n")), "    ")]
    return "\n\n".join(parts) + "\n"


def rule_page(rule: Rule) -> str:
    """The page ``docs/rules/<code>.md``."""
    return (
        f"# {rule.code} {rule.name}\n\n"
        f"Severity: {rule.severity}. Found by {_FOUND_BY[rule.found_by]}. Since {rule.since}.\n\n"
        f"{_paragraphs(rule)}\n\n"
        f"## Bad\n\n{_fenced(rule.bad, rule)}\n"
        f"## Good\n\n{_fenced(rule.good, rule)}"
    )


def rule_index(rules: Sequence[Rule]) -> str:
    """The page that lists them all, by code."""
    rows = "".join(
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity} | {_cell(first_sentence(rule))} |\n"
        for rule in by_code(rules)
    )
    return (
        "# Rules\n\n"
        "Every finding has a code for ever. `hermes-desktop explain CODE` prints the same pages.\n"
        "They are made from the rules themselves: `python -m loader.cli.rules_docs docs/rules`.\n\n"
        f"| code | rule | severity | in short |\n| --- | --- | --- | --- |\n{rows}"
    )


def rule_pages(rules: Sequence[Rule]) -> dict[str, str]:
    """All pages by file name."""
    return {INDEX: rule_index(rules)} | {f"{rule.code}.md": rule_page(rule) for rule in rules}


def by_code(rules: Iterable[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda rule: rule.code)


def first_sentence(rule: Rule) -> str:
    """The first paragraph's first sentence on one line, without its full stop."""
    first = " ".join(_paragraphs(rule).split("\n\n")[0].split())
    end = first.find(". ")
    return (first if end < 0 else first[:end]).rstrip(".")


def _wrapped(part: str, width: int) -> str:
    if part.startswith(_AS_WRITTEN):
        return part
    return textwrap.fill(part, width, break_long_words=False, break_on_hyphens=False)


def _paragraphs(rule: Rule) -> str:
    """The paragraph with each of its parts on one line; indented parts (code) as they stand."""
    # Where it comes from stands on a line of its own.
    parts = textwrap.dedent(rule.paragraph).strip().replace("\nSource: ", "\n\nSource: ").split("\n\n")
    return "\n\n".join(part if part.startswith(_AS_WRITTEN) else " ".join(part.split()) for part in parts)


def _fenced(code: str, rule: Rule) -> str:
    # A longer fence than any in the code: examples may hold template strings with backticks, even three.
    fence = "`" * max(3, _longest_run(code) + 1)
    return f"{fence}{_language(code, rule)}\n{visible_lines(code.rstrip(chr(10)))}\n{fence}\n"


def _language(code: str, rule: Rule) -> str:
    if rule.found_by == "pages":
        return "json" if _is_json(code) else "text"
    return "js" if rule.shown_by_text else "text"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _longest_run(text: str) -> int:
    longest = run = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    return longest


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
