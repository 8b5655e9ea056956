"""The rehearsal's stubs answer runAction from a list of their own: held here to the one that the policy decides by."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from loader.policy.actions import app_actions
from tests.requirements import node

ROOT = Path(__file__).parent.parent.parent

SCRIPT = """
import { readFileSync } from 'node:fs'
import { listActions, verdictOn } from './sdk_stubs/app-actions.js'
const ids = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify({ listed: listActions(), reasons: ids.map((id) => verdictOn(id).reason ?? 'ok') }))
"""


@pytest.mark.real
def test_the_stubs_know_the_same_actions_as_the_policy() -> None:
    table = app_actions()
    neighbours = ["view.tabSlot.0", "view.tabSlot.10", "profile.switch.0", "profile.switch.19", "session.slot.0"]
    ids = [*table.allowed, *table.denied, *neighbours, "composer.send", "nav.skills", "app.quit", "constructor", ""]
    done = subprocess.run(
        [node(), "--input-type=module", "-e", SCRIPT],
        input=json.dumps(ids),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["listed"] == list(table.listed(frozenset(table.allowed)))
    expected = [refusal.reason if (refusal := table.refusal(action)) else "ok" for action in ids]
    assert answer["reasons"] == expected
