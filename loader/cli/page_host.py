"""A Hermes dashboard as a target of `page check`: its catalogue, and every plugin's manifest and pages.

The phone shows none of these faults: a plugin whose manifest it cannot read is not in its list.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

from loader.cli.console import remark
from loader.cli.page_targets import CheckedPage, PageWish, checked_text
from loader.errors import LoaderError, UsageError
from loader.pages.fetching import ask_host, host_client
from loader.pages.host import (
    CATALOG_PATH,
    MANIFEST_PATH,
    PAGE_TIMEOUT_S,
    PROBE_TIMEOUT_S,
    page_path,
    read_catalog,
    read_manifest,
)
from loader.pages.paths import PathFault, scoped_path
from loader.reports.safe import visible

TOKEN_VARIABLE = "HERMES_DASHBOARD_TOKEN"  # noqa: S105 - the name of a variable


def host_pages(address: str) -> Iterator[CheckedPage]:
    """Everything that the dashboard's plugins offer, checked. Raises LoaderError when there is no catalogue."""
    if urlsplit(address).hostname is None:
        raise UsageError(f"{address!r} names no host.")

    async def all_of_them() -> list[CheckedPage]:
        return [page async for page in _pages(address.rstrip("/"))]

    yield from asyncio.run(all_of_them())


async def _pages(address: str) -> AsyncIterator[CheckedPage]:
    token = os.environ.get(TOKEN_VARIABLE)
    async with host_client(address, token) as http:
        fetched = await ask_host(http, "GET", CATALOG_PATH, timeout_s=PAGE_TIMEOUT_S)
        try:
            found = read_catalog(json.loads(fetched.text)) if fetched.failure is None else fetched.failure
        except (ValueError, RecursionError):
            found = "the catalogue is no JSON"
        if isinstance(found, str):
            raise LoaderError(f"{address}{CATALOG_PATH}: {found}.")
        entries, faults = found
        for fault in faults:
            remark(visible(f"{fault.name or '(no name)'}: {fault.why}", limit=300))
        for entry in entries:
            path = scoped_path(entry.id, MANIFEST_PATH)
            if isinstance(path, PathFault):
                continue
            answer = await ask_host(http, "GET", path, timeout_s=PROBE_TIMEOUT_S)
            if answer.failure is not None:
                remark(visible(f"{entry.id}: no pages ({answer.failure})", limit=300))
                continue
            yield checked_text(f"{address}{path}", answer.text, PageWish("manifest", plugin=entry.id))
            surface = read_manifest(entry, answer)
            seen: set[str] = set()
            for contribution in surface.pages:
                where = page_path(surface, contribution.id)
                if isinstance(where, PathFault) or where in seen:
                    continue
                seen.add(where)
                shared = tuple(one.id for one in surface.pages if page_path(surface, one.id) == where)
                document = await ask_host(http, "GET", where, timeout_s=PAGE_TIMEOUT_S)
                if document.failure is not None:
                    remark(visible(f"{entry.id}: {where} cannot be read ({document.failure})", limit=300))
                    continue
                yield checked_text(f"{address}{where}", document.text, PageWish("document", shared))
