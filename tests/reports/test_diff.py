"""A diff that other programs apply: checked with Git itself, and with the two texts put together again."""

import subprocess
from pathlib import Path

import pytest

from loader.reports.diff import unified_diff
from tests.requirements import need

LONG = "".join(f"line {number}\n" for number in range(200))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\n", "a"),
        ("a", "a\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("", "new\n"),
        ("gone\n", ""),
        (LONG, LONG.replace("line 100\n", "").replace("line 150\n", "line\nline\n")),
        (LONG, "first\n" + LONG + "last"),
        ("a\u2028b\n", "a\u2028c\n"),
        ("é\n🙂\n", "é\n🙂🙂\n"),
    ],
)
def test_git_makes_the_one_text_of_the_other(tmp_path: Path, before: str, after: str) -> None:
    git = need("git")
    (tmp_path / "plugin.js").write_bytes(before.encode())
    diff = unified_diff("plugin.js", before, after)
    applied = subprocess.run(
        [git, "apply", "--unidiff-zero", "-"], input=diff.encode(), cwd=tmp_path, capture_output=True, check=False
    )
    assert applied.returncode == 0, applied.stderr.decode()
    path = tmp_path / "plugin.js"
    assert (path.read_bytes() if path.exists() else b"") == after.encode()


def test_equal_texts_have_no_diff() -> None:
    assert unified_diff("p", "a", "a") == ""


def test_only_what_changed_is_shown_with_its_place() -> None:
    diff = unified_diff("one/plugin.js", LONG, LONG.replace("line 100\n", "line C\n"))
    assert diff.startswith("--- a/one/plugin.js\n+++ b/one/plugin.js\n@@ -98,7 +98,7 @@\n")
    assert diff.count("\n") == 2 + 1 + 8
