"""What of YAML is not even handed to a parser: it would take time without bound."""

from __future__ import annotations

import re

# Nobody writes forty brackets within each other; the cost of each token grows with them.
NESTED_LIMIT = 40
_BRACKET = re.compile(r"[\[\]{}]")


def demand_shallow(text: str) -> None:
    """Raise ValueError where brackets stand deeper within each other than ``NESTED_LIMIT``.

    The parser looks at all open ones at each further one: some kilobytes of them take it a quarter of a minute,
    and a file within its limit, hours. Brackets in texts and comments count too: that many are none of those either.
    """
    depth = 0
    for found in _BRACKET.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        if depth > NESTED_LIMIT:
            raise ValueError(f"brackets are nested more than {NESTED_LIMIT} deep")
