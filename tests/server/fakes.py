"""A pipeline that is moved by hand, and an app around it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Literal

from loader.errors import UsageError
from loader.inventory.history import Revision
from loader.inventory.subject import Subject
from loader.nouns import (
    Diagnostic,
    Event,
    ImportRef,
    LoadReason,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginUnloaded,
    Running,
    ShellReport,
    Source,
    Span,
    UnloadReason,
)
from loader.server.announcer import About, Announcer
from loader.server.app import MakePolicy, MakeShelf, make_parts, no_policy, no_shelf
from loader.server.hub import Hub
from loader.server.parts import Parts
from loader.server.sessions import Credentials

TOKEN = "endpoint-token"
ABOUT = About("0.1.0", "/root", "/root", "i1")
# Enough for tests: single-line imports, places counted in UTF-16 units.
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*(?P<literal>(?P<quote>['"])(?P<name>[^'"\n]+)(?P=quote))""")


def source_of(text: str, *, bom: bool = False) -> Source:
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    return Source(data, text, sha256(data).hexdigest(), had_bom=bom)


def imports_of(text: str) -> tuple[ImportRef, ...]:
    def units(end: int) -> int:
        return len(text[:end].encode("utf-16-le")) // 2

    return tuple(
        ImportRef(m["name"], "static", units(m.start("literal")), units(m.end("literal")), Span(1, 1, 1, 1))
        for m in IMPORT.finditer(text)
    )


class FakePipeline:
    """Fits ``PipelinePort``. ``save``, ``fail`` and ``remove`` do what a file on disk would have caused."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self.emit = emit
        self.rows: dict[str, Plugin] = {}
        self.live: dict[str, Running] = {}
        self.subjects: dict[str, Subject] = {}
        self.revisions: dict[str, tuple[Revision, ...]] = {}
        self.asked: list[tuple[Any, ...]] = []
        self.on_reload: Callable[[], None] = lambda: None

    # ------------------------------------------------------------ what happens on disk

    def save(self, plugin_id: str, text: str = "export default {}", *, bom: bool = False, name: str = "") -> Running:
        """A passing file: unload and load if it ran already, else a load."""
        key, source = f"standalone:{plugin_id}", source_of(text, bom=bom)
        reason: LoadReason = "changed" if plugin_id in self.live else "new"
        if plugin_id in self.live:
            self.stop(plugin_id, "changed")
        running = self.live[plugin_id] = Running(plugin_id, key, source.sha256, source, imports_of(text))
        row = self.rows[key] = self._row(plugin_id, source, running.revision, name=name)
        self.emit(PluginLoaded(row, running, reason))
        return running

    def fail(self, plugin_id: str, message: str = "broken") -> None:
        """A file that does not pass; what runs keeps running."""
        key, source = f"standalone:{plugin_id}", source_of(message)
        running = self.live.get(plugin_id)
        revision = running.revision if running else None
        findings = (Diagnostic("HP101", "syntax-error", "error", message, span=Span(1, 1, 1, 2)),)
        row = self._row(plugin_id, source, revision, state="failed", diagnostics=findings)
        self.rows[key] = row
        self.emit(PluginFailed(row, revision))

    def stop(self, plugin_id: str, reason: UnloadReason = "disabled") -> None:
        running = self.live.pop(plugin_id)
        self.emit(PluginUnloaded(plugin_id, running.revision, reason))

    def remove(self, plugin_id: str) -> None:
        row = self.rows.pop(f"standalone:{plugin_id}")
        if plugin_id in self.live:
            self.stop(plugin_id, "removed")
        self.emit(PluginChanged(row, removed=True))

    def _row(self, plugin_id: str, source: Source, running: str | None, **changes: Any) -> Plugin:
        row = Plugin(
            key=f"standalone:{plugin_id}",
            id=plugin_id,
            exported_id=plugin_id,
            name=changes.pop("name", "") or plugin_id.title(),
            description=None,
            door="standalone",
            folder=plugin_id,
            path=f"/root/desktop-plugins/{plugin_id}/plugin.js",
            copied_to=None,
            enabled=True,
            choice=None,
            choice_from="plugin",
            default_enabled=True,
            state="ready",
            revision=source.sha256,
            running_revision=running,
            integrity="sha256-x",
            pinned=False,
            size_bytes=source.size_bytes,
        )
        return replace(row, **changes)

    # ------------------------------------------------------------ the port

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def wait_ready(self, timeout_s: float, /) -> bool:
        return True

    def plugins(self) -> tuple[Plugin, ...]:
        return tuple(self.rows[key] for key in sorted(self.rows))

    def find(self, id_or_key: str, /) -> Plugin | None:
        return self.rows.get(id_or_key) or self.rows.get(f"standalone:{id_or_key}")

    async def find_fresh(self, id_or_key: str, /) -> Plugin | None:
        return self.find(id_or_key)

    def running(self, plugin_id: str, /) -> Running | None:
        return self.live.get(plugin_id)

    def source_of(self, key: str, /) -> Source | None:
        row = self.rows.get(key)
        running = self.live.get(row.id) if row else None
        return running.source if running else None

    def subject(self, key: str, /) -> Subject | None:
        return self.subjects.get(key)

    def history(self, key: str, /) -> tuple[Revision, ...]:
        return self.revisions.get(key, ())

    async def refresh(self) -> None:
        self.asked.append(("refresh",))

    async def reload(self, ids: Sequence[str] | None = None, /) -> tuple[Plugin, ...]:
        self.asked.append(("reload", ids))
        self.on_reload()
        for name in ids or ():
            if self.find(name) is None:
                raise UsageError(f"no plugin goes by {name!r}")
        return self.plugins() if ids is None else tuple(row for row in map(self.find, ids) if row)

    def _change(self, id_or_key: str, **changes: Any) -> Plugin:
        found = self.find(id_or_key)
        assert found is not None
        row = self.rows[found.key] = replace(found, **changes)
        self.emit(PluginChanged(row))
        return row

    async def set_choice(self, plugin_id: str, enabled: bool | None, /) -> Plugin:
        return self._change(plugin_id, choice=enabled, enabled=enabled is not False, choice_from="ours")

    async def set_pin(self, plugin_id: str, integrity: str | None, /) -> Plugin:
        if integrity is not None and not integrity.startswith("sha256-"):
            raise UsageError("HP011: not an integrity value")
        return self._change(plugin_id, pinned=True)

    async def unpin(self, plugin_id: str, /) -> Plugin:
        return self._change(plugin_id, pinned=False)

    async def allow_heavy(self, plugin_id: str, allowed: bool, /) -> Plugin:
        row = self._change(plugin_id)
        self.asked.append(("allow_heavy", row.id, allowed))
        return row

    def shell_mounted(
        self,
        shell: str,
        version: str,
        exports: Mapping[str, tuple[str, ...]] | None,
        bundled: tuple[str, ...],
        /,
    ) -> None:
        self.asked.append(("mounted", shell, version, exports, bundled))

    def shell_gone(self, shell: str, /) -> None:
        self.asked.append(("gone", shell))

    def report(
        self,
        shell: str,
        plugin_id: str,
        revision: str,
        outcome: Literal["loaded", "failed"],
        error: str | None,
        phase: Literal["import", "register", "render"],
        /,
    ) -> None:
        self.asked.append(("report", shell, plugin_id, revision, outcome, error, phase))
        self._change(plugin_id, shells=(ShellReport(shell, "1", outcome, error),))

    def note_backend(self, key: str, backend: Mapping[str, Any] | None, /) -> None:
        self.asked.append(("backend", key, backend))

    async def wait_shells(self, ids: Sequence[str] | None, wait_s: float, /) -> None:
        self.asked.append(("wait", ids, wait_s))


def make(
    *,
    make_policy: MakePolicy = no_policy,
    make_hub: Callable[[Announcer], Hub] = Hub,
    shipped: Mapping[str, Sequence[str]] | None = None,
    credentials: Credentials | None = None,
    make_shelf: MakeShelf = no_shelf,
) -> tuple[Parts, FakePipeline]:
    """All parts around a fake pipeline; the endpoint's token is ``TOKEN``."""
    made: list[FakePipeline] = []

    def make_pipeline(emit: Callable[[Event], None]) -> FakePipeline:
        made.append(FakePipeline(emit))
        return made[0]

    parts = make_parts(
        ABOUT,
        credentials or Credentials(TOKEN),
        make_pipeline,
        make_policy,
        shipped_exports=lambda specifier: (shipped or {}).get(specifier, ()),
        make_hub=make_hub,
        make_shelf=make_shelf,
    )
    return parts, made[0]


async def settle(turns: int = 20) -> None:
    """Let everything run that waits for nothing but its turn."""
    for _ in range(turns):
        await asyncio.sleep(0)
