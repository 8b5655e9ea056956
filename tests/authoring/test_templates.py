"""What each template makes: whole, valid in every place the id is written to, clean under the checks of its peers."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import get_args

import pytest

from loader.analysis.pool import AnalysisPool
from loader.authoring.creating import plan_new, write_new
from loader.authoring.templates import BY_NAME, TEMPLATES, Template, app_id_of, files_of, title_of
from loader.checking.run import CheckSettings, check_targets
from loader.checking.targets import find_targets, home_targets
from loader.cli.new import TemplateName
from loader.home import Home
from loader.inventory.pipeline import Pipeline
from loader.nouns import Event, PluginFailed, PluginLoaded
from loader.packages.manifest import Manifest, parse_manifest
from loader.packages.walled import host_of
from loader.settings import AnalysisSettings, ServiceSettings
from loader.testing import until
from tests.requirements import node, peers

# Every shape that an id may have: each is written into code, paths and names.
IDS = ("my-plugin", "0", "9-lives", "under_score", "a", "a" * 64, "trailing-", "constructor", "default")
PACKAGE, APP = BY_NAME["package"], BY_NAME["web-app"]
# What lies behind a door of a home; a web app is installed.
DOORED = tuple(template for template in TEMPLATES if not template.is_app)
each_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)


@each_template
@pytest.mark.parametrize("plugin_id", IDS)
def test_every_word_is_filled_in_and_the_entry_comes_first(template: Template, plugin_id: str) -> None:
    files = files_of(template, plugin_id)
    assert files[0].path == template.entry
    stated = next(file for file in files if file.path == "plugin.json").text if template.is_app else files[0].text
    assert (f'"id": "{app_id_of(plugin_id)}",' if template.is_app else f"id: '{plugin_id}',") in stated
    assert len({file.path for file in files}) == len(files)
    for file in files:
        assert not re.search(r"\{\{\w+\}\}", file.text), file.path
        assert ".template" not in file.path
        assert file.text.endswith("\n")


@each_template
def test_an_editor_finds_the_types_of_the_sdk(template: Template) -> None:
    files = {file.path: file.text for file in files_of(template, "my-plugin")}
    assert json.loads(files["jsconfig.json"])["include"] == [template.entry, "types/*.d.ts"]
    if template.is_app:
        assert [path for path in files if path.startswith("types/")] == ["types/plugin-bridge.d.ts"]
    else:
        assert "declare module '@hermes/plugin-sdk'" in files["types/sdk-plugin.d.ts"]
        assert "types/react.d.ts" in files
    assert "# My plugin\n" in files["README.md"]


def test_a_package_has_both_halves_and_tests() -> None:
    files = {file.path: file.text for file in files_of(PACKAGE, "my-plugin")}
    assert {"plugin.yaml", "desktop/plugin.js", "dashboard/manifest.json", "dashboard/plugin_api.py"} <= set(files)
    assert "tests/test_plugin.py" in files
    assert json.loads(files["dashboard/manifest.json"])["name"] == "my-plugin"
    assert "\nname: my-plugin\n" in files["plugin.yaml"]


def test_the_command_lines_choices_are_the_templates() -> None:
    assert get_args(TemplateName) == tuple(template.name for template in TEMPLATES)


def test_every_template_has_its_folder_and_no_folder_is_left_over() -> None:
    import loader

    folder = Path(loader.__file__).parent / "templates"
    assert {path.name for path in folder.iterdir()} == {*(template.name for template in TEMPLATES), "shared"}
    assert all(path.suffix == ".template" for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("name", "app_id"),
    [
        ("my-board", "com.example.my-board"),
        ("my_board", "com.example.my-board"),
        ("9_", "com.example.9"),
        ("a" * 64, f"com.example.{'a' * 63}"),
        ("org.me.board", "org.me.board"),
    ],
)
def test_a_web_app_has_a_reverse_domain_name(name: str, app_id: str) -> None:
    files = {file.path: file.text for file in files_of(APP, name)}
    manifest = parse_manifest(json.loads(files["plugin.json"]))
    assert isinstance(manifest, Manifest)
    assert (manifest.id, manifest.kind, manifest.entry) == (app_id, "web-app", "index.html")
    assert f"http://{host_of(app_id)}:8787/.hermes/bridge.js" in files["index.html"]
    assert f"--directory {name}\n" in files["README.md"]


def test_a_web_apps_page_runs_under_the_policy_of_the_wall() -> None:
    """No inline code: neither in the page nor made by its script."""
    page = next(file for file in files_of(APP, "my-board") if file.path == "index.html").text
    assert re.findall(r"<script(?![^>]* src=)|\son\w+=|javascript:|<style| style=", page) == []
    assert "eval(" not in next(file for file in files_of(APP, "my-board") if file.path == "app.js").text


@pytest.mark.parametrize(
    ("plugin_id", "title"),
    [("my-plugin", "My plugin"), ("a", "A"), ("0-0_b", "0 0 b"), ("x--y", "X y"), ("org.me.my-board", "My board")],
)
def test_a_title_is_made_of_the_id(plugin_id: str, title: str) -> None:
    assert title_of(plugin_id) == title


# ---------------------------------------------------------------- the real things


def make(template: Template, plugin_id: str, into: Path | Home) -> Path:
    new = plan_new(plugin_id, template.name, into)
    write_new(new)
    return new.folder


def home_in(root: Path) -> Home:
    root.mkdir(exist_ok=True)
    return Home(root, root, None, "a test")


@pytest.mark.real
@pytest.mark.anyio
async def test_all_pass_the_strict_check_and_are_played_without_a_finding(tmp_path: Path) -> None:
    home = home_in(tmp_path / "home")
    for template in DOORED:
        make(template, f"a-{template.name}", home)
        # Ids of one home are unique: the awkward ones get homes of their own.
        for plugin_id in ("9_", "default"):
            make(template, plugin_id, home_in(tmp_path / f"home-{template.name}-{plugin_id}"))
    targets = [target for root in sorted(tmp_path.iterdir()) for target in home_targets(home_in(root))]
    assert len(targets) == len(DOORED) * 3
    pool = AnalysisPool()
    await pool.start()
    try:
        run = await check_targets(targets, pool, CheckSettings(AnalysisSettings(rehearsal="enforce"), strict=True))
    finally:
        await pool.close()
    assert [(file.path, file.diagnostics) for file in run.files if file.diagnostics] == []
    for file in run.files:
        assert file.rehearsal is not None
        assert file.rehearsal.ran
        assert file.rehearsal.contributions, file.path
        assert [line for line in file.rehearsal.console if line.level in ("warn", "error")] == []
        assert file.rehearsal.leaks == ()


@pytest.mark.real
def test_the_check_finds_them_in_any_folder(tmp_path: Path) -> None:
    for template in TEMPLATES:
        make(template, f"a-{template.name}", tmp_path)
    found = find_targets([str(tmp_path)], find_home=lambda: home_in(tmp_path))
    assert {target.candidate.folder for target in found} == {f"a-{template.name}" for template in DOORED}


@pytest.mark.real
@each_template
def test_what_it_makes_has_no_type_errors_under_its_own_settings(template: Template, tmp_path: Path) -> None:
    folder = make(template, "my-plugin", tmp_path)
    tsc = [node(), str(peers() / "node_modules" / "typescript" / "bin" / "tsc"), "-p", str(folder / "jsconfig.json")]

    def typed() -> str:
        done = subprocess.run([*tsc, "--pretty", "false"], capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr == ""
        return done.stdout

    assert typed() == ""
    if template.is_app:
        entry = folder / template.entry
        entry.write_text(entry.read_text().replace("api?.tools?.call(name", "api.tools.call(name"))
        assert "TS18048" in typed()
        return
    if template.name not in ("pane", "package"):
        return  # the settings are the same for all: two are enough to show that this silence means something
    entry = folder / template.entry
    entry.write_text(entry.read_text().replace("register(ctx) {", "register(ctx) {\n    ctx.regster()"))
    assert "TS2551" in typed()


@pytest.mark.real
def test_the_tests_of_a_new_package_pass(tmp_path: Path) -> None:
    folder = make(PACKAGE, "my-package", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", str(folder)],
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.real
@pytest.mark.anyio
@pytest.mark.timeout(120)
async def test_a_running_service_loads_what_is_made_whole_and_every_edit_after_it(tmp_path: Path) -> None:
    home = home_in(tmp_path / "home")
    events: list[Event] = []
    pool = AnalysisPool()
    await pool.start()
    pipeline = Pipeline(home, ServiceSettings(reconcile_every_s=3600), analyzer=pool, emit=events.append)
    running = asyncio.create_task(pipeline.run())

    def loaded() -> list[tuple[str, str]]:
        return [(event.plugin.id, event.plugin.name) for event in events if isinstance(event, PluginLoaded)]

    try:
        assert await pipeline.wait_ready(60)
        for template in (template for template in DOORED if not template.is_package):
            plugin_id, title = f"my-{template.name}", title_of(f"my-{template.name}")
            folder = await asyncio.to_thread(make, template, plugin_id, home)
            deadline = time.monotonic() + 30
            await until(lambda made=(plugin_id, title): made in loaded())  # type: ignore[misc]
            entry = folder / template.entry
            changed = entry.read_text().replace(f"name: '{title}'", "name: 'Edited'", 1)
            entry.write_text(changed)
            await until(lambda made=(plugin_id, "Edited"): made in loaded())  # type: ignore[misc]
            assert time.monotonic() < deadline
        make(PACKAGE, "my-package", home)
        await until(lambda: pipeline.find("my-package") is not None)
        await pipeline.set_choice("my-package", True)
        await until(lambda: ("my-package", "My package") in loaded())
        assert [event for event in events if isinstance(event, PluginFailed)] == []
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await pool.close()
