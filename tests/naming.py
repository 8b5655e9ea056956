"""Names of tests for values that cannot stand in one as they are."""

from __future__ import annotations


def spelled(value: object) -> str:
    """``ascii(value)``, at most 40 characters, with ``/`` for each backslash.

    pytest escapes a backslash again whenever one process collects twice, as mutmut does: the name that was written down
    is then that of no test, and a run that finds none of its tests counts as one that failed.
    """
    return ascii(value)[:40].replace("\\", "/")
