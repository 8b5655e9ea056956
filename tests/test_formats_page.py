"""The page of formats shows what the formats are, and what `--fix` does is what its diff says."""

import re
import subprocess
from pathlib import Path
from typing import get_args

from loader.cli.check_show import Form
from loader.cli.formats_docs import PATH, PLUGIN, examples, renewed
from tests.requirements import need

PAGE = Path(__file__).parent.parent / "docs" / "formats.md"


def test_every_example_is_as_it_is_made_now() -> None:
    text = PAGE.read_text("utf-8")
    assert text == renewed(text), "renew it: python -m loader.cli.formats_docs docs/formats.md"


def test_every_format_has_its_example() -> None:
    shown = re.findall(r"<!-- example: (\w+) -->", PAGE.read_text("utf-8"))
    assert set(shown) == {*get_args(Form), "plugin", "diff"}
    assert len(shown) == len(set(shown))


def test_the_diff_of_the_page_applies_and_leaves_nothing_to_mend(tmp_path: Path) -> None:
    path = tmp_path / PATH
    path.parent.mkdir()
    path.write_text(PLUGIN)
    diff = examples()["diff"]()
    subprocess.run([need("git"), "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    assert "import { useState } from 'react'\n" in path.read_text()
    assert "Button" not in path.read_text()
