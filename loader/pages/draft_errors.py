"""Why the store of drafts does not do what it was asked: told apart, since each has its own answer over HTTP."""

from __future__ import annotations

from loader.errors import LoaderError, UsageError
from loader.pages.check import PageCheck


class DraftRefused(UsageError):
    """What was given does not fit; ``check`` has the findings where the document or arguments are at fault."""

    def __init__(self, message: str, check: PageCheck | None = None) -> None:
        super().__init__(message)
        self.check = check


class NoSuchDraft(UsageError):
    """There is none, or none that this session may see."""


class DraftConflict(LoaderError):
    """It is not the revision that was meant, or it is published, or another session's."""


class ReservedPage(LoaderError):
    """The host's own page, which this host does not have. Asking again later may help."""
