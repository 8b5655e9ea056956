"""What a source ships, what installing it would change, and what is installed: as JSON, for every face."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from loader.checking.checked import CheckedFile
from loader.nouns import Json, Plugin
from loader.packages.development import DevelopmentSource
from loader.packages.grants import NOTHING, Grants, grown
from loader.packages.planning import Plan
from loader.packages.record import NO_CONSENT, Record, grants_json
from loader.packages.selecting import parts_there
from loader.packages.sources import GitSource
from loader.packages.standings import Standing, origin_of
from loader.packages.tree import TreeChanges, compare
from loader.packages.walled import Walled
from loader.reports import shape

if TYPE_CHECKING:
    from loader.packages.looked import Looked
    from loader.packages.probe import Probe


DIFF_LINES = 200


@dataclass(frozen=True, slots=True)
class Change:
    """From what stands there to what would stand there. ``old`` is the check of the present plugin.js, ``new`` that of
    the other one; None where there is none. ``versions`` are the two that the manifests say, None where they say none
    or the same."""

    files: TreeChanges
    grown: Grants
    old: CheckedFile | None
    new: CheckedFile | None
    entry: str
    versions: tuple[str, str] | None = None

    @property
    def appearing(self) -> tuple[str, ...]:
        """Contributions that the present one does not have: area and id, sorted."""
        return tuple(sorted(_contributions(self.new) - _contributions(self.old)))

    @property
    def vanishing(self) -> tuple[str, ...]:
        return tuple(sorted(_contributions(self.old) - _contributions(self.new)))

    @property
    def is_older(self) -> bool:
        """Whether the new version is the smaller number: what was mended since would be broken again."""
        return self.versions is not None and _numbers(self.versions[1]) < _numbers(self.versions[0])

    @property
    def code(self) -> tuple[str, ...]:
        """The lines of a unified diff of plugin.js."""
        from loader.reports.diff import unified_diff  # no start has a use for it

        texts = [file.text if file is not None else None for file in (self.old, self.new)]
        if texts == [None, None]:
            return ()
        return tuple(unified_diff(self.entry, texts[0] or "", texts[1] or "").splitlines())


def change_of(probe: Probe, plan: Plan, old: CheckedFile | None) -> Change:
    before = plan.current.requested if plan.current is not None else NOTHING
    files = compare(plan.before, probe.arrived.files)
    versions = _versions(plan.current, probe)
    return Change(files, grown(before, probe.requested), old, probe.checked, plan.entry, versions)


def _versions(current: Record | None, probe: Probe) -> tuple[str, str] | None:
    manifest = probe.contents.manifest
    if current is None or manifest is None or current.version == manifest.version:
        return None
    return current.version, manifest.version


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("-")[0].partition("+")[0])[:3])


def _contributions(file: CheckedFile | None) -> set[str]:
    return set() if file is None else {f"{found.area} {found.scoped_id}" for found in file.contributions}


# ---------------------------------------------------------------- JSON


def probe_json(probe: Probe, plan: Plan | None, change: Change | None, *, installed: bool) -> dict[str, Json]:
    """``plan`` is None for what cannot be installed by this version; ``change`` where nothing stands there yet."""
    from loader.reports.rehearsal import rehearsal_json  # with it comes what draws on terminals

    arrived, contents, source = probe.arrived, probe.contents, probe.arrived.source
    manifest = contents.manifest
    return {
        "id": probe.id,
        "kind": contents.kind,
        "name": manifest.name if manifest else None,
        "version": manifest.version if manifest else None,
        "source": source.said,
        "revision": arrived.revision,
        "warning": source.warning if isinstance(source, GitSource | DevelopmentSource) else None,
        "served_from": source.url if isinstance(source, DevelopmentSource) else None,
        "files": len(arrived.files),
        "size_bytes": arrived.size_bytes,
        "left_out": [*arrived.left_out],
        "parts": {
            "desktop": contents.entry,
            "agent": contents.agent,
            "backend": contents.backend,
            "skills": [*contents.skills],
            "manifest": manifest.file if manifest else None,
        },
        "requested": grants_json(probe.requested),
        "problems": [str(problem) for problem in contents.problems],
        "check": rehearsal_json(probe.checked) if probe.checked is not None else None,
        "folder": str(plan.folder) if plan is not None else None,
        "replaces": plan.replaces if plan is not None else False,
        "change": _change_json(change) if change is not None else None,
        "already_enabled": [*plan.enabled] if plan is not None else [],
        "installable": plan is not None and not probe.stops and not contents.problems,
        "installed": installed,
    }


def looked_json(looked: Looked, *, installed: bool = False) -> dict[str, Json]:
    """A probe with the digest of its bytes, and what saying yes would keep and end."""
    probe, plan = looked.probe, looked.plan
    change = change_of(probe, plan, looked.old) if plan is not None and plan.replaces else None
    return probe_json(probe, plan, change, installed=installed) | {
        "digest": looked.digest,
        "choices": [*parts_there(probe), *probe.without],
        "without": [*probe.without],
        "keeps": grants_json(looked.keeps),
        "loses_trust": looked.loses_trust,
        "obstacle": str(looked.obstacle) if looked.obstacle is not None else None,
    }


def _change_json(change: Change) -> dict[str, Json]:
    return {
        "files": changes_json(change.files),
        "contributions": {"added": [*change.appearing], "removed": [*change.vanishing]},
        "requests_more": grants_json(change.grown),
        "versions": None
        if change.versions is None
        else {"before": change.versions[0], "after": change.versions[1], "older": change.is_older},
        "code": [*change.code[:DIFF_LINES]],
        "code_more": max(len(change.code) - DIFF_LINES, 0),
    }


def changes_json(changes: TreeChanges) -> dict[str, Json]:
    return {"added": [*changes.added], "removed": [*changes.removed], "changed": [*changes.changed]}


def origin_json(record: Record) -> dict[str, Json]:
    """Where an installed package came from."""
    return shape.origin_json(origin_of(record, NO_CONSENT))


def package_json(standing: Standing, walled: Walled | None, row: Plugin | None) -> dict[str, Json]:
    """One installed package. ``state`` is the inventory's word about its desktop half, null without one."""
    on = walled.enabled if walled is not None else row is not None and row.enabled
    return {
        "id": standing.id,
        "kind": standing.kind,
        "name": walled.name if walled is not None else standing.name,
        "version": standing.origin.version,
        "folder": str(standing.folder),
        "page": standing.page,
        "requested": grants_json(standing.requested),
        "approved": grants_json(standing.granted),
        "lacks": [*sorted(standing.requested.apis - standing.granted.apis)],
        "enabled": on,
        "walled": walled is not None,
        "trusted": standing.consent.trusted,
        "changing": standing.changing,
        "state": row.state if row is not None else None,
        "revision": standing.revision,
        "origin": shape.origin_json(standing.origin),
        "tab": tab_path(walled, row) if walled is not None else None,
    }


def tab_path(walled: Walled, row: Plugin | None) -> str:
    """Where the page shows it: an app in a view of its own, a plugin.js where any plugin is run."""
    if walled.kind == "desktop" and row is not None:
        return f"/#/plugins/{quote(row.key, safe='')}/run"
    return f"/#/app/{quote(walled.id, safe='')}"
