"""The cases about watching, reloading, switching and identity, step by step on the fake clock.

tests/real/test_saves.py makes the same saves on a folder with a real watcher.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from loader.codes import finding
from loader.errors import UsageError
from loader.nouns import Event, Identity, Logged, PluginFailed, PluginLoaded, PluginUnloaded, Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.inventory.conftest import Bench

pytestmark = pytest.mark.anyio
# By line feeds alone: some cases hold other line ends, unescaped.
LINES = (Path(__file__).parent.parent / "cases" / "cases.jsonl").read_bytes().decode().split("\n")
CASES: dict[str, Any] = {case["id"]: case for case in map(json.loads, filter(None, LINES))}
DEMO = "desktop-plugins/demo/plugin.js"


def given(bench: Bench, case: dict[str, Any]) -> dict[str, str]:
    files: dict[str, str] = case["input"]["files"]
    for place, text in files.items():
        bench.write(place, text)
    return files


def version(text: str, name: str) -> str:
    return text.replace("name: 'v1'", f"name: '{name}'")


def in_words(events: list[Event]) -> list[str]:
    """Events as the cases write them: an unload that a load of the same id directly follows is a reload."""
    said: list[str] = []
    for number, event in enumerate(events):
        after = events[number + 1] if number + 1 < len(events) else None
        before = events[number - 1] if number else None
        match event:
            case PluginUnloaded(id=plugin_id):
                if not (isinstance(after, PluginLoaded) and after.plugin.id == plugin_id):
                    said.append(f"unload {plugin_id}")
            case PluginLoaded(plugin=row):
                again = isinstance(before, PluginUnloaded) and before.id == row.id
                said.append(f"{'reload' if again else 'load'} {row.id} {row.name}")
            case PluginFailed(plugin=row):
                said.append(f"error {row.id}")
            case Logged(level="error" | "warning"):
                said.append(event.text)
    return said


def in_sequence(bench: Bench) -> list[str]:
    return in_words(bench.events)


async def enabled(bench: Bench, *ids: str) -> None:
    """What a case presupposes of packages: the user has turned them on."""
    bench.home.state_dir.mkdir(exist_ok=True)
    state = {"version": 1, "data": dict.fromkeys(ids, True)}
    (bench.home.state_dir / "choices.json").write_text(json.dumps(state))


# ---------------------------------------------------------------- watch


async def test_vim_backup_save(bench: Bench) -> None:
    case = CASES["vim-backup-save"]
    given(bench, case)
    await bench.start()
    folder = bench.path(DEMO).parent
    for step in (
        lambda: (folder / "4913").touch(),
        lambda: (folder / "4913").unlink(),
        lambda: (folder / "plugin.js").rename(folder / "plugin.js~"),
        lambda: (folder / "plugin.js").write_text(case["input"]["v2"]),
        lambda: (folder / "plugin.js~").unlink(),
    ):
        step()
        bench.hint(DEMO)
        await bench.clock.advance(0.005)
    await bench.clock.advance(30)
    assert in_sequence(bench) == case["expected"]["events"]


async def test_second_atomic_save_missed(bench: Bench) -> None:
    case = CASES["second-atomic-save-missed"]
    (text,) = given(bench, case).values()
    await bench.start()
    path = bench.path(DEMO)
    for number in (2, 3):
        temporary = path.with_name(f".plugin.js.tmp-{number - 1}")
        temporary.write_text(version(text, f"v{number}"))
        temporary.replace(path)
        bench.hint(DEMO)
        await bench.clock.advance(2)
    path.write_text(version(text, "v4"))
    bench.hint(DEMO)
    await bench.clock.advance(3)
    assert in_sequence(bench) == case["expected"]["events"]


@pytest.mark.parametrize("deaf", [False, True])
async def test_root_deleted_and_recreated(bench: Bench, deaf: bool) -> None:
    case = CASES["root-deleted-and-recreated"]
    files = given(bench, case)
    bench.deaf = deaf
    await bench.start()
    heard = [sorted(in_sequence(bench))]

    async def then(seconds: float) -> None:
        bench.events.clear()
        for place in files:
            bench.hint(place)
        await bench.clock.advance(seconds)
        heard.append(sorted(in_sequence(bench)))

    shutil.rmtree(bench.path("desktop-plugins"))
    await then(7 if deaf else 3)
    for place, text in files.items():
        bench.write(place, text)
    await then(5)
    bench.write("desktop-plugins/a/plugin.js", version(files["desktop-plugins/a/plugin.js"], "v2"))
    await then(5)
    events = case["expected"]["events"]
    assert heard == [sorted(events[0:2]), sorted(events[2:4]), sorted(events[4:6]), sorted(events[6:])]


async def test_a_root_that_appears_later(bench: Bench) -> None:
    case = CASES["root-deleted-and-recreated"]
    await bench.start()
    bench.deaf = True
    given(bench, case)
    await bench.clock.advance(5)
    assert sorted(in_sequence(bench)) == ["load a v1", "load b v1"]


async def test_editor_side_files(bench: Bench) -> None:
    case = CASES["editor-side-files"]
    (text,) = given(bench, case).values()
    await bench.start()
    folder = bench.path(DEMO).parent
    for name in (".plugin.js.swp", "plugin.js~", "#plugin.js#", "plugin.js.bak", "plugin.js.tmp.77", ".DS_Store"):
        (folder / name).write_text("x")
        bench.hint(DEMO)
    (folder / "plugin (conflicted copy).js").write_text(version(text, "v9"))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_text("x")
    (folder / ".#plugin.js").symlink_to("user@host.1:2")
    bench.hint(DEMO)
    for name in (".git", "node_modules", ".demo.staging-ab12"):
        bench.write(f"desktop-plugins/{name}/plugin.js", version(text, "v9"))
    (bench.root / "desktop-plugins" / "dangling").symlink_to("nowhere")
    await bench.clock.advance(60)
    assert in_sequence(bench) == case["expected"]["events"]
    assert len(bench.events) == 1, "not even a row changed"


async def test_empty_file_mid_save(bench: Bench) -> None:
    case = CASES["empty-file-mid-save"]
    (text,) = given(bench, case).values()
    await bench.start()
    v2 = version(text, "v2")
    await bench.save(DEMO, "")
    await bench.clock.advance(0.3)
    await bench.save(DEMO, v2[: len(v2) // 2])
    await bench.clock.advance(0.1)
    await bench.save(DEMO, v2)
    await bench.clock.advance(30)
    assert in_sequence(bench) == case["expected"]["events"]
    assert len(bench.events) == 3


async def test_inotify_limit_falls_back(bench: Bench) -> None:
    case = CASES["inotify-limit-falls-back"]
    (text,) = given(bench, case).values()
    await bench.start()
    bench.watcher.break_down(OSError(28, "inotify watch limit reached"))
    bench.deaf = True
    await bench.save(DEMO, version(text, "v2"))
    await bench.clock.advance(10)
    heard = in_sequence(bench)
    (said,) = [line for line in heard if "watch limit" in line]
    heard.remove(said)
    assert heard == case["expected"]["events"]


async def test_a_watcher_that_never_delivers(bench: Bench) -> None:
    case = CASES["inotify-limit-falls-back"]
    bench.deaf = True
    (text,) = given(bench, case).values()
    await bench.start()
    await bench.save(DEMO, version(text, "v2"))
    await bench.clock.advance(10)
    assert in_sequence(bench) == case["expected"]["events"]


async def test_package_without_desktop_half(bench: Bench) -> None:
    case = CASES["package-without-desktop-half"]
    given(bench, case)
    await enabled(bench, "notes")
    await bench.start()
    await bench.clock.advance(60)
    assert bench.events == []
    text = "export default { id: 'notes', name: 'v1', register(ctx) {} }\n"
    await bench.save("plugins/notes/desktop/plugin.js", text)
    await bench.clock.advance(10)
    bench.path("plugins/notes/desktop/plugin.js").unlink()
    bench.hint("plugins/notes")
    await bench.clock.advance(10)
    assert in_sequence(bench) == case["expected"]["events"]


# ---------------------------------------------------------------- reload


async def test_manual_reload_after_folder_swap(bench: Bench) -> None:
    case = CASES["manual-reload-after-folder-swap"]
    (text,) = given(bench, case).values()
    await bench.start()
    prepared = bench.root / "prepared"
    prepared.mkdir()
    (prepared / "plugin.js").write_text(version(text, "v2"))
    folder = bench.path(DEMO).parent
    folder.rename(bench.root / "outside")
    prepared.rename(folder)
    await bench.pipeline.reload()
    assert in_sequence(bench) == case["expected"]["events"]
    await bench.pipeline.reload()
    assert in_sequence(bench) == case["expected"]["events"]


async def test_broken_save_keeps_last_good(bench: Bench) -> None:
    case = CASES["broken-save-keeps-last-good"]
    (text,) = given(bench, case).values()
    await bench.start()
    first = text.splitlines(keepends=True)[0]
    await bench.save(DEMO, first + "export default { id: 'demo', register(ctx) {")
    await bench.clock.advance(5)
    os.utime(bench.path(DEMO))
    bench.hint(DEMO)
    await bench.clock.advance(5)
    (failed,) = [event for event in bench.events if isinstance(event, PluginFailed)]
    assert [found.span.line for found in failed.plugin.diagnostics if found.span] == [2]
    await bench.save(DEMO, version(text, "v2"))
    assert in_sequence(bench) == case["expected"]["events"]


async def test_five_saves_are_five_reloads(bench: Bench) -> None:
    case = CASES["listener-leak-on-reload"]
    (text,) = given(bench, case).values()
    await bench.start()
    for number in range(5):
        await bench.save(DEMO, f"{text}// {number}\n")
    kinds = [type(event) for event in bench.events]
    assert kinds == [PluginLoaded] + [PluginUnloaded, PluginLoaded] * 5


async def test_a_plugin_that_never_settles_delays_no_other(bench: Bench) -> None:
    case = CASES["top-level-await-never-settles"]

    def judge(source: Source, settings: AnalysisSettings) -> Verdict:
        if "a-waits" not in source.text:
            return simple_verdict(source, settings)
        timed_out = finding("HP402", "The import timed out.")
        return Verdict(source.sha256, Identity("a-waits"), diagnostics=(timed_out,), cacheable=False)

    bench.analyzer.judge = judge
    bench.analyzer.hold("standalone:a-waits")
    given(bench, case)
    await bench.start()
    assert in_sequence(bench) == ["load b-fine v1"], "at once, not after the deadline of the other"
    bench.analyzer.release("standalone:a-waits")
    await bench.clock.advance(60)
    assert in_sequence(bench) == ["load b-fine v1", "error a-waits"]


# ---------------------------------------------------------------- integrity


@pytest.mark.parametrize("name", ["two-digests-one-matches", "malformed-integrity-fails-closed"])
async def test_integrity(bench: Bench, name: str) -> None:
    case = CASES[name]
    given(bench, case)
    await bench.start()
    right = bench.row("demo").integrity
    bench.write(DEMO, bench.path(DEMO).read_text())
    declared = bench.path(DEMO).with_name("integrity.json")
    for value, expected in zip(case["input"]["tries"], case["expected"]["results"], strict=True):
        await bench.pipeline.unpin("demo")
        assert bench.row("demo").state == "ready"
        try:
            row = await bench.pipeline.set_pin("demo", value)
            # Without a value the present bytes are pinned.
            assert value is not None or row.integrity == right
            outcome = "pass" if row.state == "ready" else "refuse"
        except UsageError:
            outcome = "refuse"
        assert outcome == expected, value
        await bench.pipeline.unpin("demo")
        calls = len(bench.analyzer.calls)
        declared.write_text(json.dumps({"plugin.js": value}))
        (row,) = await bench.pipeline.reload(["demo"])
        assert row.state == {"pass": "ready", "refuse": "failed"}[expected], value
        assert len(bench.analyzer.calls) == calls, "refused bytes are not looked into"
        declared.unlink()
        await bench.pipeline.reload()


# ---------------------------------------------------------------- enablement


async def test_disabled_stays_disabled_after_save(bench: Bench) -> None:
    case = CASES["disabled-stays-disabled-after-save"]
    (text,) = given(bench, case).values()
    await bench.start()
    await bench.pipeline.set_choice("demo", False)
    await bench.save(DEMO, version(text, "v2"))
    await bench.restart()
    assert bench.row("demo").state == "disabled"
    shutil.move(bench.path(DEMO).parent, bench.root / "away")
    bench.hint(DEMO)
    await bench.clock.advance(10)
    shutil.move(bench.root / "away", bench.path(DEMO).parent)
    bench.hint(DEMO)
    await bench.clock.advance(10)
    assert bench.row("demo").state == "disabled"
    await bench.pipeline.set_choice("demo", True)
    assert in_sequence(bench) == case["expected"]["events"]


async def test_truncated_state_file(bench: Bench) -> None:
    case = CASES["truncated-state-file"]
    bench.home.state_dir.mkdir()
    path = bench.home.state_dir / "choices.json"
    path.write_text(case["input"]["state_file_text"])
    given(bench, case)
    bench.write("desktop-plugins/other/plugin.js", "export default { id: 'other', name: 'v1', register() {} }\n")
    await bench.start()
    errors = [event for event in bench.events if isinstance(event, Logged) and event.level == "error"]
    assert len(errors) == 1
    await bench.pipeline.set_choice("other", False)
    (aside,) = [file for file in bench.home.state_dir.iterdir() if "damaged" in file.name]
    assert aside.read_text() == case["input"]["state_file_text"]
    assert json.loads(path.read_text())["data"] == {"other": False}


# ---------------------------------------------------------------- identity


async def test_same_id_in_both_doors(bench: Bench) -> None:
    case = CASES["same-id-in-both-doors"]
    files = given(bench, case)
    await enabled(bench, "word-count")
    await bench.start()
    package = "plugins/word-count/desktop/plugin.js"
    assert bench.row("unified:word-count").state == "shadowed"
    assert [found.code for found in bench.row("unified:word-count").diagnostics] == ["HP305"]
    await bench.save(package, files[package] + "// edited\n")
    await bench.clock.advance(5)
    assert in_sequence(bench) == ["load word-count v1"]
    shutil.rmtree(bench.path("desktop-plugins/word-count"))
    bench.hint("desktop-plugins/word-count")
    await bench.clock.advance(5)
    assert in_sequence(bench) == ["load word-count v1", "reload word-count v2"], "unload and load as one reload"


async def test_id_with_dot_dot(bench: Bench) -> None:
    case = CASES["id-with-dot-dot"]

    def judge(source: Source, settings: AnalysisSettings) -> Verdict:
        if "id: 7" not in source.text:
            return simple_verdict(source, settings)
        return Verdict(source.sha256, Identity(name="num"), diagnostics=(finding("HP304", "7 is no id"),))

    bench.analyzer.judge = judge
    files = given(bench, case)
    await bench.start()
    await bench.clock.advance(1)
    assert sorted(in_sequence(bench)) == [f"error {name}" for name in sorted(case["expected"]["errors"])]
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in bench.root.rglob("*.js")}
    for name in ("../../outside", "..", "7", "a/b"):
        for choice in (True, False, None):
            with pytest.raises(UsageError):
                await bench.pipeline.set_choice(name, choice)
        with pytest.raises(UsageError):
            await bench.pipeline.reload([name])
    assert not bench.home.state_dir.exists(), "no key with a path is stored"
    assert {
        path: hashlib.sha256(path.read_bytes()).hexdigest() for path in bench.root.rglob("*") if path.is_file()
    } == before
    assert len(before) == len(files)


async def test_folder_name_differs_from_id(bench: Bench) -> None:
    case = CASES["folder-name-differs-from-id"]
    given(bench, case)
    await bench.start()
    await bench.clock.advance(1)
    (row,) = bench.pipeline.plugins()
    for shown in (row.id, row.folder):
        await bench.pipeline.set_choice(shown, True)
        await bench.clock.advance(1)
    (row,) = bench.pipeline.plugins()
    assert in_sequence(bench) == ["error dockyard"], "said once, and nothing loads"
    (found,) = row.diagnostics
    assert found.code == "HP303"
    assert "stewardship" in found.message
    assert "dockyard" in found.message
