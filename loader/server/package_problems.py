"""Why the control plane did not do what it was asked, as problems over HTTP."""

from __future__ import annotations

from loader.packages.asking import NoSuchRequest, TooManyWaiting
from loader.packages.control import Busy
from loader.packages.refused import Changed, Invalid, NotInstalled
from loader.server.controlling import ApprovalAsked
from loader.server.problem_kinds import APPROVAL_REQUIRED, Kind
from loader.server.problems import ErrorRow

UNKNOWN_PACKAGE = Kind("unknown-package", 404, "No such package was installed")
UNKNOWN_REQUEST = Kind("unknown-request", 404, "No such request waits")
PACKAGE_CHANGED = Kind("package-changed", 409, "It is not what was looked at")
PACKAGE_INVALID = Kind("package-invalid", 422, "What was brought may not be installed")
PACKAGES_BUSY = Kind("packages-busy", 503, "Others are being looked at")
RETRY_AFTER_S = 5


PACKAGE_ERRORS = (
    ErrorRow(ApprovalAsked, APPROVAL_REQUIRED, lambda error: error.told),
    ErrorRow(NotInstalled, UNKNOWN_PACKAGE),
    ErrorRow(NoSuchRequest, UNKNOWN_REQUEST),
    ErrorRow(Changed, PACKAGE_CHANGED),
    ErrorRow(Invalid, PACKAGE_INVALID, lambda error: {"member": error.member}),
    ErrorRow(Busy, PACKAGES_BUSY, retry_after_s=RETRY_AFTER_S),
    ErrorRow(TooManyWaiting, PACKAGES_BUSY, retry_after_s=RETRY_AFTER_S),
)
