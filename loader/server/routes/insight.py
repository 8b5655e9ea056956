"""What the workbench shows of one plugin beside its row: rehearsal, findings in their code, history, the doctor."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from loader.analysis.registry import RULES
from loader.inventory.history import Revision
from loader.nouns import Plugin
from loader.reports.chain import Chain, chain_of
from loader.reports.inside import diff_json, findings_json, history_json, rehearsal_json
from loader.reports.rule_page import rule_json
from loader.reports.shape import JsonObject, plugin_json
from loader.server.json_answer import JsonAnswer
from loader.server.parts import Parts, PartsHere, plugin_of
from loader.server.problem_kinds import UNKNOWN_PLUGIN, Kind
from loader.server.problems import Problem, documented
from loader.server.routes.plugins import PluginName
from loader.server.routes.rows import DiagnosticRow

router = APIRouter(tags=["workbench"])

UNKNOWN_RULE = Kind("unknown-rule", 404, "No such rule")
UNKNOWN_REVISION = Kind("unknown-revision", 404, "That revision is not kept")


class Timing(BaseModel):
    name: str = Field(examples=["rehearse"])
    ms: float = Field(examples=[12.5])


class Import(BaseModel):
    specifier: str | None = Field(description="null when it is computed", examples=["react"])
    kind: Literal["static", "reexport", "dynamic"] = Field(examples=["static"])
    line: int = Field(examples=[2])


class Drawn(BaseModel):
    area: str = Field(examples=["statusBar.right"])
    id: str = Field(examples=["clock"])
    scoped_id: str = Field(examples=["clock:clock"])
    title: str | None = Field(examples=["Clock"])
    order: float | None = Field(examples=[50])
    payload: Any = Field(examples=[{"path": "/clock"}])
    html: str | None = Field(
        description="foreign markup: show it in a scriptless frame only", examples=["<p>12:00</p>"]
    )
    wireframe: str | None = Field(examples=["12:00"])
    too_large: bool = Field(examples=[False])


class Said(BaseModel):
    level: Literal["log", "info", "warn", "error", "debug"] = Field(examples=["log"])
    text: str = Field(examples=["started"])


class LeakRow(BaseModel):
    kind: str = Field(examples=["timer"])
    detail: str = Field(examples=["setInterval every 1000 ms"])
    line: int | None = Field(examples=[12])


class Played(BaseModel):
    ran: bool = Field(examples=[True])
    stopped_by: str | None = Field(examples=[None])
    contributions: list[Drawn]
    console: list[Said]
    actions: list[str] = Field(description="what it asked the app to do", examples=[["notify({…})"]])
    leaks: list[LeakRow]
    timers_fired: int = Field(examples=[2])
    cpu_ms: float = Field(examples=[8.8])
    memory_bytes: int = Field(examples=[3014656])


class RehearsalReport(BaseModel):
    key: str = Field(examples=["standalone:clock"])
    id: str = Field(examples=["clock"])
    revision: str = Field(examples=["9f86d081…"])
    timings: list[Timing] = Field(description="stages of the check, in order")
    imports: list[Import]
    rehearsal: Played | None = Field(examples=[None])


class FrameRow(BaseModel):
    number: int | None = Field(description="null: the line of carets", examples=[3])
    text: str = Field(examples=["import x from 'lodash'"])


class FramedDiagnostic(DiagnosticRow):
    frame: list[FrameRow]


class Findings(BaseModel):
    key: str = Field(examples=["standalone:clock"])
    id: str = Field(examples=["clock"])
    revision: str = Field(examples=["9f86d081…"])
    diagnostics: list[FramedDiagnostic]
    for_agents: str = Field(
        description="the same as text for a language model", examples=["ok: 1 files, no findings.\n"]
    )


class RevisionRow(BaseModel):
    revision: str = Field(examples=["9f86d081…"])
    seen_at: str = Field(examples=["2026-11-30T09:12:00.000Z"])
    outcome: Literal["ready", "disabled", "failed", "shadowed"] = Field(examples=["ready"])
    errors: int = Field(examples=[0])
    warnings: int = Field(examples=[1])
    codes: list[str] = Field(examples=[["HP601"]])
    has_text: bool = Field(description="whether it can be compared", examples=[True])


class Past(BaseModel):
    key: str = Field(examples=["standalone:clock"])
    id: str = Field(examples=["clock"])
    revisions: list[RevisionRow] = Field(description="newest first, at most 5")


class Difference(BaseModel):
    before: str = Field(examples=["9f86d081…"])
    after: str = Field(examples=["60303ae2…"])
    diff: str | None = Field(description="unified; null when a text is not kept", examples=["@@ -1 +1 @@\n-a\n+b\n"])
    cut: bool = Field(examples=[False])


class RuleText(BaseModel):
    code: str = Field(examples=["HP201"])
    rule: str = Field(examples=["unsupported-import"])
    severity: Literal["error", "warning", "info"] = Field(examples=["error"])
    found_by: str = Field(examples=["model"])
    since: str = Field(examples=["0.1.0"])
    paragraph: str = Field(examples=["The app resolves three specifiers only. …"])
    bad: str = Field(examples=["import _ from 'lodash'"])
    good: str = Field(examples=["import { host } from '@hermes/plugin-sdk'"])
    url: str = Field(examples=["docs/rules/HP201.md"])


class LinkRow(BaseModel):
    name: Literal["home", "folder", "file", "check", "choice", "service", "shell", "backend"] = Field(
        examples=["check"]
    )
    state: Literal["holds", "breaks", "waits"] = Field(examples=["holds"])
    says: str = Field(examples=["passed"])
    remedy: str | None = Field(examples=[None])


class ChainRow(BaseModel):
    key: str = Field(examples=["standalone:clock"])
    id: str = Field(examples=["clock"])
    verdict: str = Field(examples=["runs"])
    broken_at: str | None = Field(examples=[None])
    links: list[LinkRow]


class Chains(BaseModel):
    plugins: list[ChainRow]


@router.get("/v1/plugins/{id}/rehearsal", response_model=RehearsalReport, responses=documented(UNKNOWN_PLUGIN))
async def rehearsal(name: PluginName, parts: PartsHere) -> Any:
    """What the check and the rehearsal of the bytes on disk found, with what each contribution drew."""
    plugin = plugin_of(parts, name)
    return JsonAnswer(rehearsal_json(plugin, parts.pipeline.subject(plugin.key)))


@router.get("/v1/plugins/{id}/findings", response_model=Findings, responses=documented(UNKNOWN_PLUGIN))
async def findings(name: PluginName, parts: PartsHere) -> Any:
    """The row's findings in their code, and all of them as text for an agent."""
    plugin = plugin_of(parts, name)
    subject = parts.pipeline.subject(plugin.key)
    text = subject.source.text if subject and subject.source else None
    # Cutting a text of 16 MiB into lines takes longer than the event loop should stand still.
    return JsonAnswer(await asyncio.to_thread(findings_json, plugin, text))


@router.get("/v1/plugins/{id}/history", response_model=Past, responses=documented(UNKNOWN_PLUGIN))
async def history(name: PluginName, parts: PartsHere) -> Any:
    """The last revisions with their outcome."""
    plugin = plugin_of(parts, name)
    return JsonAnswer(history_json(plugin, parts.pipeline.history(plugin.key)))


@router.get(
    "/v1/plugins/{id}/history/diff",
    response_model=Difference,
    responses=documented(UNKNOWN_PLUGIN, UNKNOWN_REVISION),
)
async def difference(
    name: PluginName,
    parts: PartsHere,
    before: Annotated[str, Query(description="a revision of the history", max_length=64, examples=["9f86d081…"])],
    after: Annotated[str, Query(description="another one", max_length=64, examples=["60303ae2…"])],
) -> Any:
    """What changed between two revisions of the history, as a unified diff."""
    plugin = plugin_of(parts, name)
    old, new = _kept(parts, plugin, before), _kept(parts, plugin, after)
    return JsonAnswer(await asyncio.to_thread(diff_json, plugin, old, new))


def _kept(parts: Parts, plugin: Plugin, revision: str) -> Revision:
    for each in reversed(parts.pipeline.history(plugin.key)):
        if each.revision == revision:
            return each
    raise Problem(UNKNOWN_REVISION, "the history keeps the last revisions since the service started")


@router.get("/v1/rules/{code}", response_model=RuleText, responses=documented(UNKNOWN_RULE))
async def rule(code: Annotated[str, Path(max_length=16, examples=["HP201"])]) -> Any:
    """A rule explained: why, a bad example and a good one."""
    found = next((each for each in RULES if each.code == code.upper()), None)
    if found is None:
        raise Problem(UNKNOWN_RULE, "the pages in docs/rules name all codes")
    return JsonAnswer(rule_json(found))


@router.get("/v1/plugins/{id}/doctor", response_model=ChainRow, responses=documented(UNKNOWN_PLUGIN))
async def diagnose(name: PluginName, parts: PartsHere) -> Any:
    """Why the plugin runs or does not: one link for each thing that must hold."""
    return JsonAnswer(_chain_json(_chain(parts, plugin_of(parts, name))))


@router.get("/v1/doctor", response_model=Chains)
async def diagnose_all(parts: PartsHere) -> Any:
    """The chains of all plugins, sorted by key."""
    return JsonAnswer({"plugins": [_chain_json(_chain(parts, each)) for each in parts.pipeline.plugins()]})


def _chain(parts: Parts, plugin: Plugin) -> Chain:
    about = parts.about
    return chain_of(plugin_json(plugin), home=about.home, rule=about.rule, service=about.where)


def _chain_json(chain: Chain) -> JsonObject:
    return {
        "key": chain.key,
        "id": chain.id,
        "verdict": chain.verdict,
        "broken_at": chain.broken.name if chain.broken else None,
        "links": [
            {"name": link.name, "state": link.state, "says": link.says, "remedy": link.remedy} for link in chain.links
        ],
    }
