"""Each stub keeps its promises, in Node and in the sandbox engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sdk_stubs.conftest import HERE, run_in_node, run_in_sandbox

MODULES = sorted(HERE.glob("*.test.js"))


def test_there_are_tests_for_each_face() -> None:
    assert {path.name for path in MODULES} >= {
        "react.test.js",
        "sdk.test.js",
        "context.test.js",
        "browser.test.js",
        "dom.test.js",
    }


@pytest.mark.real
@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
@pytest.mark.parametrize("engine", ["node", "sandbox"])
def test_the_stub_does_what_its_tests_say(module: Path, engine: str) -> None:
    results = run_in_node("run.mjs", str(module)) if engine == "node" else run_in_sandbox(module)
    assert len(results) >= 5
    failed = [f"{entry['name']}\n    {entry['error']}" for entry in results if entry["error"] is not None]
    assert failed == [], "\n".join(failed)
