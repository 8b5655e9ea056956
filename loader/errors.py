"""The few exceptions, split by who can act. A plugin's misbehaviour is never one: it is a Diagnostic.

LoaderError            the tool itself could not do it (exit 3)
├── UsageError         the caller can mend it: a bad flag, a bad name, no home (exit 2)
├── NeedsPerson        only a person may decide this (exit 4)
└── TimedOut           what was waited for did not come (exit 5)
"""

from __future__ import annotations


class LoaderError(Exception):
    """Says in one line what failed, why, and the next step."""

    exit_code = 3


class UsageError(LoaderError):
    exit_code = 2


class NeedsPerson(LoaderError):
    exit_code = 4


class TimedOut(LoaderError):
    exit_code = 5
