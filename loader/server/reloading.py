"""A manual reload, as it is asked for over HTTP and over the WebSocket."""

from __future__ import annotations

from collections.abc import Sequence

from loader.nouns import Json
from loader.reports.shape import plugin_json
from loader.server.ports import PipelinePort


async def reload_rows(pipeline: PipelinePort, ids: Sequence[str] | None, wait_s: float) -> list[Json]:
    """Re-read those plugins (all: None), wait at most ``wait_s`` for the shells, give their rows.

    Raises UsageError for a name that even a look at the disk did not turn up.
    """
    plugins = await pipeline.reload(ids)
    if wait_s > 0:
        await pipeline.wait_shells(ids, wait_s)
        # Rows are frozen: what the shells said meanwhile stands in newer ones.
        plugins = tuple(pipeline.find(plugin.key) or plugin for plugin in plugins)
    return [plugin_json(plugin) for plugin in plugins]
