"""How long the analysis takes: engine and stage from the cache, and warm analyses of a small and a large plugin.

    python -m bench.rehearsal

Medians of CPU milliseconds of this process and of wall milliseconds: on a shared machine only the first compare.
"""

from __future__ import annotations

import hashlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from loader.analysis import worker
from loader.nouns import Source
from loader.settings import AnalysisSettings

ROUNDS = 15
SIZES_KB = (4, 23, 270)

_HEAD = (
    "import { host, Button, PANES_AREA, PALETTE_AREA, STATUSBAR_AREAS, useValue } from '@hermes/plugin-sdk'\n"
    "import { useState, useEffect, useMemo } from 'react'\n"
    "import { jsx, jsxs } from 'react/jsx-runtime'\n"
)
_CARD = """
function Card%(n)d({ title }) {
  const [open, setOpen] = useState(false)
  const model = useValue(host.state.model)
  const rows = useMemo(() => Array.from({ length: 3 }, (_, i) => ({ id: i, label: title + ' ' + i })), [title])
  useEffect(() => { const id = setTimeout(() => setOpen(true), 50); return () => clearTimeout(id) }, [])
  return jsxs('section', { 'aria-label': title, children: [
    jsx('h3', { children: title }),
    jsx(Button, { onClick: () => setOpen(!open), children: open ? 'Hide' : 'Show' }),
    open ? jsx('ul', { children: rows.map(row => jsx('li', { children: row.label + model }, row.id)) }) : null,
  ] })
}
"""
_TAIL = """
export default {
  id: 'bench', name: 'Bench',
  register(ctx) {
    ctx.register({ id: 'pane', area: PANES_AREA, title: 'Bench', data: { placement: 'left' }, render: () => jsx('div', {
      children: [0, 1, 2].map(n => jsx([Card0, Card1, Card2][n], { title: 'Card ' + n }, n)) }) })
    ctx.register({ id: 'status', area: STATUSBAR_AREAS.left, render: () => jsx('span', { children: 'ok' }) })
    ctx.register({ id: 'run', area: PALETTE_AREA, data: { id: 'bench.run', label: 'Run', run() {} } })
  },
}
"""


def plugin(size_kb: int) -> Source:
    """A plugin of about that size: three components drawn, the rest only carried along, as bundles do."""
    cards = max(3, (size_kb * 1024 - len(_HEAD) - len(_TAIL)) // len(_CARD))
    text = _HEAD + "".join(_CARD % {"n": n} for n in range(cards)) + _TAIL
    data = text.encode()
    return Source(data, text, hashlib.sha256(data).hexdigest())


def medians_ms(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall, in milliseconds."""
    cpu, wall = [], []
    for _ in range(ROUNDS):
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        work()
        cpu.append((time.process_time() - cpu_s) * 1000)
        wall.append((time.perf_counter() - wall_s) * 1000)
    return statistics.median(cpu), statistics.median(wall)


def main() -> None:
    started = time.perf_counter()
    worker.prepare()
    print(f"engine and stage ready in {(time.perf_counter() - started) * 1000:.0f} ms (once in a process)")
    command = [sys.executable, "-c", "from loader.analysis import worker; worker.prepare()"]
    begun = time.perf_counter()
    subprocess.run(command, check=True)
    print(f"a fresh process, imports included, from the cache: {(time.perf_counter() - begun) * 1000:.0f} ms")
    print(f"{'plugin':>10} {'step':>10} {'CPU ms':>8} {'wall ms':>8}")
    settings = AnalysisSettings()
    for size_kb in SIZES_KB:
        source = plugin(size_kb)
        checked = worker.check(source, settings)
        steps: dict[str, Callable[[], object]] = {
            "check": partial(worker.check, source, settings),
            "rehearse": partial(worker.rehearse_checked, source, checked, settings),
        }
        for name, work in steps.items():
            cpu_ms, wall_ms = medians_ms(work)
            print(f"{len(source.text) // 1024:>7} KB {name:>10} {cpu_ms:>8.1f} {wall_ms:>8.1f}")


if __name__ == "__main__":
    main()
