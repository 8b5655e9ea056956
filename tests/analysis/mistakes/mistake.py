"""What a mistake is: a whole plugin.js, the line that is to blame, and the code that names it.

`line` is where the author has to look: for a bracket, string, template or comment that is never closed it is the
line on which it was opened, for a value that is missing the line that wants it, for everything else the line of the
text that does not belong there.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """import { host } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

"""
TAIL = """
export default {
  id: 'demo',
  name: 'Demo',
  register(ctx) {
    const render = () => jsx('div', { children: 'hi' })
    ctx.register({ id: 'pane', area: 'panes', title: 'Demo', data: { placement: 'right' }, render })
  }
}
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """``names`` are words that message and hint must hold between them.

    ``line`` counts from 1 and is None for the file as a whole. ``severity`` is that of the first finding in a
    checkout, outside any home.
    """

    name: str
    text: str
    line: int | None
    code: str = "HP101"
    names: tuple[str, ...] = ()
    severity: str = "error"
    encoding: str = "utf-8"


def within(
    name: str,
    middle: str,
    line: int,
    code: str = "HP101",
    names: tuple[str, ...] = (),
    severity: str = "error",
) -> Mistake:
    """A mistake between imports and default export; ``line`` counts within ``middle``."""
    return Mistake(name, HEAD + middle + TAIL, line + 3, code, names, severity)


def whole(name: str, text: str, line: int | None, code: str = "HP101", names: tuple[str, ...] = ()) -> Mistake:
    return Mistake(name, text, line, code, names)
