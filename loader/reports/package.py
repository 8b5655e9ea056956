"""What a source ships and what installing it would change: for a person before they say yes, for programs as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from rich.text import Text

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
from loader.reports.diff import unified_diff
from loader.reports.rehearsal import rehearsal_json, rehearsal_text
from loader.reports.safe import visible
from loader.reports.text import file_report

if TYPE_CHECKING:
    from loader.packages.looked import Looked
    from loader.packages.probe import Probe

_DIFF_LINES = 200
_NAMES_SHOWN = 40
# The path of a link that stands in place of a folder.
_ITSELF = "(a link to another place)"


@dataclass(frozen=True, slots=True)
class Change:
    """From what stands there to what would stand there. ``old`` is the check of the present plugin.js, ``new`` that of
    the other one; None where there is none."""

    files: TreeChanges
    grown: Grants
    old: CheckedFile | None
    new: CheckedFile | None

    @property
    def appearing(self) -> tuple[str, ...]:
        """Contributions that the present one does not have: area and id, sorted."""
        return tuple(sorted(_contributions(self.new) - _contributions(self.old)))

    @property
    def vanishing(self) -> tuple[str, ...]:
        return tuple(sorted(_contributions(self.old) - _contributions(self.new)))


def change_of(probe: Probe, plan: Plan, old: CheckedFile | None) -> Change:
    before = plan.current.requested if plan.current is not None else NOTHING
    return Change(compare(plan.before, probe.arrived.files), grown(before, probe.requested), old, probe.checked)


def _contributions(file: CheckedFile | None) -> set[str]:
    return set() if file is None else {f"{found.area} {found.scoped_id}" for found in file.contributions}


# ---------------------------------------------------------------- JSON


def probe_json(probe: Probe, plan: Plan | None, change: Change | None, *, installed: bool) -> dict[str, Json]:
    """``plan`` is None for what cannot be installed by this version; ``change`` where nothing stands there yet."""
    arrived, contents, source = probe.arrived, probe.contents, probe.arrived.source
    manifest = contents.manifest
    return {
        "id": probe.id,
        "kind": contents.kind,
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


# ---------------------------------------------------------------- text


def probe_text(probe: Probe, plan: Plan | None, *, width: int) -> Text:
    """What it is, what it ships, what it does when it is played through, and what stands against it."""
    arrived, contents, source = probe.arrived, probe.contents, probe.arrived.source
    text = Text()
    manifest = contents.manifest
    named = f" ({visible(manifest.name)}, version {visible(manifest.version)})" if manifest else ""
    text.append(visible(probe.id), "bold").append(f"{named}: a {_KINDS[contents.kind]}\n")
    _line(text, "from", source.said + (f" at {arrived.revision[:12]}" if arrived.revision else ""))
    if isinstance(source, GitSource | DevelopmentSource) and source.warning:
        _line(text, "note", source.warning, "yellow" if isinstance(source, GitSource) else "bold yellow")
    _line(text, "ships", ", ".join(contents.parts))
    if contents.skills:
        _line(text, "skills", _listed(contents.skills))
    if isinstance(source, DevelopmentSource):
        _line(text, "size", f"its manifest, {_size(arrived.size_bytes)}; its pages stay where they are served")
    else:
        _line(text, "size", f"{_files(len(arrived.files))}, {_size(arrived.size_bytes)}")
    if arrived.left_out:
        _line(text, "left out", _listed(arrived.left_out))
    if probe.without:
        _line(text, "without", ", ".join(probe.without))
    if probe.requested:
        _line(text, "asks for", grants_text(probe.requested))
    if plan is not None:
        _line(text, "goes to", str(plan.folder))
    if plan is not None and plan.enabled:
        _line(
            text, "note", f"config.yaml has {', '.join(plan.enabled)} enabled already: its Python half WILL RUN", "red"
        )
    if isinstance(source, DevelopmentSource):
        _line(text, "note", "it comes off, and is granted no more than you approve")
    elif contents.kind == "web-app" or contents.entry is not None:
        _line(text, "note", _BEHIND_THE_WALL)
    if (plan is None or not plan.enabled) and (contents.agent is not None or contents.backend):
        _line(
            text, "note", "its Python half runs with your rights once you turn it on; it was not looked into", "yellow"
        )
    for problem in contents.problems:
        _line(text, "wrong", str(problem), "bold red")
    if probe.checked is not None:
        text.append("\n").append_text(rehearsal_text(probe.checked))
        text.append_text(file_report(probe.checked, width=width))
    return text


def change_text(change: Change, plan: Plan, looked: Looked | None = None) -> Text:
    """What replacing would change: files, contributions, requests, and the code of plugin.js."""
    text = Text()
    said = "what was installed there" if plan.current is not None else "what somebody put there by hand"
    text.append(f"It replaces {said}:\n", "bold" if plan.current is not None else "bold yellow")
    for sign, style, paths in (
        ("+", "green", change.files.added),
        ("-", "red", change.files.removed),
        ("~", "yellow", change.files.changed),
    ):
        for path in paths[:_NAMES_SHOWN]:
            text.append(f"  {sign} {visible(path) or _ITSELF}\n", style)
        if len(paths) > _NAMES_SHOWN:
            text.append(f"  {sign} … {len(paths) - _NAMES_SHOWN} more\n", style)
    if not change.files:
        text.append("  the same files\n")
    for name in change.appearing:
        text.append(f"  + contributes {visible(name)}\n", "green")
    for name in change.vanishing:
        text.append(f"  - contributes {visible(name)} no more\n", "red")
    if change.grown:
        text.append(f"  + asks for more: {visible(grants_text(change.grown))}\n", "bold yellow")
    if looked is not None and looked.keeps:
        text.append(f"  = stays approved: {visible(grants_text(looked.keeps))}\n")
    if looked is not None and looked.loses_trust:
        text.append("  - it comes from another place, so your trust in it ends\n", "bold yellow")
    text.append_text(_code(change, plan))
    return text


def _code(change: Change, plan: Plan) -> Text:
    old = change.old.text if change.old is not None else None
    new = change.new.text if change.new is not None else None
    text = Text()
    lines = unified_diff(plan.entry, old or "", new or "").splitlines() if old is not None or new is not None else []
    for line in lines[:_DIFF_LINES]:
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
        text.append(f"  {visible(line)}\n", style)
    if len(lines) > _DIFF_LINES:
        text.append(f"  … {len(lines) - _DIFF_LINES} more lines\n", "dim")
    return text


def differences_text(record: Record, folder: Path, changes: TreeChanges) -> Text:
    """What `verify` found of one package."""
    text = Text()
    text.append(visible(record.id), "bold")
    if record.url is not None and not changes:
        text.append(": its manifest is as you said yes to it; ")
        return text.append(f"what {visible(record.url)} serves can be verified by nobody\n", "yellow")
    if not changes:
        return text.append(f": {_files(len(record.files))} as installed\n")
    text.append(f": {visible(str(folder))} is not as it was installed\n", "red")
    words = (("missing", changes.removed), ("changed", changes.changed), ("added", changes.added))
    for said, paths in words:
        for path in paths:
            text.append(f"  {said}  {visible(path) or _ITSELF}\n")
    return text


_BEHIND_THE_WALL = "it comes off, and runs behind the wall, with no more than you approve"
_KINDS = {"standalone": "desktop plugin", "package": "package", "web-app": "web app"}


def _line(text: Text, title: str, said: str, style: str = "") -> None:
    text.append(f"  {title:<9} ", "dim").append(f"{visible(said)}\n", style)


def _listed(names: Iterable[str]) -> str:
    shown = [*names]
    more = f" and {len(shown) - _NAMES_SHOWN} more" if len(shown) > _NAMES_SHOWN else ""
    return ", ".join(shown[:_NAMES_SHOWN]) + more


def grants_text(grants: Grants) -> str:
    """``the namespaces storage; tools that are read-only``."""
    parts = []
    if grants.apis:
        parts.append(f"the namespaces {', '.join(sorted(grants.apis))}")
    if grants.capabilities:
        parts.append(f"tools that are {', '.join(sorted(grants.capabilities))}")
    return "; ".join(parts)


def _files(count: int) -> str:
    return f"{count} file{'s' if count != 1 else ''}"


def _size(size_bytes: int) -> str:
    return f"{size_bytes} bytes" if size_bytes < 10_000 else f"{size_bytes / 1_048_576:.1f} MiB"
