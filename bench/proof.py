"""Makes docs/proof.md from the last results: ``python -m bench.proof``. The results that it used are kept beside it."""

# ruff: noqa: E501 - sentences of the page

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from typing import Any

from bench.measuring import HERE, ROOT
from bench.plot import growth
from bench.show import markdown, table

RESULTS = HERE / "results"
KEPT = ROOT / "docs" / "proof"
PAGE = ROOT / "docs" / "proof.md"
# More than this at the beginning, and the times are not those of the program alone.
BUSY_PERCENT = 25.0

CAUSES = {
    "gate :": "The gate asks two parsers, a compiled engine (QuickJS in WebAssembly) and a syntax tree (tree-sitter), that have to agree on "
    "every import, side by side: with a second processor free it takes as long as the slower one, without one as long as both.",
    "as a command, first time": "A new process pays for Python, the sandbox's bindings (wasmtime) and the checker's own modules, and the "
    "plugin is also played, which ESLint does not do. The worker starts beside the command's own imports, so a second processor that is "
    "free shortens it. A file that did not change is answered from the verdict that was kept.",
    "as a command, unchanged": "Python and the command's own imports, 0.2 s of processor time; no worker starts.",
    "which c": "Unlike work: our module was parsed twice, checked and rehearsed by then; Vite's was not looked at.",
    "close to": "The check and, beside it, the rehearsal take nearly all of it; the event, the hops and the socket take some milliseconds.",
    "500 unchanged": "Importing the service (most of it the web framework and its models) takes half of it, reading, hashing and looking "
    "up 500 verdicts the other half.",
    "idle": "The look at every file each five seconds, twice: the watch's own, which finds events that were lost, and the inventory's; 30 ms of a "
    "processor that is warm, up to four times as much of one that has slept in between.",
}

HEAD = """\
# Proof

What is claimed, measured by programs that anybody can run. This page is made from their results by `make proof`
(`python -m bench.proof`); the results themselves lie in [docs/proof](proof).

| command | what it does |
| --- | --- |
| `make bench` | speed, memory and growth beside what does the same job (`QUICK=1`: a few minutes) |
| `make soak` | ten minutes of random use of the real service, replayable from its seed (`SECONDS=60`) |
| `make attack` | attacks on the real service, each with what stopped it |
| `make proof` | this page from their last results |

Short forms of all three run in `make test` and look at counts and invariants, never at times.
"""


def page(bench: dict[str, Any] | None, soak: dict[str, Any] | None, attack: dict[str, Any] | None) -> str:
    parts = [HEAD]
    if bench is not None:
        parts.append(_speed(bench))
    if soak is not None:
        parts.append(_soak(soak))
    if attack is not None:
        parts.append(_attack(attack))
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _speed(found: dict[str, Any]) -> str:
    machine = found["machine"]
    peers = ", ".join(f"{name} {version}" for name, version in sorted(machine["peers"].items()))
    lines = [
        "## Speed\n",
        f"{machine['day']}, {machine['system']}, {machine['processors']} processors, Python {machine['python']}, "
        f"Node {machine['node']}; medians of {found['rounds']} rounds in one run"
        + (" (`--quick`)" if found.get("quick") else "")
        + f". Peers: {peers}."
        + _busy(found)
        + "\n\n"
        "Compare ratios: times are those of one machine. *Gate* is what decides whether the app could load the file at "
        "all (strict compile, syntax tree, imports of both compared), *check* adds the rules, *whole* the rehearsal.\n",
        table(found),
    ]
    missed = [row["what"] for row in found.get("targets", []) if not row["ok"]]
    if missed:
        lines.append("\n### Where a target is missed\n")
        for what in missed:
            cause = next((text for key, text in CAUSES.items() if key in what), "Not yet understood.")
            lines.append(f"- {what}: {cause}")
    lines += [f"\n{remark}" for remark in found.get("remarks", [])]
    if "warm" in found:
        lines.append("\n### Growth\n\n![How the time of a check grows with the size of the file](proof/growth.svg)")
    return "\n".join(lines)


def _busy(found: dict[str, Any]) -> str:
    busy = found.get("busy before %")
    if busy is None or busy < BUSY_PERCENT:
        return ""
    return f" **The machine was {busy:.0f} % busy with other work: times are too long, by a factor that nobody knows.**"


def _soak(found: dict[str, Any]) -> str:
    done = markdown(("what was done", "times"), [(what, str(count)) for what, count in sorted(found["done"].items())])
    first, last = found["held at first"], found["held at last"]
    held = markdown(
        ("", "at first", "at last"),
        [
            ("open files", str(first["files"]), str(last["files"])),
            ("threads", str(first["threads"]), str(last["threads"])),
            ("processes", str(first["processes"]), str(last["processes"])),
            ("memory of the service", f"{first['bytes'] / 1e6:.0f} MB", f"{last['bytes'] / 1e6:.0f} MB"),
            ("watched folders", str(first["watches"]), str(last["watches"])),
            ("tasks of the event loop", str(first["tasks"]), str(last["tasks"])),
        ],
    )
    faults = markdown(
        ("fault", "how it was made", "what was seen", "mended", "wrong after it"),
        [
            (row["fault"], row["how"], _cell(row["seen"]), row["mended"], "; ".join(row["wrong"]) or "nothing")
            for row in found["faults"]
        ],
    )
    growth = found["MB per 1,000 saves"]
    grown = "too few saves to say" if growth is None else f"{growth:+.2f} MB per 1,000 saves"
    apart = f" (a run by itself, {found['steady apart']})" if "steady apart" in found else ""
    wrong = "\n".join(f"- {line}" for line in found["wrong"]) or "Nothing was wrong."
    return (
        "## Faults survived\n\nEach fault came to a service with plugins and clients. After it the inventory was compared with the "
        "disk, choices and pins, and each client's replayed view with the inventory: untouched, to see whether the service "
        f"mends itself, then after a reload.\n\n{faults}\n\n"
        f"Then random use: seed {found['seed']}, {found['seconds']:g} s in all, {found['steps']} steps, "
        f"{found['restarts']} restarts, {found['events seen']} events seen by clients. Saves are made in eight ways (plain, by "
        "renaming, backup aside, in pieces, twice, through a link, with another's time stamp, by swapping the folder). At each "
        "rest the same was compared; workers were killed at any moment, the service in the middle of writing its state: what "
        f"it had answered by then was on the disk.\n\n{done}\n\nHeld by the last service:\n\n{held}\n\n"
        f"Memory over {found['steady saves']} saves{apart}: {grown} in their second half. Before that the last 4,096 events fill their "
        f"place (at most 8 MiB).\n\n{wrong}"
    )


def _attack(found: dict[str, Any]) -> str:
    kinds = Counter(row["kind"] for row in found["outcomes"])
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    rows = [(row["kind"], _cell(row["name"]), _cell(row["stopped_by"])) for row in found["outcomes"]]
    return (
        f"## Attacks refused\n\n{found['stopped']} of {found['attempts']} attempts were stopped ({counts}). What is promised and "
        f"what is not: [SECURITY.md](../SECURITY.md).\n\n{markdown(('kind', 'attempt', 'stopped by'), rows)}"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> int:
    KEPT.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}
    for name in ("bench", "soak", "attack"):
        made, kept = RESULTS / f"{name}.json", KEPT / f"{name}.json"
        if made.exists():
            shutil.copy(made, kept)
        found[name] = json.loads(kept.read_text("utf-8")) if kept.exists() else None
    if found["bench"] and "warm" in found["bench"]:
        (KEPT / "growth.svg").write_text(growth(found["bench"]["warm"]), "utf-8")
    PAGE.write_text(page(found["bench"], found["soak"], found["attack"]), "utf-8")
    print(f"{PAGE.relative_to(ROOT)} is made.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
