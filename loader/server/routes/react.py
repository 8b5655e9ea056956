"""``/v1/react``: which React plugins run with in the page, and fetching it once, if a person agrees."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from loader.errors import LoaderError
from loader.react.choosing import React
from loader.server.json_answer import JsonAnswer
from loader.server.parts import ForPersons
from loader.server.problem_kinds import APPROVAL_REQUIRED, REFUSED, Kind
from loader.server.problems import Problem, documented

NOT_FETCHED = Kind("react-not-fetched", 502, "React was not fetched")
router = APIRouter(tags=["react"])


class ReactPackage(BaseModel):
    name: str = Field(examples=["react"])
    version: str = Field(examples=["19.3.1"])
    url: str = Field(examples=["https://registry.npmjs.org/react/-/react-19.3.1.tgz"])
    integrity: str = Field(examples=["sha512-…"])
    bytes: int = Field(examples=[26394])


class ReactState(BaseModel):
    ready: bool = Field(examples=[False])
    origin: Literal["folder", "fetched"] | None = Field(description="null: there is none", examples=[None])
    version: str = Field(description="that would be fetched", examples=["19.3.1"])
    registry: str | None = Field(examples=["https://registry.npmjs.org"])
    packages: list[ReactPackage]
    why: str | None = Field(description="why none can be fetched", examples=[None])


class ReactWish(BaseModel):
    registry: str = Field(max_length=2048, description="as it was shown", examples=["https://registry.npmjs.org"])


def react_of(request: Request) -> React:
    found: React = request.app.state.react
    return found


@router.get("/v1/react", response_model=ReactState)
async def show_react(request: Request) -> Any:
    """Whether plugins can run in the page, and what a fetch would bring from where."""
    return JsonAnswer(await react_of(request).told())


@router.post(
    "/v1/react",
    response_model=ReactState,
    responses=documented(APPROVAL_REQUIRED, REFUSED, NOT_FETCHED),
    dependencies=[ForPersons],
)
async def fetch_react(body: ReactWish, request: Request) -> Any:
    """A person agrees to the fetch as it was shown: pinned, verified before it is unpacked, kept for this home."""
    react = react_of(request)
    told = await react.told()
    if told["registry"] != body.registry:
        raise Problem(REFUSED, "this is not the registry that was shown: look again")
    try:
        await react.fetch()
    except LoaderError as error:
        raise Problem(NOT_FETCHED, str(error)) from error
    return JsonAnswer(await react.told())
