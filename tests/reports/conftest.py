"""A run with one of everything, for every way to print it."""

import pytest

from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.nouns import Contribution, ImportRef, Span

TEXT = 'import _ from "lodash"\nexport default { id: "one", register() {} }\n'


@pytest.fixture
def run() -> CheckRun:
    bad = CheckedFile(
        path="one/plugin.js",
        id="one",
        exported_id="one",
        revision="ab" * 32,
        imports=(
            ImportRef("lodash", "static", 14, 22, Span(1, 15, 1, 23)),
            ImportRef(None, "dynamic", 3, 4, Span(1, 4, 1, 5)),
        ),
        contributions=(Contribution("statusbar.right", "chip", "one:chip", "Chip", 10.0, {"label": "hi"}),),
        diagnostics=(
            finding("HP003", "600 KiB in one file"),
            finding("HP201", 'import of "lodash"', span=Span(1, 15, 1, 23), hint="copy what you need into the file"),
            finding("HP502", "colour \x1b[31m literal", span=Span(2, 1, 2, 7)),
        ),
        text=TEXT,
    )
    unread = CheckedFile(path="two/plugin.js", id="two", diagnostics=(finding("HP001", "there is a folder"),))
    return CheckRun((bad, unread, CheckedFile("three/plugin.js", "three", "three", "cd" * 32, text="")))
