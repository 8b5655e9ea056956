"""The verified bytes of what runs, as a module that a shell can ``import()``."""

from __future__ import annotations

from loader.nouns import Running
from loader.server.capabilities import Capabilities, sdk_path
from loader.server.ports import PipelinePort
from loader.server.problem_kinds import DEAD_CAPABILITY
from loader.server.problems import Problem
from loader.server.rewrite import rewrite
from loader.server.shims import MODULE_OF

JAVASCRIPT = "text/javascript; charset=utf-8"


def opened(capabilities: Capabilities, pipeline: PipelinePort, capability: str) -> Running:
    """What a capability opens now. Raises a 410 problem when its revision no longer runs (or never did)."""
    grant = capabilities.opens(capability)
    running = pipeline.running(grant.plugin) if grant else None
    if grant is None or running is None or running.revision != grant.revision:
        raise Problem(DEAD_CAPABILITY, "take the module_url of the latest plugin/load")
    return running


def module_bytes(running: Running, capability: str, *, rewritten: bool) -> bytes:
    """As on disk, or with the three specifiers replaced by this capability's shim URLs (and without the mark)."""
    if not rewritten:
        return running.source.data

    def url_of(specifier: str) -> str | None:
        module = MODULE_OF.get(specifier)
        return None if module is None else sdk_path(capability, module)

    return rewrite(running.source.text, running.imports, url_of).encode("utf-8", "surrogatepass")
