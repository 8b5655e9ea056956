"""The tool `draft_page`: a page without code, shown to the person as a draft."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from pydantic import Field

from loader.agent_tools.drafting import findings, open_store, row, said, where
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.pages.draft_errors import DraftRefused

_DOCUMENT = (
    'Version 1: {"schemaVersion": 1, "initialState": {key: {"type": "string|boolean|number", "value": …}}, "pages": '
    '[{"id": the plugin_id, "title": text, "content": element}]}. A text is {"type": "literal", "value": "…"} or '
    '{"type": "binding", "key": "…"}. Elements have type and a unique lower-case id: group (children, direction ROW or '
    "COLUMN), card (child), text (text, style BODY, LABEL, TITLE or HEADLINE), badge (text, tone), button (label, "
    "action {id}, no request), text_input and toggle (label, binding), progress (value 0 to 1, or valueBinding), "
    'image, divider, spacer; any may have "visibleWhen": {"type": "truthy", "key": "…"}, or equals, not, all, any.'
)


class DraftArguments(Arguments):
    plugin_id: str = Field(max_length=200, description="The page's id: a-z, 0-9, '.', '_', '-'. Not git.")
    title: str = Field(max_length=500, description="1 to 120 letters.")
    document: dict[str, Any] = Field(description=_DOCUMENT)
    description: str = Field(default="", max_length=4000, description="At most 1,000 letters.")
    lifecycle: Literal["session", "persistent"] = Field(
        default="session", description="session: goes by itself a day after its last change."
    )


async def _run(desk: Desk, given: DraftArguments) -> Answer:
    store = open_store(desk)
    try:
        entry, check = await asyncio.to_thread(store.draft, given.model_dump(), desk.session)
    except DraftRefused as refused:
        told = {"error": str(refused), "findings": findings(refused.check)}
        return said(told, failed=True)
    told = row(entry) | {"findings": findings(check), "shown_at": where(desk, entry.id)}
    return said(told)


TOOL = AgentTool(
    "draft_page",
    "Draft a page",
    "Show the person a page without code (status, checklist, form) on phone and web, or its next revision. It is "
    "checked whole: what no host would show is refused, with places and fixes. It calls no backend; keeping it is the "
    "person's decision.",
    DraftArguments,
    _run,
    changes_something=True,
)
