"""``/v1/packages``: what came from elsewhere. Looked at, installed, approved, switched, removed; who asked for what."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from loader.packages.asking import Wanted
from loader.packages.grants import Grants
from loader.packages.wishes import Wish
from loader.server.controlling import Controlling, caller_of, is_person
from loader.server.json_answer import JsonAnswer
from loader.server.package_problems import (
    PACKAGE_CHANGED,
    PACKAGE_INVALID,
    PACKAGES_BUSY,
    UNKNOWN_PACKAGE,
    UNKNOWN_REQUEST,
)
from loader.server.parts import CallerHere, Face, ForPersons, Parts, PartsHere
from loader.server.problem_kinds import APPROVAL_REQUIRED, INVALID, NOT_FOUND, REFUSED, TIMED_OUT, UNKNOWN_PLUGIN
from loader.server.problems import Problem, documented

router = APIRouter(tags=["packages"])

PackageId = Annotated[
    str, Path(alias="id", max_length=128, description="a package's id", examples=["com.example.board"])
]


class GrantsBody(BaseModel):
    """What is granted of what it asks for; what is not named is not."""

    model_config = ConfigDict(extra="forbid")

    apis: list[str] = Field([], max_length=16, description="tools, storage, cdp, ai", examples=[["storage"]])
    capabilities: list[str] = Field(
        [], max_length=16, description="read-only, controls-browser", examples=[["read-only"]]
    )

    def grants(self) -> Grants:
        return Grants(frozenset(self.apis), frozenset(self.capabilities))


_REVISION = Field(
    None, max_length=64, description="the row's, as it was shown: 409 where it is another one now", examples=["9f86…"]
)


class ApproveBody(GrantsBody):
    revision: str | None = _REVISION


class SourceBody(BaseModel):
    """Exactly one of ``source``, ``path``, ``repository``, ``link`` and ``installed``."""

    model_config = ConfigDict(extra="forbid")

    source: str | None = Field(None, max_length=4096, description="any of them", examples=["ada/board"])
    path: str | None = Field(
        None, max_length=4096, description="a folder or an archive, the whole path", examples=["/home/ada/board"]
    )
    repository: str | None = Field(
        None, max_length=4096, description="owner/repo[/dir] or a git URL[#dir]", examples=["ada/board"]
    )
    link: str | None = Field(
        None, max_length=4096, description="an install link", examples=["hermes://plugin/install?repo=ada/board"]
    )
    installed: str | None = Field(
        None, max_length=128, description="look again where this package came from", examples=["com.example.board"]
    )
    ref: str | None = Field(None, max_length=64, description="a commit, 40 hex digits", examples=["0" * 40])
    without: list[str] | None = Field(
        None,
        max_length=8,
        description="parts to leave out: desktop, agent, backend, skills; null: those that were left out before",
        examples=[["agent"]],
    )

    def left_out(self) -> tuple[str, ...] | None:
        return None if self.without is None else tuple(self.without)

    def wish(self) -> Wish:
        return Wish(self.source, self.path, self.repository, self.link, self.installed, self.ref)


class InstallBody(SourceBody):
    digest: str = Field("", max_length=80, description="of the probe that a person saw", examples=["sha256:9f86…"])
    force: StrictBool = Field(False, description="what stands there may go", examples=[False])
    enable: StrictBool = Field(
        False, description="turn it on at once, where all it asks for is approved", examples=[False]
    )
    approve: GrantsBody | None = Field(
        None,
        description="all that is granted of what it asks for; null: what stays approved",
        examples=[{"apis": ["storage"], "capabilities": []}],
    )


class TrustBody(BaseModel):
    trusted: StrictBool = Field(description="true: it runs in the app, without the wall", examples=[False])
    revision: str | None = _REVISION


class SwitchBody(BaseModel):
    enabled: StrictBool = Field(examples=[True])


class AnswerBody(BaseModel):
    approve: StrictBool = Field(examples=[True])


class GrantsRow(BaseModel):
    apis: list[str] = Field(examples=[["storage"]])
    capabilities: list[str] = Field(examples=[["read-only"]])


class PackageRow(BaseModel):
    """What was installed from elsewhere."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(examples=["com.example.board"])
    kind: str = Field(description="standalone, package or web-app", examples=["web-app"])
    name: str = Field(examples=["Board"])
    version: str = Field(examples=["1.4.0"])
    requested: GrantsRow
    approved: GrantsRow
    lacks: list[str] = Field(description="requested namespaces that nobody approved: it stays off", examples=[[]])
    enabled: bool = Field(examples=[True])
    walled: bool = Field(examples=[True])
    trusted: bool = Field(examples=[False])
    revision: str = Field(description="of all its bytes, hex", examples=["9f86d081…"])
    tab: str | None = Field(description="the page that shows it", examples=["/#/app/com.example.board"])


class PackageRows(BaseModel):
    packages: list[PackageRow]


class ProbeAnswer(BaseModel):
    """As `install --probe --json`, and ``digest``."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(examples=["com.example.board"])
    digest: str = Field(examples=["sha256:9f86…"])
    installable: bool = Field(examples=[True])


class AskedRow(BaseModel):
    """What an agent asked for and a person has to answer."""

    model_config = ConfigDict(extra="allow")

    request: int = Field(examples=[1])
    action: str = Field(description="install or approve", examples=["install"])
    id: str = Field(examples=["com.example.board"])
    digest: str = Field(examples=["sha256:9f86…"])
    expires_in_s: float = Field(examples=[3600.0])


class AskedRows(BaseModel):
    requests: list[AskedRow]


class AskedState(BaseModel):
    model_config = ConfigDict(extra="allow")

    request: int = Field(examples=[1])
    state: str = Field(description="waiting, approved, refused, expired, changed, failed", examples=["waiting"])


class TabAnswer(BaseModel):
    id: str = Field(examples=["com.example.board"])
    url: str = Field(description="a path of the page", examples=["/#/app/com.example.board"])


class Removed(BaseModel):
    id: str = Field(examples=["com.example.board"])
    uninstalled: bool = Field(examples=[True])
    purged: bool = Field(examples=[False])


class AuditRow(BaseModel):
    at: str = Field(examples=["2026-11-30T09:12:00Z"])
    caller: str = Field(description="person, tool, cli or mcp", examples=["person"])
    action: str = Field(examples=["install"])
    id: str = Field(examples=["com.example.board"])
    outcome: str = Field(description="done, asked, refused, failed or changed", examples=["done"])


class AuditRows(BaseModel):
    audit: list[AuditRow]


def _controlling(parts: Parts) -> Controlling:
    if parts.controlling is None:
        raise Problem(NOT_FOUND, "this service installs nothing")
    return parts.controlling


@router.get("/v1/packages", response_model=PackageRows)
async def list_packages(parts: PartsHere) -> Any:
    """What was installed from elsewhere, by id."""
    return JsonAnswer({"packages": _controlling(parts).packages()})


@router.post(
    "/v1/packages/probe",
    response_model=ProbeAnswer,
    responses=documented(INVALID, PACKAGE_INVALID, UNKNOWN_PACKAGE, PACKAGES_BUSY, TIMED_OUT),
)
async def probe_package(body: SourceBody, parts: PartsHere) -> Any:
    """Fetch, check and play through, in a staging folder; nothing is installed. May take minutes."""
    return JsonAnswer(await _controlling(parts).probe(body.wish(), body.left_out()))


@router.post(
    "/v1/packages/install",
    response_model=PackageRow,
    responses=documented(
        APPROVAL_REQUIRED, UNKNOWN_PACKAGE, PACKAGE_CHANGED, INVALID, PACKAGE_INVALID, PACKAGES_BUSY, TIMED_OUT
    ),
)
async def install_package(body: InstallBody, parts: PartsHere, caller: CallerHere, face: Face = None) -> Any:
    """A person's yes to a probe, by its digest. Anybody else's wish is looked at, queued, and answered 403
    `approval-required` with `request`, `approval_endpoint` and the probe."""
    wanted = Wanted(
        "install",
        "",
        body.digest,
        body.wish(),
        grants=None if body.approve is None else body.approve.grants(),
        force=body.force,
        enable=body.enable,
        without=body.left_out(),
    )
    work = _controlling(parts).install_plugin(caller_of(caller, face), wanted, by_person=is_person(caller))
    return JsonAnswer(await work)


@router.put(
    "/v1/packages/{id}/grants",
    response_model=PackageRow,
    responses=documented(APPROVAL_REQUIRED, UNKNOWN_PACKAGE, PACKAGE_CHANGED, INVALID, PACKAGES_BUSY),
)
async def approve_grants(
    package_id: PackageId, body: ApproveBody, parts: PartsHere, caller: CallerHere, face: Face = None
) -> Any:
    """What is granted of what it asks for, all of it anew. More than nothing is a person's word; else it is queued."""
    work = _controlling(parts).approve_plugin_grants(
        caller_of(caller, face), package_id, body.grants(), by_person=is_person(caller), revision=body.revision
    )
    return JsonAnswer(await work)


@router.put(
    "/v1/packages/{id}/trust",
    response_model=PackageRow,
    responses=documented(APPROVAL_REQUIRED, UNKNOWN_PACKAGE, PACKAGE_CHANGED, INVALID),
)
async def trust_package(
    package_id: PackageId, body: TrustBody, parts: PartsHere, caller: CallerHere, face: Face = None
) -> Any:
    """Let its desktop half run in the app, without the wall: a person's word only. To take it back is anybody's."""
    work = _controlling(parts).trust(
        caller_of(caller, face), package_id, body.trusted, by_person=is_person(caller), revision=body.revision
    )
    return JsonAnswer(await work)


@router.put(
    "/v1/packages/{id}/enabled",
    response_model=PackageRow,
    responses=documented(UNKNOWN_PACKAGE, UNKNOWN_PLUGIN, INVALID),
)
async def switch_package(
    package_id: PackageId, body: SwitchBody, parts: PartsHere, caller: CallerHere, face: Face = None
) -> Any:
    """Turn it on or off. On only where all the namespaces that it asks for are approved."""
    controlling = _controlling(parts)
    controlling.package(package_id)
    return JsonAnswer(await controlling.set_plugin_enabled(caller_of(caller, face), package_id, body.enabled))


@router.delete(
    "/v1/packages/{id}",
    response_model=Removed,
    responses=documented(APPROVAL_REQUIRED, UNKNOWN_PACKAGE, REFUSED),
)
async def uninstall_package(
    package_id: PackageId,
    parts: PartsHere,
    caller: CallerHere,
    purge: Annotated[bool, Query(description="what it stored goes too: a person's word only")] = False,
    face: Face = None,
) -> Any:
    """Remove its folder, record, pin and approvals."""
    work = _controlling(parts).uninstall_plugin(
        caller_of(caller, face), package_id, purge=purge, by_person=is_person(caller)
    )
    return JsonAnswer(await work)


@router.post("/v1/packages/{id}/open", response_model=TabAnswer, responses=documented(UNKNOWN_PACKAGE, INVALID))
async def open_tab(package_id: PackageId, parts: PartsHere) -> Any:
    """Where a person sees its tab."""
    return JsonAnswer(_controlling(parts).open_plugin_tab(package_id))


@router.get(
    "/v1/packages/requests",
    response_model=AskedRows,
    responses=documented(APPROVAL_REQUIRED),
    dependencies=[ForPersons],
)
async def list_requests(parts: PartsHere) -> Any:
    """What agents asked for and a person has to answer, oldest first. A person's session only."""
    return JsonAnswer({"requests": _controlling(parts).requests()})


@router.get("/v1/packages/requests/{number}", response_model=AskedState, responses=documented(UNKNOWN_REQUEST))
async def request_state(number: int, parts: PartsHere) -> Any:
    """What became of a request."""
    return JsonAnswer(_controlling(parts).request_state(number))


@router.post(
    "/v1/packages/requests/{number}",
    response_model=AskedState,
    responses=documented(
        APPROVAL_REQUIRED, UNKNOWN_REQUEST, PACKAGE_CHANGED, INVALID, PACKAGE_INVALID, PACKAGES_BUSY, TIMED_OUT
    ),
    dependencies=[ForPersons],
)
async def answer_request(number: int, body: AnswerBody, parts: PartsHere) -> Any:
    """A person's yes or no. What is no longer what was looked at ends with 409: it has to be asked for anew."""
    return JsonAnswer(await _controlling(parts).answer(number, body.approve))


@router.get("/v1/packages/audit", response_model=AuditRows)
async def audit(
    parts: PartsHere, limit: Annotated[int, Query(ge=1, le=5000, description="the last so many")] = 200
) -> Any:
    """Who installed, approved, switched and removed what, oldest first."""
    found = await asyncio.to_thread(_controlling(parts).control.audit.last, limit)
    return JsonAnswer({"audit": [entry.told() for entry in found]})
