"""Ways to write an import, and texts that only look like one: one line each in import_forms.jsonl.

``text`` stands between an import of the SDK and a good default export. ``imports`` are the further modules of a text
that passes (every static and dynamic one), ``refused`` those that are refused, `<computed>` among them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.compiling import check

SDK = "@hermes/plugin-sdk"
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "import_forms.jsonl").read_text(encoding="utf-8").split("\n")
    if line
]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_an_import_is_seen_and_what_resembles_one_is_not(row: dict[str, Any]) -> None:
    text = f"import {{ host }} from '{SDK}'\n{row['text']}\nexport default {{ id: 'demo', register() {{ host }} }}\n"
    result = check(text)
    errors = [one for one in result.findings if one.severity == "error"]
    if "refused" in row:
        spans = {one.span for one in errors if one.code in ("HP201", "HP202", "HP203", "HP208")}
        named = {
            one.specifier if one.specifier is not None else "<computed>" for one in result.imports if one.span in spans
        }
        assert sorted(named) == row["refused"]
    else:
        assert [one.message for one in errors] == []
        named = {one.specifier for one in result.imports if one.specifier is not None}
        assert sorted(named - {SDK}) == row["imports"]
    for one in result.imports:
        written = text.encode("utf-16-le")[one.start * 2 : one.end * 2].decode("utf-16-le")
        assert one.specifier is None or written[0] in "'\"`("
