"""JSON-RPC 2.0 as this service speaks it: one object a frame, no batches, bounded ids, plain words for mistakes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import NoReturn, TypeAlias

from loader.nouns import Json

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNKNOWN_TOKEN = -32001
NOT_MOUNTED = -32002
BUSY = -32003
REFUSED = -32004

Object: TypeAlias = Mapping[str, Json]
RequestId: TypeAlias = str | int | float | None

# An id is echoed, so it is bounded.
REQUEST_ID_LIMIT = 256


class Malformed(ValueError):
    """A frame that is none of ours. ``id`` is echoed when it could be read.

    ``wants_answer`` is false for a notification: whoever sends one can tell no answer from another.
    """

    def __init__(self, code: int, message: str, request_id: RequestId = None) -> None:
        super().__init__(message)
        self.code = code
        self.id = request_id
        self.wants_answer = True


def frame(body: Mapping[str, object]) -> str:
    """One frame. ASCII only, so that its length is its size in bytes and a lone surrogate cannot break it."""
    return json.dumps({"jsonrpc": "2.0", **body}, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def object_of(text: str) -> dict[str, Json]:
    try:
        body = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        # RecursionError: a megabyte of brackets is broken JSON to us, not a reason to fall over.
        raise Malformed(PARSE_ERROR, "the frame is not JSON") from None
    if not isinstance(body, dict):
        refuse(INVALID_REQUEST, "a frame holds one JSON-RPC object; batches are not supported")
    if body.get("jsonrpc") != "2.0":
        raise Malformed(INVALID_REQUEST, 'jsonrpc must be "2.0"', _echoed(body.get("id")))
    return body


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    # 1e400 is JSON and reads as infinity, which could not be written back.
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits} is out of range")
    return value


def _echoed(found: Json) -> RequestId:
    if isinstance(found, str) and len(found) <= REQUEST_ID_LIMIT:
        return found
    if isinstance(found, int | float) and not isinstance(found, bool) and len(str(found)) <= REQUEST_ID_LIMIT:
        return found
    return None


def id_of(body: Mapping[str, Json]) -> RequestId:
    found = body.get("id")
    echoed = _echoed(found)
    if echoed is None and found is not None:
        refuse(INVALID_REQUEST, f"id must be a string or a number of at most {REQUEST_ID_LIMIT} characters")
    return echoed


def method_of(body: Mapping[str, Json]) -> str:
    method = body.get("method")
    if not isinstance(method, str):
        refuse(INVALID_REQUEST, "method must be a string")
    return method


def params_object(body: Mapping[str, Json]) -> dict[str, Json]:
    params = body.get("params", {})
    if not isinstance(params, dict):
        refuse(INVALID_PARAMS, "params must be an object")
    return params


def refuse(code: int, message: str) -> NoReturn:
    raise Malformed(code, message)
