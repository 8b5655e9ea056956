"""The mobile manifest, version 1, and what an agent gives to draft a page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from loader.pages.document import Identifier, Int32, PageDocument, Version
from loader.pages.limits import HOST_API, INT_MIN


class ManifestPart(BaseModel):
    """Anything in a manifest: snake_case keys, unknown ones ignored, nothing coerced."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, defer_build=True)


class Endpoint(ManifestPart):
    path: StrictStr
    method: StrictStr = "GET"


class PageContribution(ManifestPart):
    id: StrictStr
    title: StrictStr
    document: Endpoint
    surface: StrictStr = "page"
    description: StrictStr | None = None
    status: StrictStr | None = None
    lifecycle: StrictStr | None = None
    revision: Int32 | None = None
    digest: StrictStr | None = None


class CapabilityRequest(ManifestPart):
    id: StrictStr
    reason: StrictStr
    required: StrictBool = False


class Updates(ManifestPart):
    poll_seconds: Int32 | None = None


class Manifest(ManifestPart):
    id: Identifier
    schema_version: Version = 1
    display_name: StrictStr | None = None
    description: StrictStr | None = None
    version: StrictStr | None = None
    min_host_api: Annotated[StrictInt, Field(ge=INT_MIN, le=HOST_API)] = 1
    default_enabled: StrictBool = False
    contributions: list[PageContribution] = []
    requested_capabilities: list[CapabilityRequest] = []
    updates: Updates | None = None


class DraftArguments(ManifestPart):
    """What ``draft`` takes. Lengths are judged after trimming, so they stand in ``draft_rules.py``."""

    plugin_id: StrictStr
    title: StrictStr
    document: PageDocument
    description: StrictStr = ""
    lifecycle: Literal["session", "persistent"] = "session"
