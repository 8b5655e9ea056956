"""Why there is no page, or no decision about one, as problems over HTTP."""

from __future__ import annotations

from loader.errors import LoaderError
from loader.nouns import Json
from loader.pages.check import PageCheck
from loader.pages.draft_entry import Approval
from loader.pages.draft_errors import DraftConflict, DraftRefused, NoSuchDraft, ReservedPage
from loader.reports.shape import diagnostic_json
from loader.server.problem_kinds import APPROVAL_REQUIRED, REFUSED, Kind
from loader.server.problems import Problem

DRAFT_REFUSED = Kind("draft-refused", 400, "No host would show this draft")
UNKNOWN_DRAFT = Kind("unknown-draft", 404, "No such draft")
DRAFT_CONFLICT = Kind("draft-conflict", 409, "It is not the revision that was meant")
PAGE_UNAVAILABLE = Kind("page-unavailable", 503, "The page is not available now")
UNKNOWN_PAGE = Kind("unknown-page", 404, "No such page")
NOT_SENT = Kind("action-not-sent", 403, "The action may not be sent")
RETRY_AFTER_S = 60


def draft_problem(error: LoaderError) -> Problem:
    """What the store said, as an answer."""
    match error:
        case DraftRefused():
            return Problem(DRAFT_REFUSED, str(error), {"diagnostics": findings_json(error.check)})
        case NoSuchDraft():
            return Problem(UNKNOWN_DRAFT, str(error))
        case DraftConflict():
            return Problem(DRAFT_CONFLICT, str(error))
        case ReservedPage():
            return Problem(PAGE_UNAVAILABLE, str(error), headers={"Retry-After": str(RETRY_AFTER_S)})
        case _:
            return Problem(REFUSED, str(error))


def approval_problem(approval: Approval) -> Problem:
    """An agent asked for what a person decides: which revision that would be, and where it is decided."""
    told: dict[str, Json] = approval.told()
    return Problem(APPROVAL_REQUIRED, str(told["message"]), told)


def findings_json(check: PageCheck | None) -> list[Json]:
    """The findings with their pointers."""
    if check is None:
        return []
    return [diagnostic_json(found.diagnostic) | {"pointer": found.pointer} for found in check.findings]
