"""``/v1/wall``: what stands behind the wall, and frames for it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from loader.server.parts import PartsHere
from loader.server.problem_kinds import REFUSED, UNKNOWN_PLUGIN
from loader.server.problems import Problem, documented
from loader.server.wall import walled_json

router = APIRouter(tags=["wall"])

WalledId = Annotated[
    str, Path(alias="id", max_length=200, description="a package's id", examples=["com.example.notes"])
]


class App(BaseModel):
    id: str = Field(examples=["com.example.notes"])
    kind: str = Field(description="web-app or desktop", examples=["web-app"])
    name: str = Field(examples=["Notes"])
    version: str = Field(examples=["1.4.0"])
    enabled: bool = Field(description="switched on, and approved as far as it asks", examples=[True])
    revision: str = Field(description="of the installed state", examples=["9f2c…"])
    apis: list[str] = Field(description="approved namespaces of the bridge", examples=[["tools", "storage"]])
    capabilities: list[str] = Field(description="approved capabilities of tools", examples=[["read-only"]])
    url: str | None = Field(description="of a plugin under development", examples=[None])


class Apps(BaseModel):
    apps: list[App]


class Identity(BaseModel):
    pluginId: str = Field(examples=["com.example.notes"])
    name: str = Field(examples=["Notes"])
    version: str = Field(examples=["1.4.0"])
    apis: list[str] = Field(examples=[["tools"]])
    capabilities: list[str] = Field(examples=[["read-only"]])


class FrameOpened(BaseModel):
    frame: str = Field(description="names the frame in messages", examples=["frame-1"])
    kind: str = Field(description="web-app or desktop", examples=["web-app"])
    frame_url: str = Field(
        description="loads once, within a minute",
        examples=["http://p-0f1e2d3c4b5a69788796a5b4c3d2e1f0.localhost:8787/index.html?hermes-ticket=…"],
    )
    origin: str = Field(
        description="whose messages are the frame's",
        examples=["http://p-0f1e2d3c4b5a69788796a5b4c3d2e1f0.localhost:8787"],
    )
    token: str = Field(description="speaks for the frame; never given to it", examples=["Zc0k…"])
    identity: Identity
    revision: str = Field(examples=["9f2c…"])


@router.get("/v1/wall")
async def list_walled(parts: PartsHere) -> Apps:
    """What stands behind the wall, by id; also what is switched off."""
    return Apps(apps=[App.model_validate(walled_json(each)) for each in parts.shelf.all()])


@router.post("/v1/wall/{id}/frames", response_model=FrameOpened, responses=documented(UNKNOWN_PLUGIN, REFUSED))
async def open_frame(name: WalledId, request: Request, parts: PartsHere) -> Any:
    """A frame for a plugin: its address for an `iframe`, and the token of the page around it."""
    if parts.shelf.get(name) is None:
        raise Problem(UNKNOWN_PLUGIN, f"nothing stands behind the wall as {name!r}")
    port: int | None = request.app.state.port()
    opened = None if port is None else parts.wall.open(name, port, _ancestors(request, port))
    if opened is None:
        raise Problem(REFUSED, f"{name} is switched off, not approved, or said to be served by this service itself")
    return opened


def _ancestors(request: Request, port: int) -> tuple[str, ...]:
    """Who may embed the frame: our own page, what was configured, and the app window that asks."""
    own = (f"http://127.0.0.1:{port}", f"http://localhost:{port}", *sorted(request.app.state.origins))
    origin = request.headers.get("origin", "").strip().lower()
    if not origin or origin.startswith(("http:", "https:")):
        return own
    # A page from a file has the origin "null", which no policy can name; an app's scheme can be named.
    return (*own, "file:" if origin == "null" else f"{origin.partition(':')[0]}:")
