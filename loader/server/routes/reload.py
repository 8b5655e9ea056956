"""``/v1/reload``: look at the disk now, whatever the watcher thinks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field, StrictStr

from loader.errors import UsageError
from loader.server.json_answer import JsonAnswer
from loader.server.parts import PartsHere
from loader.server.problem_kinds import INVALID, UNKNOWN_PLUGIN
from loader.server.problems import Problem, documented
from loader.server.reloading import reload_rows
from loader.server.requests import LONGEST_WAIT_S, NAMES_LIMIT
from loader.server.routes.rows import Rows

router = APIRouter(tags=["plugins"])


class Wish(BaseModel):
    ids: list[Annotated[StrictStr, Field(max_length=256)]] | None = Field(
        None, max_length=NAMES_LIMIT, description="ids or keys; absent: all", examples=[["clock"]]
    )
    wait_s: float = Field(
        0.0,
        ge=0,
        le=LONGEST_WAIT_S,
        strict=True,
        description="wait at most so long for the shells' reports",
        examples=[5],
    )


@router.post("/v1/reload", response_model=Rows, responses=documented(UNKNOWN_PLUGIN, INVALID))
async def reload(parts: PartsHere, body: Wish | None = None) -> Any:
    """Re-read all plugins or those named. Unchanged bytes cause no event."""
    wish = body or Wish()
    if parts.backends is not None:
        await parts.backends.reload()
    try:
        rows = await reload_rows(parts.pipeline, wish.ids, wish.wait_s)
    except UsageError as error:
        raise Problem(UNKNOWN_PLUGIN, str(error)) from error
    return JsonAnswer({"plugins": rows})
