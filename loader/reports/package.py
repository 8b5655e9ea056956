"""What a source ships and what installing it would change: for a person, before they say yes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from loader.packages.development import DevelopmentSource
from loader.packages.grants import Grants
from loader.packages.planning import Plan
from loader.packages.record import Record
from loader.packages.sources import GitSource
from loader.packages.tree import TreeChanges
from loader.reports.package_data import DIFF_LINES, Change
from loader.reports.rehearsal import rehearsal_text
from loader.reports.safe import visible
from loader.reports.text import file_report

if TYPE_CHECKING:
    from loader.packages.looked import Looked
    from loader.packages.probe import Probe

_NAMES_SHOWN = 40
# The path of a link that stands in place of a folder.
_ITSELF = "(a link to another place)"


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
    if change.versions is not None:
        older = ", which is older" if change.is_older else ""
        said = f"  version {visible(change.versions[0])} becomes {visible(change.versions[1])}{older}\n"
        text.append(said, "bold yellow" if older else "")
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
    lines = change.code
    for line in lines[:DIFF_LINES]:
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
        text.append(f"  {visible(line)}\n", style)
    if len(lines) > DIFF_LINES:
        text.append(f"  … {len(lines) - DIFF_LINES} more lines\n", "dim")
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
