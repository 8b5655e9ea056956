"""``/v1/health``: alive or not, for everybody; who it is, for those who may know."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from loader.server.parts import CallerHere, PartsHere
from loader.server.sessions import Person, Tool

router = APIRouter(tags=["service"])


class Health(BaseModel):
    status: str = Field(examples=["ok"])
    version: str | None = Field(None, examples=["0.1.0"])
    root: str | None = Field(None, examples=["/home/ada/.hermes"])
    home: str | None = Field(None, examples=["/home/ada/.hermes"])
    instance: str | None = Field(None, description="new at each start", examples=["b1946ac92492d234"])
    seq: int | None = Field(None, description="the last event's number", examples=[42])


@router.get("/v1/health", response_model=Health, response_model_exclude_none=True)
async def health(parts: PartsHere, caller: CallerHere) -> Any:
    """Without a token only `status`. With the endpoint's or a person's also version, root, home, instance and seq."""
    if not isinstance(caller, Tool | Person):
        return Health(status="ok")
    about = parts.about
    return Health(
        status="ok",
        version=about.version,
        root=about.root,
        home=about.home,
        instance=about.instance,
        seq=parts.hub.seq,
    )
