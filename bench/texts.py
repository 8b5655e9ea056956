"""The texts that are measured: plugins as authors write them, made from a number, so that everybody gets the same."""

# ruff: noqa: E501 - plugins are written as their authors write them

from __future__ import annotations

import random
from pathlib import Path

SIZES_KB = (5, 25, 100, 270, 1400)
THREE = Path(__file__).parent / "node_modules" / "three" / "build" / "three.core.js"

_HEAD = """\
import { host, Button, Input, PANES_AREA, PALETTE_AREA, STATUSBAR_AREAS, useValue } from '@hermes/plugin-sdk'
import { useState, useEffect, useMemo } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

"""
_CARD = """\
/** Shows what {noun}s there are; {adjective} ones first. */
function {Noun}{n}({{ title, onOpen }}) {{
  const [open, setOpen] = useState({open})
  const [filter, setFilter] = useState('')
  const model = useValue(host.state.model)
  const rows = useMemo(
    () => Array.from({{ length: {rows} }}, (_, i) => ({{ id: i, label: `${{title}} ${{i}}`, {adjective}: i % {mod} === 0 }}))
      .filter(row => row.label.includes(filter)),
    [title, filter],
  )
  useEffect(() => {{
    const id = setTimeout(() => setOpen(true), {delay})
    return () => clearTimeout(id)
  }}, [])
  return jsxs('section', {{ 'aria-label': title, children: [
    jsx('h3', {{ children: title + ({rows} > 3 ? ' *' : '') }}),
    jsx(Input, {{ value: filter, onChange: event => setFilter(event.target.value) }}),
    jsx(Button, {{ onClick: () => {{ setOpen(!open); onOpen?.('{noun}', {n}) }}, children: open ? 'Hide' : 'Show' }}),
    open ? jsx('ul', {{ children: rows.map(row => jsx('li', {{ children: row.label + (model ?? '') }}, row.id)) }}) : null,
  ] }})
}}

"""
_TABLE = """\
const {noun}Weights{n} = {{ {pairs} }}
export function {adjective}{Noun}{n}(items, {{ limit = {rows}, ...rest }} = {{}}) {{
  let total = 0
  for (const [key, value] of Object.entries(items ?? {{}})) {{
    if (/^{noun}[-_]\\d+$/.test(key) && value != null) total += ({noun}Weights{n}[key] ?? {mod}) * Number(value)
    else if (rest[key] === undefined) continue
  }}
  switch (total % {mod}) {{
    case 0: return {{ total, kind: '{adjective}', limit }}
    default: return {{ total: Math.min(total, limit), kind: '{noun}', limit }}
  }}
}}

"""
_TAIL = """\
export default {{
  id: '{plugin_id}', name: '{name}', description: 'Made to be measured',
  register(ctx) {{
    ctx.register({{ id: 'pane', area: PANES_AREA, title: 'Bench', data: {{ placement: 'left' }}, render: () => jsx('div', {{
      children: [{shown}].map((Card, n) => jsx(Card, {{ title: 'Card ' + n }}, n)) }}) }})
    ctx.register({{ id: 'status', area: STATUSBAR_AREAS.left, render: () => jsx('span', {{ children: 'ok' }}) }})
    ctx.register({{ id: 'run', area: PALETTE_AREA, data: {{ id: '{plugin_id}.run', label: 'Run', run() {{}} }} }})
  }},
}}
"""
_NOUNS = ("task", "note", "session", "route", "probe", "ticket", "branch", "metric")
_ADJECTIVES = ("recent", "pinned", "stale", "urgent", "shared", "hidden")


def plugin(size_kb: float, plugin_id: str = "bench", *, name: str = "Bench", seed: int = 1) -> str:
    """A plugin of about that many KiB: components, tables and helpers; three of the components are drawn."""
    chance = random.Random(seed)
    parts, length, n = [_HEAD], len(_HEAD) + len(_TAIL), 0
    cards: list[str] = []
    while length < size_kb * 1024 or len(cards) < 3:
        noun = chance.choice(_NOUNS)
        words = {
            "n": n,
            "noun": noun,
            "Noun": noun.title(),
            "adjective": chance.choice(_ADJECTIVES),
            "rows": chance.randint(2, 6),
            "mod": chance.randint(2, 9),
            "delay": chance.randint(1, 9) * 50,
            "open": chance.choice(("true", "false")),
            "pairs": ", ".join(f"'{noun}-{i}': {chance.randint(1, 99)}" for i in range(chance.randint(3, 9))),
        }
        if len(cards) < 3 or chance.random() < 0.6:
            cards.append(f"{noun.title()}{n}")
            parts.append(_CARD.format(**words))
        else:
            parts.append(_TABLE.format(**words))
        length += len(parts[-1])
        n += 1
    return "".join(parts) + _TAIL.format(plugin_id=plugin_id, name=name, shown=", ".join(cards[:3]))


def home_with(root: Path, count: int, *, size_kb: float = 4.0) -> Path:
    """A home of so many plugins, each with a text of its own."""
    for number in range(count):
        folder = root / "desktop-plugins" / f"plugin-{number:03}"
        folder.mkdir(parents=True)
        text = plugin(size_kb, folder.name, name=f"Plugin {number}", seed=number)
        (folder / "plugin.js").write_text(text, "utf-8")
    return root
