"""Backends' reasons as problems over HTTP: each has its own type, so that a caller can tell them apart."""

from __future__ import annotations

from loader.backends.failures import Unavailable, Why
from loader.server.problem_kinds import Kind
from loader.server.problems import Problem

KINDS: dict[Why, Kind] = {
    "bad-path": Kind("backend-bad-path", 400, "The path could lead out of the plugin's own"),
    "not-enabled": Kind("backend-not-enabled", 404, "The plugin's backend is not enabled"),
    "disabled": Kind("backend-disabled", 404, "The plugin's backend is disabled"),
    "no-manifest": Kind("backend-no-manifest", 404, "No package brings a backend of this name"),
    "no-api": Kind("backend-no-api", 404, "The package has no backend file"),
    "name-mismatch": Kind("backend-name-mismatch", 404, "The plugin goes by several names"),
    "no-router": Kind("backend-no-router", 502, "The backend's file has no router"),
    "import-failed": Kind("backend-import-failed", 502, "The backend's file cannot be imported"),
    "crashed": Kind("backend-crashed", 502, "The backend crashed"),
    "starting": Kind("backend-starting", 503, "The backend is still starting"),
    "busy": Kind("backend-busy", 503, "The backend has too many requests open"),
    "timed-out": Kind("backend-timed-out", 504, "The backend did not answer in time"),
}


def problem_of(error: Unavailable) -> Problem:
    headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
    return Problem(KINDS[error.why], error.detail, error.extra, headers)
