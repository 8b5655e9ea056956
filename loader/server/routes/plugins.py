"""``/v1/plugins``: rows, verified bytes, and the user's choices and pins."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictBool, StrictStr

from loader.nouns import Plugin
from loader.reports.shape import plugin_json
from loader.server.controlling import caller_of
from loader.server.json_answer import JsonAnswer
from loader.server.modules import JAVASCRIPT
from loader.server.parts import CallerHere, Face, ForPersons, PartsHere, fresh_plugin_of, plugin_of
from loader.server.problem_kinds import APPROVAL_REQUIRED, INVALID, NO_SOURCE, REFUSED, UNKNOWN_PLUGIN
from loader.server.problems import Problem, documented
from loader.server.revealing import reveal
from loader.server.routes.rows import Row, Rows

router = APIRouter(tags=["plugins"])

PluginName = Annotated[str, Path(alias="id", description="an id (the owner's row) or a key", examples=["clock"])]


class Choice(BaseModel):
    enabled: StrictBool | None = Field(description="null forgets the choice", examples=[True])


class Pin(BaseModel):
    integrity: StrictStr | None = Field(
        max_length=4096,
        description="one or more hashes; null pins the present bytes",
        examples=["sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="],
    )


class Heavy(BaseModel):
    allowed: StrictBool = Field(description="false takes the permission back", examples=[True])


class Revealed(BaseModel):
    shown: bool = Field(examples=[True])
    path: str = Field(examples=["/home/me/.hermes/desktop-plugins/clock/plugin.js"])
    why: str | None = Field(description="why it was not shown", examples=[None])


def row_response(plugin: Plugin) -> Response:
    return JsonAnswer(plugin_json(plugin))


@router.get("/v1/plugins", response_model=Rows)
async def list_plugins(parts: PartsHere) -> Any:
    """All rows, sorted by key."""
    return JsonAnswer({"plugins": [plugin_json(plugin) for plugin in parts.pipeline.plugins()]})


@router.get("/v1/plugins/{id}", response_model=Row, responses=documented(UNKNOWN_PLUGIN))
async def show_plugin(name: PluginName, parts: PartsHere) -> Any:
    """One row."""
    return row_response(plugin_of(parts, name))


@router.get(
    "/v1/plugins/{id}/source",
    response_class=Response,
    responses={
        200: {"content": {JAVASCRIPT: {"schema": {"type": "string"}}}, "description": "The verified bytes"},
        304: {"description": "Unchanged"},
        **documented(UNKNOWN_PLUGIN, NO_SOURCE),
    },
)
async def plugin_source(
    name: PluginName, parts: PartsHere, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """The bytes that were checked, never read again; `ETag` is the revision."""
    plugin = plugin_of(parts, name)
    source = parts.pipeline.source_of(plugin.key)
    if source is None:
        raise Problem(NO_SOURCE, f"{plugin.key} has no file that could be read and verified")
    etag = f'"{source.sha256}"'
    if if_none_match is not None and not {etag, "*"}.isdisjoint(
        part.strip().removeprefix("W/") for part in if_none_match.split(",")
    ):
        return Response(status_code=304, headers={"ETag": etag})
    return Response(source.data, media_type=JAVASCRIPT, headers={"ETag": etag})


@router.put("/v1/plugins/{id}/enabled", response_model=Row, responses=documented(UNKNOWN_PLUGIN, REFUSED, INVALID))
async def choose(name: PluginName, body: Choice, parts: PartsHere, caller: CallerHere, face: Face = None) -> Any:
    """The user's choice; null forgets it. Answers the row.

    What came from elsewhere is turned on only where the namespaces that it asks for are approved.
    """
    plugin = await fresh_plugin_of(parts, name)
    if body.enabled is not None and plugin.origin is not None and parts.controlling is not None:
        await parts.controlling.set_plugin_enabled(caller_of(caller, face), plugin.id, body.enabled)
        return row_response(plugin_of(parts, plugin.key))
    return row_response(await parts.pipeline.set_choice(plugin.key, body.enabled))


@router.put("/v1/plugins/{id}/integrity", response_model=Row, responses=documented(UNKNOWN_PLUGIN, REFUSED, INVALID))
async def pin(name: PluginName, body: Pin, parts: PartsHere) -> Any:
    """Pin the plugin to a hash; null takes the present bytes. Answers the row."""
    return row_response(await parts.pipeline.set_pin((await fresh_plugin_of(parts, name)).key, body.integrity))


@router.delete("/v1/plugins/{id}/integrity", response_model=Row, responses=documented(UNKNOWN_PLUGIN, REFUSED))
async def unpin(name: PluginName, parts: PartsHere) -> Any:
    """Take the pin away. Answers the row."""
    return row_response(await parts.pipeline.unpin((await fresh_plugin_of(parts, name)).key))


@router.put("/v1/plugins/{id}/heavy", response_model=Row, responses=documented(UNKNOWN_PLUGIN, REFUSED, INVALID))
async def allow_heavy(name: PluginName, body: Heavy, parts: PartsHere) -> Any:
    """Let the present revision load although it used too much in the rehearsal (HP404). Answers the row."""
    return row_response(await parts.pipeline.allow_heavy((await fresh_plugin_of(parts, name)).key, body.allowed))


@router.post(
    "/v1/plugins/{id}/reveal",
    response_model=Revealed,
    responses=documented(UNKNOWN_PLUGIN, APPROVAL_REQUIRED),
    dependencies=[ForPersons],
)
async def reveal_plugin(name: PluginName, parts: PartsHere) -> Any:
    """Show a plugin's file in the file manager of the desktop that the service runs on, for a person."""
    path = plugin_of(parts, name).path
    why = await reveal(FilePath(path))
    return {"shown": why is None, "path": path, "why": why}
