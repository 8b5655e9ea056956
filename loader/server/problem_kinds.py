"""The kinds of problems over HTTP, apart from the web framework: clients read them too, and must start fast."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """What went wrong, for programs: ``slug`` is for ever, ``title`` says the same to people."""

    slug: str
    status: int
    title: str

    @property
    def type(self) -> str:
        return f"urn:hermes-desktop:problem:{self.slug}"


BAD_REQUEST = Kind("bad-request", 400, "The request cannot be understood")
UNAUTHORIZED = Kind("unauthorized", 401, "No valid token")
FOREIGN_ORIGIN = Kind("foreign-origin", 403, "This web origin may not talk to the service")
NOT_YOURS = Kind("not-yours", 403, "A plugin's token opens that plugin's own routes only")
WRONG_CODE = Kind("wrong-code", 403, "The code is wrong, used or expired")
APPROVAL_REQUIRED = Kind("approval-required", 403, "Only a person may do this")
NOT_FOUND = Kind("not-found", 404, "There is nothing here")
UNKNOWN_PLUGIN = Kind("unknown-plugin", 404, "No such plugin")
NO_SOURCE = Kind("no-source", 404, "There are no verified bytes of this plugin")
METHOD_NOT_ALLOWED = Kind("method-not-allowed", 405, "This path does not take that method")
SLOW_BODY = Kind("slow-body", 408, "The body did not arrive in time")
REFUSED = Kind("refused", 409, "That cannot be done")
DEAD_CAPABILITY = Kind("dead-capability", 410, "This revision no longer runs")
TOO_LARGE = Kind("too-large", 413, "The body is too large")
JSON_ONLY = Kind("json-only", 415, "Writes take application/json only")
FOREIGN_HOST = Kind("foreign-host", 421, "The service answers on loopback names only")
INVALID = Kind("invalid", 422, "A field does not fit")
INTERNAL = Kind("internal", 500, "The service failed")
TOO_MANY = Kind("too-many-clients", 503, "Too many clients are connected")
TIMED_OUT = Kind("timed-out", 504, "It did not happen in time")
