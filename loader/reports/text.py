"""Findings as a person reads them in a terminal (see ``loader.reports.styled``), for rich to draw."""

from __future__ import annotations

from rich.text import Text

from loader.checking.checked import CheckedFile, CheckRun
from loader.reports.styled import STYLES, Styled, styled_file, styled_summary

__all__ = ["STYLES", "file_report", "summary_line"]


def file_report(file: CheckedFile, *, width: int) -> Text:
    """All findings of one file, a blank line behind each; empty for a file without findings.

    ``width`` is the terminal's, in cells. Styles are attached; whoever prints decides whether they become colours.
    """
    return _drawn(styled_file(file, width=width))


def summary_line(run: CheckRun) -> Text:
    """How many files were checked and what came of it: the last line of the text."""
    return _drawn(styled_summary(run))


def _drawn(styled: Styled) -> Text:
    drawn = Text()
    for text, style in styled.parts:
        drawn.append(text, style)
    return drawn
