"""Attacks on the real service, a table with what stopped each: ``python -m bench.attack [--kinds KIND …]``."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx

from bench.attacking import cases, files, frames, plugins, raw_frames, said, wall, wire
from bench.attacking.attempt import Attempt, Field, Outcome, made
from bench.service import Running, received, serving
from bench.show import markdown

RESULTS = Path(__file__).parent / "results"
READY = "export default {{ id: '{id}', name: '{id}', register() {{}} }}\n"


def attempts(workers: plugins.Workers) -> list[Attempt]:
    """In the order in which they are made: what changes the home comes last."""
    return [
        *wire.attempts(),
        *frames.attempts(),
        *raw_frames.attempts(),
        *plugins.attempts(workers),
        *cases.attempts(),
        *wall.attempts(),
        *said.attempts(),
        *files.attempts(),
    ]


async def run(kinds: frozenset[str] | None = None) -> list[Outcome]:
    """Every attempt, or those of some kinds."""
    workers = plugins.Workers()
    await workers.pool.start()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        root = Path(folder) / "home"
        for name in ("board", "other"):
            (root / "desktop-plugins" / name).mkdir(parents=True)
            (root / "desktop-plugins" / name / "plugin.js").write_text(READY.format(id=name), "utf-8")
        await asyncio.to_thread(wall.install, root, Path(folder))
        try:
            async with serving(root) as service:
                granted = await _granted(service)
                headers = {"Authorization": f"Bearer {service.endpoint.token}"}
                async with httpx.AsyncClient(
                    base_url=service.endpoint.url, headers=headers, timeout=120, trust_env=False
                ) as http:
                    field = Field(service, http, granted["plugin_token"], granted["module_url"])
                    wanted = [each for each in attempts(workers) if kinds is None or each.kind in kinds]
                    outcomes += [await made(attempt, field) for attempt in wanted]
                    if (await http.get("/v1/plugins")).status_code != 200 or service.process.poll() is not None:
                        outcomes.append(Outcome("everything", "the service afterwards", "nothing: it is gone", False))
        finally:
            await workers.pool.close()
    return outcomes


async def _granted(service: Running) -> dict[str, Any]:
    """What a shell is handed with the plugin ``board``: its address and its token."""
    async with service.client() as shell:
        while True:
            params = (await received(shell))["params"]
            for each in params.get("plugins") or [params]:
                if each.get("row", {}).get("id") == "board" and each.get("plugin_token"):
                    found: dict[str, Any] = each
                    return found


def report(outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "attempts": len(outcomes),
        "stopped": sum(outcome.ok for outcome in outcomes),
        "ok": all(outcome.ok for outcome in outcomes),
        "outcomes": [asdict(outcome) for outcome in outcomes],
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.attack")
    parser.add_argument("--kinds", nargs="+", help="only these kinds of attempts")
    parser.add_argument("--out", type=Path, default=RESULTS / "attack.json")
    chosen = parser.parse_args()
    outcomes = asyncio.run(run(frozenset(chosen.kinds) if chosen.kinds else None))
    found = report(outcomes)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(markdown(("kind", "attempt", "stopped by"), [(each.kind, each.name, each.stopped_by) for each in outcomes]))
    print(f"\n{found['stopped']} of {found['attempts']} were stopped.")
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
