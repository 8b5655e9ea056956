"""sdk_stubs/host-policy.js under Node: its own tests, and its words beside those of the service."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from loader.nouns import Json
from loader.policy.actions import app_actions
from loader.policy.text import shown
from tests.requirements import node

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

SCRIPT = """
import { readFileSync } from 'node:fs'
import { createHostPolicy, shown } from './sdk_stubs/host-policy.js'
const { rows, actions, values } = JSON.parse(readFileSync(0, 'utf8'))
const policy = createHostPolicy({ console: { warn() {} } })
policy.connect({ request: () => Promise.resolve() }, rows)
const { ctx } = policy.forPlugin({ id: 'demo', token: 't' })
const answer = { results: actions.map((action) => ctx.runAction(action)), shown: values.map((value) => shown(value)) }
process.stdout.write(JSON.stringify(answer))
"""


@pytest.mark.real
@pytest.mark.parametrize("suite", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_the_face_keeps_its_promises_under_node(suite: str) -> None:
    done = subprocess.run(
        [node(), "--test", "--test-reporter=tap", str(HERE / suite)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.real
def test_the_face_refuses_in_the_words_of_the_service() -> None:
    table = app_actions()
    odd: list[Json] = [
        None,
        True,
        5,
        1.5,
        1e21,
        1e-7,
        [],
        [1, None, ["x"]],
        {},
        "",
        "constructor",
        "app.quit",
        "nav.skills",
    ]
    odd += [
        "x" * 80,
        "x" * 81,
        "x" * 100_000,
        "a'b\\c",
        "\u202eabc\n\t\x9b",
        "\ud800",
        "\U000e0001" * 50,
        "👨‍👩‍👧" * 40,
        "\ufeff\u00a0",
    ]
    actions: list[Json] = [*odd, *table.denied]
    given = {"rows": table.verdicts(frozenset()), "actions": actions, "values": odd}
    done = subprocess.run(
        [node(), "--input-type=module", "-e", SCRIPT],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    expected = [table.refusal(action) for action in actions]
    assert answer["results"] == [refusal.as_json() for refusal in expected if refusal is not None]
    assert answer["shown"] == [shown(value) for value in odd]
