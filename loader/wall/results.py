"""What a call over the bridge answers: a value always, refusals too. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from loader.nouns import Json

Code: TypeAlias = Literal[
    "PERMISSION_DENIED",  # not approved; the message names what lacks
    "NOT_FOUND",  # no such tool (or none that a plugin may see), no such method
    "INVALID",  # arguments of another form, or too large
    "UNAVAILABLE",  # no app window offers it, or it left, or it did not answer in time
    "BUSY",  # too many calls at a time
    "FAILED",  # the app window carried it out and it failed
    "TOO_LARGE",  # the answer is more than a plugin is handed
    "CANCELLED",
    "CLOSED",  # the frame's authority has ended
]
CODES: frozenset[str] = frozenset(get_args(Code))
Result: TypeAlias = dict[str, Json]
_MESSAGE_LETTERS = 400


def done(data: Json) -> Result:
    return {"ok": True, "data": data}


def refused(code: Code, message: str) -> Result:
    return {"ok": False, "error": {"code": code, "message": message[:_MESSAGE_LETTERS]}}


def from_shell(answer: Json) -> Result:
    """A shell's word in the closed form of ours: what it said of a failure is text, never another code."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("ok"), bool):
        return refused("FAILED", "the app window answered in no form that is known")
    if answer["ok"] is True:
        return done(answer.get("data"))
    error = answer.get("error")
    if isinstance(error, Mapping):
        error = error.get("message")
    return refused("FAILED", error if isinstance(error, str) and error else "the app window gave no reason")
