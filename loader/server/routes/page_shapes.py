"""What the routes of pages take and give, ours and those of hosts elsewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StrictBool

PluginId = Annotated[str, Path(alias="plugin", description="a plugin's id", examples=["weather"])]
PageId = Annotated[str, Path(alias="page", description="a contribution's id", examples=["today"])]
ElementId = Annotated[str, Path(alias="element", description="a button's id", examples=["save"])]


class CatalogRow(BaseModel):
    name: str = Field(examples=["weather"])
    label: str = Field(examples=["weather"])
    description: str = Field(examples=[""])
    version: str = Field(examples=[""])
    icon: str = Field(examples=["Puzzle"])
    source: str = Field(examples=["user"])
    has_api: bool = Field(examples=[True])


class SurfaceRow(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str = Field(examples=["weather"])
    name: str = Field(examples=["Weather"])
    enabled: bool = Field(examples=[False])
    why: str | None = Field(description="why it has no pages", examples=[None])


class Surfaces(BaseModel):
    surfaces: list[SurfaceRow]
    faults: list[dict[str, str]] = Field(description="what is listed and never asked", examples=[[]])


class ShownPage(BaseModel):
    model_config = ConfigDict(extra="allow")

    document: dict[str, Any] = Field(description="canonical: defaults filled in", examples=[{}])
    seen: str = Field(description="to be sent with actions", examples=["sha256:…"])


class PageChoice(BaseModel):
    enabled: StrictBool | None = Field(None, description="absent: as it was", examples=[True])
    write: StrictBool | None = Field(
        None, description="grant or take back writing; absent: as it was", examples=[False]
    )


class Press(BaseModel):
    seen: str = Field(max_length=100, description="of the page as it was shown", examples=["sha256:…"])
    state: dict[str, Any] = Field({}, description="the page's state, typed values", examples=[{}])
    confirmed: StrictBool = Field(False, description="a person has just confirmed", examples=[False])


class Pressed(BaseModel):
    sent: bool = Field(description="false: the action has no request", examples=[True])


class DraftDecision(BaseModel):
    expected_digest: str = Field(max_length=200, pattern="^sha256:", description="as listed", examples=["sha256:…"])


class Decided(BaseModel):
    ok: Literal[True] = Field(examples=[True])


class PageHostRow(BaseModel):
    id: str = Field(examples=["host-0f1e2d3c4b5a6978"])
    name: str = Field(examples=["office"])
    url: str = Field(examples=["https://hermes.example"])
    profile: str | None = Field(examples=[None])
    has_token: bool = Field(description="a token goes with requests to it", examples=[True])


class PageHostList(BaseModel):
    hosts: list[PageHostRow]


class NewPageHost(BaseModel):
    """The store of connections judges each field, in the words of ``hermes-desktop page connect``."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=1000, description="what it is called here", examples=["office"])
    url: str = Field(max_length=10_000, examples=["https://hermes.example"])
    token: str | None = Field(None, max_length=10_000, description="goes to that address alone", examples=["s3cret"])
    profile: str | None = Field(
        None, max_length=1000, description="that choices count for; else the server's default", examples=["work"]
    )
    read_on_the_way: StrictBool = Field(
        False, description="a person has agreed that a token crosses the network unencrypted", examples=[False]
    )
