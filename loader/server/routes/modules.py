"""``/modules`` and ``/sdk``: what a shell gives to ``import()``. No token: the capability in the path is enough."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from loader.server.modules import JAVASCRIPT, module_bytes, opened
from loader.server.parts import PartsHere
from loader.server.problem_kinds import DEAD_CAPABILITY
from loader.server.problems import documented
from loader.server.shims import SPECIFIER_OF, shim

router = APIRouter(tags=["modules"])

Capability = Annotated[str, Path(max_length=128, description="from module_url", examples=["8f3k…"])]
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
    "/sdk/{capability}/{module}.js", response_class=Response, responses={**SCRIPT, **documented(DEAD_CAPABILITY)}
)
async def sdk_module(
    capability: Capability, module: Literal["plugin-sdk", "react", "jsx-runtime"], parts: PartsHere
) -> Response:
    """Re-exports `globalThis[Symbol.for('hermes.modules')][specifier]`, default included."""
    opened(parts.capabilities, parts.pipeline, capability)
    specifier = SPECIFIER_OF[module]
    return Response(shim(specifier, parts.exports.of(specifier)), media_type=JAVASCRIPT)
