"""A contribution's `render` threw in the rehearsal.

The app shows an error in its place. For a ReferenceError the message names the identifier and the import that it
wants.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP406",
    __doc__,
    found_by="rehearsal",
    shown_by_text=False,
    bad="render: () => jsx('div', {}) without importing jsx\n",
    good="import { jsx } from 'react/jsx-runtime'\n",
)
