"""``/modules`` and ``/sdk``: what a shell gives to ``import()``. No token: the capability in the path is enough."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from loader.server.modules import JAVASCRIPT, module_bytes, opened
from loader.server.parts import PartsHere
from loader.server.problem_kinds import DEAD_CAPABILITY, NOT_FOUND
from loader.server.problems import Problem, documented
from loader.server.shims import SPECIFIER_OF, shim

router = APIRouter(tags=["modules"])

Capability = Annotated[str, Path(max_length=128, description="from module_url", examples=["8f3k…"])]
ShimName = Annotated[str, Path(json_schema_extra={"enum": sorted(SPECIFIER_OF)}, examples=["react"])]
SCRIPT: dict[int | str, dict[str, Any]] = {
    200: {"content": {JAVASCRIPT: {"schema": {"type": "string"}}}, "description": "A module"}
}


@router.get(
    "/modules/{capability}/plugin.js", response_class=Response, responses={**SCRIPT, **documented(DEAD_CAPABILITY)}
)
async def plugin_module(
    capability: Capability,
    parts: PartsHere,
    sdk: Annotated[Literal["rewrite"] | None, Query(description="rewrite: specifiers become /sdk URLs")] = None,
) -> Response:
    """The verified bytes of the running revision; specifiers as written, or replaced by span with `/sdk/…` URLs."""
    running = opened(parts.capabilities, parts.pipeline, capability)
    return Response(
        module_bytes(running, capability, rewritten=sdk == "rewrite"),
        media_type=JAVASCRIPT,
        headers={"ETag": f'"{running.revision}"'},
    )


@router.get(
    "/sdk/{capability}/{module}.js",
    response_class=Response,
    responses={**SCRIPT, **documented(NOT_FOUND, DEAD_CAPABILITY)},
)
async def sdk_module(capability: Capability, module: ShimName, parts: PartsHere) -> Response:
    """Re-exports `globalThis[Symbol.for('hermes.modules')][specifier]`, default included."""
    specifier = SPECIFIER_OF.get(module)
    if specifier is None:
        # Not a field that does not fit: an importer asked for a file that is not there.
        raise Problem(NOT_FOUND, f"there is no module {module[:80]!r}")
    opened(parts.capabilities, parts.pipeline, capability)
    return Response(shim(specifier, parts.exports.of(specifier)), media_type=JAVASCRIPT)
