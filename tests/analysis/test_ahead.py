"""A worker that is begun before everything else: in programs of their own, since this one has threads already."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a worker is begun ahead only where processes are forked")

CHECKED = """
import asyncio, json, os, sys
from loader.analysis import ahead
ahead.begin()
begun = ahead._begun[0][0].pid
from loader.analysis.pool import AnalysisPool
from loader.nouns import Source
from loader.settings import AnalysisSettings

async def main():
    pool = AnalysisPool(1)
    await pool.start()
    if "kill" in sys.argv:
        os.kill(begun, 9)
    text = "export default { id: 'demo', register() {} }"
    verdict = await pool.analyze(Source(text.encode(), text, "0" * 64), AnalysisSettings(), "demo")
    pids = [lane._keeper._process.pid for lane in pool._lanes]
    await pool.close()
    print(json.dumps([begun, pids, verdict.identity.exported_id, verdict.ok]))

asyncio.run(main())
ahead.drop()
"""


def told(code: str, *arguments: str) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: list[object] = json.loads(done.stdout)
    return found


@LINUX
def test_it_is_the_pools_first_worker_and_ends_with_it() -> None:
    begun, pids, plugin_id, ok = told(CHECKED)
    assert (pids, plugin_id, ok) == ([begun], "demo", True)
    assert isinstance(begun, int)
    assert not psutil.pid_exists(begun)


@LINUX
def test_where_it_was_killed_the_pool_starts_another() -> None:
    begun, pids, plugin_id, ok = told(CHECKED, "kill")
    assert (plugin_id, ok) == ("demo", True)
    assert pids != [begun]


@LINUX
def test_one_that_nobody_took_is_ended() -> None:
    code = "from loader.analysis import ahead; ahead.begin(); print([ahead._begun[0][0].pid]); ahead.drop()"
    (begun,) = told(code)
    assert isinstance(begun, int)
    assert not psutil.pid_exists(begun)


@LINUX
def test_it_ends_with_a_program_that_ends_without_a_word() -> None:
    code = (
        "import os; from loader.analysis import ahead; ahead.begin();"
        "print([ahead._begun[0][0].pid], flush=True); os._exit(0)"
    )
    # The pipe of its output, which the worker inherits, ends with the worker: told() has waited for that.
    (begun,) = told(code)
    assert isinstance(begun, int)


def test_where_nothing_was_begun_there_is_nothing_to_take() -> None:
    from loader.analysis import ahead

    assert ahead.take() is None
    ahead.drop()
