"""The tests of the stubs are JavaScript: here they are run, in Node and in the sandbox engine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from loader.analysis.engine import Limits, Sandbox, on_big_stack
from tests.requirements import node

HERE = Path(__file__).parent
STUBS = HERE.parents[1] / "sdk_stubs"
_OWN = {"@@host": HERE / "fake-host.js", "@@test": HERE / "kit.js", "@@react-kit": HERE / "react-kit.js"}


def run_in_node(script: str, *arguments: str, **environment: str) -> Any:
    """The one line of JSON that a script of this folder prints."""
    done = subprocess.run(
        [node(), str(HERE / script), *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def run_in_sandbox(test: Path) -> list[dict[str, Any]]:
    """The results of a test module, run by the engine that rehearses plugins."""
    told: list[str] = []

    def load(name: str) -> str | None:
        path = test if name == "@@case" else _OWN.get(name) or STUBS / f"{_file(name)}.js"
        return path.read_text(encoding="utf-8")

    def play() -> None:
        sandbox = Sandbox(
            normalize=lambda base, specifier: specifier if specifier.startswith("@@") else None,
            load=load,
            on_event=told.append,
            limits=Limits(cpu_s=60),
        )
        try:
            outcome = sandbox.run(
                "const tell = globalThis.__rehearsal_host__\n"
                "const { run } = await import('@@test')\n"
                "await import('@@case')\n"
                "tell(JSON.stringify(await run()))\n"
            )
            assert outcome.kind == "done", outcome
        finally:
            sandbox.close()

    on_big_stack(play)
    results: list[dict[str, Any]] = json.loads(told[-1])
    return results


def _file(name: str) -> str:
    return "plugin-sdk" if name == "@@sdk" else name.removeprefix("@@")
