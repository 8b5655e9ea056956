"""JSON over HTTP that can always be written: what plugins say may hold half a letter."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response


class JsonAnswer(Response):
    """UTF-8. A lone surrogate, which UTF-8 cannot carry, is written as JSON escapes it: ``\\ud800``."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # Outside of a string JSON has no letter beyond ASCII, and Python's escape of half a letter is JSON's own.
        return text.encode("utf-8", "backslashreplace")
