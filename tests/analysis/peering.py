"""Asking the peers that run in Node: one process for a whole list, JSON in and out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.requirements import node, peers

SCRIPTS = Path(__file__).parent / "peer_scripts"
PACKAGES = ("three", "d3", "lodash-es", "@tanstack")
# Larger files are bundles of the others; they would cost most of the time and show nothing new.
LIMIT_BYTES = 700_000


def ask(script: str, question: object, *options: str, arguments: tuple[str, ...] = ()) -> Any:
    """The answer of a script of ``peer_scripts`` to a JSON question."""
    done = subprocess.run(
        [node(), "--no-warnings", *options, str(SCRIPTS / script), *arguments],
        input=json.dumps(question),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def v8_verdicts(texts: list[str]) -> list[str | None]:
    """For each text null or the message with which V8 refuses it as a module."""
    found: list[str | None] = ask("v8_verdicts.mjs", texts, "--experimental-vm-modules")
    return found


def published_files() -> list[Path]:
    """The ES modules of the published packages, sorted."""
    root = peers() / "node_modules"
    folders = [root / name for name in PACKAGES] + sorted(root.glob("d3-*"))
    return sorted(
        {
            file.resolve()
            for folder in folders
            for file in folder.rglob("*")
            if file.suffix in (".js", ".mjs") and file.stat().st_size <= LIMIT_BYTES
        }
    )
