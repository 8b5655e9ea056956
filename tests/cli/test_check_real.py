"""check, rehearse and list with the real workers and the real engine, as a stranger would call them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

GOOD = """\
import { STATUSBAR_AREAS } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
export default {
  id: 'clock',
  register(ctx) {
    ctx.register({ id: 'chip', area: STATUSBAR_AREAS.right, render: () => jsx('span', { children: 'twelve o clock' }) })
  },
}
"""
BAD = "import _ from 'lodash'\n" + GOOD.replace("clock", "bad")


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    for name, text in (("clock", GOOD), ("bad", BAD)):
        folder = home / "desktop-plugins" / name
        folder.mkdir()
        (folder / "plugin.js").write_text(text)
    return {**os.environ, "COLUMNS": "80"}


def loader(env: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "loader", *args], env=env, capture_output=True, text=True, timeout=100)


def test_check_judges_with_the_real_engine(env: dict[str, str], home: Path) -> None:
    done = loader(env, "check", "--format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    bad, clock = json.loads(done.stdout)["files"]
    assert [found["code"] for found in bad["diagnostics"]] == ["HP201"]
    assert (clock["ok"], clock["exported_id"]) == (True, "clock")
    assert [(ref["specifier"], ref["kind"]) for ref in clock["imports"]] == [
        ("@hermes/plugin-sdk", "static"),
        ("react/jsx-runtime", "static"),
    ]
    first = clock["imports"][0]
    assert GOOD[first["start"] : first["end"]] == "'@hermes/plugin-sdk'"


def test_rehearse_shows_what_the_plugin_draws(env: dict[str, str], home: Path) -> None:
    done = loader(env, "rehearse", str(home / "desktop-plugins" / "clock"))
    assert done.returncode == 0, done.stderr
    assert "statusBar.right  clock:chip" in done.stdout
    assert "twelve o clock" in done.stdout
    assert "of CPU time" in done.stdout
    answer = json.loads(loader(env, "rehearse", str(home / "desktop-plugins" / "clock"), "--json").stdout)
    assert answer["files"][0]["rehearsal"]["ran"] is True


def test_list_looks_on_its_own_where_no_service_runs(env: dict[str, str]) -> None:
    done = loader(env, "list", "--json")
    assert done.returncode == 0, done.stderr
    assert [(row["id"], row["state"]) for row in json.loads(done.stdout)["plugins"]] == [
        ("bad", "failed"),
        ("clock", "ready"),
    ]


def test_a_hostile_file_is_one_finding_and_the_others_are_not_delayed_for_ever(env: dict[str, str], home: Path) -> None:
    (home / "desktop-plugins" / "deep").mkdir()
    (home / "desktop-plugins" / "deep" / "plugin.js").write_text("export default " + "[" * 200_000)
    done = loader(env, "check", "--format", "json", "--no-rehearse")
    assert done.returncode == 1
    files = {file["id"]: file for file in json.loads(done.stdout)["files"]}
    assert files["clock"]["ok"] is True
    assert files["deep"]["diagnostics"][0]["code"] in ("HP105", "HP106", "HP101")
