"""Why there is no page, or no decision about one, as problems over HTTP."""

from __future__ import annotations

from loader.nouns import Json
from loader.pages.check import PageCheck
from loader.pages.draft_entry import Approval
from loader.pages.draft_errors import DraftConflict, DraftRefused, NoSuchDraft, ReservedPage
from loader.reports.shape import diagnostic_json
from loader.server.problem_kinds import APPROVAL_REQUIRED, Kind
from loader.server.problems import ErrorRow, Problem

DRAFT_REFUSED = Kind("draft-refused", 400, "No host would show this draft")
UNKNOWN_DRAFT = Kind("unknown-draft", 404, "No such draft")
DRAFT_CONFLICT = Kind("draft-conflict", 409, "It is not the revision that was meant")
PAGE_UNAVAILABLE = Kind("page-unavailable", 503, "The page is not available now")
UNKNOWN_PAGE = Kind("unknown-page", 404, "No such page")
NOT_SENT = Kind("action-not-sent", 403, "The action may not be sent")
RETRY_AFTER_S = 60


def approval_problem(approval: Approval) -> Problem:
    """An agent asked for what a person decides: which revision that would be, and where it is decided."""
    told: dict[str, Json] = approval.told()
    return Problem(APPROVAL_REQUIRED, str(told["message"]), told)


def findings_json(check: PageCheck | None) -> list[Json]:
    """The findings with their pointers."""
    if check is None:
        return []
    return [diagnostic_json(found.diagnostic) | {"pointer": found.pointer} for found in check.findings]


DRAFT_ERRORS = (
    ErrorRow(DraftRefused, DRAFT_REFUSED, lambda error: {"diagnostics": findings_json(error.check)}),
    ErrorRow(NoSuchDraft, UNKNOWN_DRAFT),
    ErrorRow(DraftConflict, DRAFT_CONFLICT),
    ErrorRow(ReservedPage, PAGE_UNAVAILABLE, retry_after_s=RETRY_AFTER_S),
)
