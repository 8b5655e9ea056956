import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock
from ruamel.yaml import YAML

from loader.backends.config import LIMIT_BYTES, ConfigReader, Lists, changed, lists_in, set_enabled
from loader.errors import LoaderError, UsageError
from tests.backends.conftest import BackendHome

KEPT = """\
# My settings. Do not touch.
lists:
- of another depth
model: "openai/gpt"   # the good one
toolsets: [a, b,   c]
plugins:
  # what I trust
  enabled:
    - zeta     # why
    - 'alpha'
  disabled: []
  scan_on_install: yes
long: this is a very long line that must not be folded because it is the user's own and nobody asked us to
multi: |
  keep
    me
empty:
anchors: &a {x: 1}
ref: *a
"""


def plugins(data: bytes) -> dict[str, list[str]]:
    found: dict[str, list[str]] = YAML(typ="safe").load(data.decode())["plugins"]
    return found


def test_enabling_adds_one_line_and_leaves_everything_else() -> None:
    made = changed(KEPT.encode(), ["board"], True).decode()
    before, after = KEPT.splitlines(), made.splitlines()
    assert [line for line in after if line not in before] == ["    - board"]
    assert [line for line in before if line not in after] == []
    assert [line for line in after if line != "    - board"] == before


def test_disabling_moves_the_name() -> None:
    made = changed(KEPT.encode(), ["zeta"], False)
    assert plugins(made)["enabled"] == ["alpha"] and plugins(made)["disabled"] == ["zeta"]
    assert plugins(changed(made, ["zeta"], True))["disabled"] == []
    assert "# what I trust" in made.decode() and "# My settings" in made.decode()


def test_what_stands_so_already_is_not_written_again() -> None:
    assert changed(KEPT.encode(), ["alpha", "zeta"], True) == KEPT.encode()


def test_sorted_lists_stay_sorted_and_lists_at_their_keys_depth_stay_there() -> None:
    text = "plugins:\n  enabled:\n  - a\n  - z\n"
    assert changed(text.encode(), ["m"], True).decode() == "plugins:\n  enabled:\n  - a\n  - m\n  - z\n"


@pytest.mark.parametrize(
    "text", ["", "# only a comment\n", "model: x\n", "plugins:\n", "plugins: {}\n", "---\nmodel: x\n"]
)
def test_missing_keys_are_made(text: str) -> None:
    made = changed(text.encode(), ["board"], True)
    assert plugins(made) == {"enabled": ["board"]}
    assert made.decode().startswith(text.removesuffix("plugins:\n").removesuffix("plugins: {}\n"))


def test_line_ends_and_mark_stay() -> None:
    made = changed(b"\xef\xbb\xbfmodel: x\r\nplugins:\r\n  enabled: [a]\r\n", ["b"], True)
    assert made == b"\xef\xbb\xbfmodel: x\r\nplugins:\r\n  enabled: [a, b]\r\n"


@pytest.mark.parametrize(
    "text", ["plugins: [a]\n", "plugins:\n  enabled: yes\n", "- a\n", "a: [\n", "a: 1\na: 2\n", "\xff"]
)
def test_what_cannot_be_changed_safely_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        changed(text.encode("latin-1"), ["b"], True)


@pytest.mark.parametrize(
    ("text", "enabled", "disabled"),
    [
        ("", set(), set()),
        ("plugins:\n  enabled: [a, 7, b]\n  disabled: c\n", {"a", "b"}, {"c"}),
        ("plugins:\n  enabled:\n  disabled: {c: true}\n", set(), set()),
        ("plugins:\n", set(), set()),
        # As Hermes' parser has it: a second block takes the place of the first, a second key that of its first.
        ("plugins:\n  enabled: [a]\nx: 1\nplugins:\n  enabled: [b]\n", {"b"}, set()),
        ("plugins:\n  enabled: [a]\n  disabled: [a]\n  enabled: [b]\n", {"b"}, {"a"}),
        ("x: &x {enabled: [a]}\nplugins:\n  <<: *x\n  disabled: [c]\n", {"a"}, {"c"}),
        ("- plugins\n", set(), set()),
        ("\ufeffplugins:\n  disabled:\n  - c\n", set(), {"c"}),
    ],
)
def test_reading(text: str, enabled: set[str], disabled: set[str]) -> None:
    assert lists_in(text.encode()) == Lists(frozenset(enabled), frozenset(disabled))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"plugins:\n  enabled: '[\"board\"]'\n", "'plugins.enabled' in config.yaml is a text, no list"),
        (b"plugins:\n  enabled: board\n  disabled: [c]\n", "is a text, no list"),
        (b"plugins:\n  enabled: {board: true}\n", "is a mapping, no list"),
        (b"plugins:\n- board\n", "'plugins' in config.yaml is a list"),
        ("plugins:\n  enabled: [board]\n".encode("utf-16"), "UTF-16"),
        (b"plugins:\n  enabled: [caf\xe9]\n", "utf-8"),
    ],
)
def test_what_enables_nothing_against_somebodys_wish_is_said(data: bytes, said: str) -> None:
    found = lists_in(data)
    assert found.enabled == frozenset()
    assert found.problem is not None
    assert said in found.problem


def test_a_broken_file_says_where() -> None:
    found = lists_in(b"plugins:\n  enabled: [a\nb: c: d\n")
    assert not found.enabled and found.problem is not None and "line" in found.problem


def test_the_file_counts_as_it_stands(at: BackendHome) -> None:
    reader = ConfigReader(at.root / "config.yaml")
    assert reader.read() == Lists()
    for name in ("aa", "bb", "cc"):
        at.enable(name)
        assert reader.read().enabled == {name}
    os.mkfifo(at.root / "pipe")
    assert "regular" in str(ConfigReader(at.root / "pipe").read().problem)


def test_a_change_keeps_mode_and_link_and_writers_do_not_lose_each_other(
    at: BackendHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.backends.config.LOCK_TIMEOUT_S", 60.0)
    real = tmp_path / "dotfiles.yaml"
    real.write_text(KEPT)
    real.chmod(0o640)
    (at.root / "config.yaml").symlink_to(real)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda number: set_enabled(at.home, [f"p{number}"], True), range(8)))
    assert (at.root / "config.yaml").is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert set(plugins(real.read_bytes())["enabled"]) == {"alpha", "zeta", *(f"p{number}" for number in range(8))}
    assert not set_enabled(at.home, ["p1"], True)
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_what_is_too_large_enables_nothing_and_is_not_changed(at: BackendHome) -> None:
    path = at.root / "config.yaml"
    path.write_bytes(b"plugins: {enabled: [board]}\n" + b"#" * (LIMIT_BYTES + 1))
    found = ConfigReader(path).read()
    assert (found.enabled, "larger than" in (found.problem or "")) == (frozenset(), True)
    with pytest.raises(LoaderError, match="larger than"):
        set_enabled(at.home, ["other"], True)


def test_a_home_without_a_config_gets_one_that_only_its_owner_reads(at: BackendHome) -> None:
    assert set_enabled(at.home, ["board"], True)
    path = at.root / "config.yaml"
    assert plugins(path.read_bytes())["enabled"] == ["board"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_change_that_cannot_be_made_is_said_and_leaves_all_as_it_was(
    at: BackendHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = at.root / "config.yaml"
    path.write_text("plugins: {enabled: [board]}\n")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(LoaderError, match=r"could not be changed: No space left on device\. It is as it was\."):
            set_enabled(at.home, ["other"], True)
    assert path.read_text() == "plugins: {enabled: [board]}\n"
    assert [entry.name for entry in at.root.iterdir() if entry.suffix == ".tmp"] == []


def test_a_config_that_another_process_changes_is_waited_for_and_then_said(
    at: BackendHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.backends.config.LOCK_TIMEOUT_S", 0.01)
    at.home.state_dir.mkdir(exist_ok=True)
    with (
        FileLock(at.home.state_dir / "config.yaml.lock"),
        pytest.raises(LoaderError, match="being changed by another process"),
    ):
        set_enabled(at.home, ["board"], True)


def test_a_list_added_behind_a_last_line_without_an_end_begins_a_line_of_its_own() -> None:
    made = changed(b"plugins:\n  enabled: []\nmodel: x", ["board"], True).decode()
    assert plugins(made.encode())["enabled"] == ["board"]
    assert "model: x" in made.splitlines()
