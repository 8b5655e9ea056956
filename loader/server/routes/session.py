"""How a person gets in: a one-time code from a tool, then a session token for the code."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from loader.server.parts import PartsHere
from loader.server.problem_kinds import WRONG_CODE
from loader.server.problems import Problem, documented
from loader.server.sessions import CODE_LIFE_S

router = APIRouter(tags=["session"])


class Code(BaseModel):
    code: str = Field(max_length=256, description="one-time, good for a minute", examples=["5nYk…"])


class CodeMade(Code):
    expires_in_s: float = Field(examples=[60.0])


class SessionMade(BaseModel):
    token: str = Field(description="keep it in sessionStorage", examples=["Zc0k…"])
    expires_in_s: float = Field(examples=[43200.0])


@router.post("/v1/session", responses=documented(WRONG_CODE))
async def enter(body: Code, parts: PartsHere) -> SessionMade:
    """A person's session token for a one-time code. Needs no token."""
    session = parts.credentials.redeem(body.code)
    if session is None:
        raise Problem(WRONG_CODE, "ask for a new one with `hermes-desktop open`")
    return SessionMade(token=session.token, expires_in_s=session.expires_in_s)


@router.post("/v1/session/code")
async def make_code(parts: PartsHere) -> CodeMade:
    """A one-time code for the page (`<url>/#code=…`)."""
    return CodeMade(code=parts.credentials.issue_code(), expires_in_s=CODE_LIFE_S)
