"""Why the control plane did not do what it was asked, as problems over HTTP."""

from __future__ import annotations

from loader.errors import LoaderError, NeedsPerson, TimedOut, UsageError
from loader.packages.asking import NoSuchRequest, TooManyWaiting
from loader.packages.control import Busy
from loader.packages.refused import Changed, Invalid, NotInstalled
from loader.server.controlling import ApprovalAsked
from loader.server.problem_kinds import APPROVAL_REQUIRED, INVALID, REFUSED, TIMED_OUT, Kind
from loader.server.problems import Problem

UNKNOWN_PACKAGE = Kind("unknown-package", 404, "No such package was installed")
UNKNOWN_REQUEST = Kind("unknown-request", 404, "No such request waits")
PACKAGE_CHANGED = Kind("package-changed", 409, "It is not what was looked at")
PACKAGE_INVALID = Kind("package-invalid", 422, "What was brought may not be installed")
PACKAGES_BUSY = Kind("packages-busy", 503, "Others are being looked at")
RETRY_AFTER_S = 5


def package_problem(error: LoaderError) -> Problem:
    """What was said below, as an answer."""
    match error:
        case ApprovalAsked():
            return Problem(APPROVAL_REQUIRED, str(error), error.told)
        case NotInstalled():
            return Problem(UNKNOWN_PACKAGE, str(error))
        case NoSuchRequest():
            return Problem(UNKNOWN_REQUEST, str(error))
        case Changed():
            return Problem(PACKAGE_CHANGED, str(error))
        case Invalid():
            return Problem(PACKAGE_INVALID, str(error), {"member": error.member})
        case Busy() | TooManyWaiting():
            return Problem(PACKAGES_BUSY, str(error), headers={"Retry-After": str(RETRY_AFTER_S)})
        case UsageError():
            return Problem(INVALID, str(error))
        case NeedsPerson():
            return Problem(APPROVAL_REQUIRED, str(error), {"approval_required": True})
        case TimedOut():
            return Problem(TIMED_OUT, str(error))
        case _:
            return Problem(REFUSED, str(error))
