"""What a spawned worker imports: nothing that lies where the command happened to be started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Modules that a process needs before it could be told anything, and some that our workers import.
LYING_ABOUT = ("multiprocessing", "types", "socket", "queue", "json", "wasmtime", "tree_sitter", "esprima", "loader")
START_A_WORKER = """
from concurrent.futures import Future
from pathlib import Path

from loader.analysis import worker_process
from loader.analysis.keeper import Keeper, Order

if __name__ == "__main__":
    told = Future()
    keeper = Keeper(Path({cache!r}))
    keeper.put(Order(worker_process.ready, (), told.set_result))
    print(type(told.result()).__name__)
    keeper.close().result()
"""


@pytest.mark.real
def test_a_file_in_the_current_folder_is_never_run(tmp_path: Path) -> None:
    here = tmp_path / "checkout"
    here.mkdir()
    ran = tmp_path / "ran"
    for name in LYING_ABOUT:
        (here / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name + ' '!r})\nraise ImportError\n")
    # A script, as the installed command is one: the current folder is not on this process's own path.
    command = tmp_path / "command.py"
    command.write_text(START_A_WORKER.format(cache=str(tmp_path / "cache")))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, str(command)],
        cwd=here,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert not ran.exists(), ran.read_text()
    assert (done.stdout, done.stderr) == ("Answer\n", "")
