"""How `page check` prints: as `check` does, and with each finding's JSON Pointer where programs read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from loader.cli.check_show import Form, show

if TYPE_CHECKING:
    from loader.checking.checked import CheckRun
    from loader.cli.page_targets import CheckedPage


def show_pages(run: CheckRun, pages: Sequence[CheckedPage], form: Form) -> None:
    """Print a run in that form; JSON has a ``kind`` for each file and a ``pointer`` for each finding as well."""
    if form != "json":
        show(run, form)
        return
    from loader.cli.console import print_json
    from loader.reports.check_json import check_json

    answer = check_json(run)
    for row, page in zip(answer["files"], pages, strict=True):
        row["kind"] = page.check.kind
        for finding, found in zip(row["diagnostics"], page.check.findings, strict=True):
            finding["pointer"] = found.pointer
    print_json(answer)
