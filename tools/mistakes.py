"""Typical mistakes and what the check says first of each: ``python -m tools.mistakes`` writes docs/mistakes.md.

``python -m tools.mistakes FOLDER`` writes the mistakes themselves, a plugin each, to try `hermes-desktop check` on.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from loader.checking.checked import CheckRun
from loader.checking.targets import find_targets
from loader.cli.check_now import check_now
from loader.home import Home
from loader.nouns import Diagnostic
from loader.reports.safe import visible
from loader.settings import AnalysisSettings
from tests.analysis.mistakes import KINDS, Mistake

PAGE = Path(__file__).parent.parent / "docs" / "mistakes.md"

_HEAD = """\
# Typical mistakes, and what the check says first

Each row is a plugin with one mistake that authors make: the line on which the author has to look, the line that
`hermes-desktop check` names first, and its first message with the way out. {right} of {count} are named on their true
line.

This page is made by `python -m tools.mistakes`, which runs the check on all of them; the tests hold it against the
program. To try them yourself: `python -m tools.mistakes FOLDER`, then `hermes-desktop check FOLDER`.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One mistake and the first finding on it, None when the check says nothing."""

    mistake: Mistake
    first: Diagnostic | None

    @property
    def line(self) -> int | None:
        return self.first.span.line if self.first is not None and self.first.span is not None else None

    @property
    def right(self) -> bool:
        return self.first is not None and self.line == self.mistake.line


def write_plugins(folder: Path, mistakes: Iterable[Mistake]) -> None:
    """A folder for each mistake, named after it; where it calls itself `demo`, it takes that name."""
    for mistake in mistakes:
        own = folder / mistake.name
        own.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"""(\bid:\s*)'demo'""", rf"\1'{mistake.name}'", mistake.text)
        (own / "plugin.js").write_bytes(text.encode(mistake.encoding))


def check_all(kinds: Mapping[str, tuple[Mistake, ...]] = KINDS) -> dict[str, tuple[Row, ...]]:
    """Run the real check, rehearsal included, on a folder of all mistakes: the rows by kind."""
    with tempfile.TemporaryDirectory(prefix="hermes-mistakes-") as name:
        folder = Path(name)
        write_plugins(folder, (mistake for mistakes in kinds.values() for mistake in mistakes))
        run = asyncio.run(check_now(find_targets([name], find_home=_no_home), AnalysisSettings()))
    return rows_of(run, kinds)


def rows_of(run: CheckRun, kinds: Mapping[str, tuple[Mistake, ...]]) -> dict[str, tuple[Row, ...]]:
    first = {file.id: file.diagnostics[0] if file.diagnostics else None for file in run.files}
    return {kind: tuple(Row(mistake, first[mistake.name]) for mistake in mistakes) for kind, mistakes in kinds.items()}


def _no_home() -> Home:
    raise AssertionError("a folder was named, so that no home is looked for")


def page(rows: Mapping[str, tuple[Row, ...]]) -> str:
    """The whole of docs/mistakes.md."""
    everything = [row for some in rows.values() for row in some]
    parts = [_HEAD.format(right=sum(row.right for row in everything), count=len(everything))]
    for kind, some in rows.items():
        parts.append(f"\n## {kind}\n\n| mistake | line: true, named | what we say first |\n| --- | --- | --- |\n")
        parts += [_row(row) for row in some]
    return "".join(parts)


def _row(row: Row) -> str:
    true, named = ("file" if line is None else str(line) for line in (row.mistake.line, row.line))
    mark = "" if row.right else " ✗"
    return f"| {row.mistake.name} | {true}, {named}{mark} | {_said(row.first)} |\n"


def _said(first: Diagnostic | None) -> str:
    if first is None:
        return "nothing"
    hint = f"<br>{_cell(first.hint)}" if first.hint else ""
    return f"[{first.code}](rules/{first.code}.md) {_cell(first.message)}{hint}"


def _cell(text: str) -> str:
    """Text inside a table's cell: a bar or a tag would end it, and what cannot be seen is shown."""
    outside = re.split(r"(`[^`]*`)", visible(text).replace("|", "\\|").replace("\n", " "))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in outside)


def main(arguments: list[str]) -> int:
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        write_plugins(Path(arguments[0]), (mistake for mistakes in KINDS.values() for mistake in mistakes))
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(page(check_all()), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
