"""Inventory rows as people read them: a table for many, a page for one. Works on rows in their JSON shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rich.table import Table
from rich.text import Text

from loader.reports.safe import visible

Row: TypeAlias = Mapping[str, Any]

STATE_STYLES = {"ready": "green", "disabled": "dim", "failed": "bold red", "shadowed": "yellow"}
REVISION_LETTERS = 12


def rows_table(rows: Iterable[Row], apps: Iterable[Row] = (), *, with_origin: bool = False) -> Table:
    """One line for each row, in their order, then one for each web app."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("ID", "STATE", "DOOR", "REVISION"):
        table.add_column(title, no_wrap=True)
    table.add_column("NOTES", overflow="fold")
    if with_origin:
        table.add_column("ORIGIN", overflow="fold")
    for row in rows:
        state = str(row["state"])
        table.add_row(
            Text(visible(row["id"])),
            Text(state, STATE_STYLES.get(state, "")),
            Text(str(row["door"])),
            Text(_short(row["revision"])),
            Text(notes(row)),
            *((Text(_origin(row["origin"])),) if with_origin else ()),
        )
    for app in apps:
        state = "ready" if app["enabled"] else "disabled"
        table.add_row(
            Text(visible(app["id"])),
            Text(state, STATE_STYLES[state]),
            Text("web-app"),
            Text(_short(app["revision"])),
            Text(_app_notes(app)),
            *((Text(_origin(app["origin"])),) if with_origin else ()),
        )
    return table


def _app_notes(app: Row) -> str:
    return f"lacks {', '.join(app['lacks'])}" if app["lacks"] else ""


def _origin(origin: Mapping[str, Any] | None) -> str:
    """Where it came from; of what was made here an empty text."""
    if origin is None:
        return ""
    inside = f"#{origin['subdir']}" if origin["subdir"] else ""
    at = f" at {_short(origin['revision'])}" if origin["revision"] else ""
    return visible(f"{origin['source']}{inside}{at}")


def notes(row: Row) -> str:
    """What a person should know of a row beside its state; short, on one line."""
    said = [] if row["folder"] == row["id"] else [f"in {visible(row['folder'])}"]
    if row["diagnostics"]:
        said.append(counted(row["diagnostics"]))
    running = row["running_revision"]
    if running and running != row["revision"]:
        said.append(f"{_short(running)} keeps running")
    if row["state"] == "disabled":
        said.append(f"off ({row['choice_from']})")
    if row.get("walled"):
        said.append("walled")
    if row["pinned"]:
        said.append("pinned")
    said += [f"{visible(shell['shell'])}: {shell['state']}" for shell in row["shells"]]
    return ", ".join(said)


def named(row: Row) -> str:
    """Its id, and where it lies if that says another name: several may go by one id."""
    where = "" if row["folder"] == row["id"] else f" (in {visible(row['folder'])})"
    return f"{visible(row['id'])}{where}"


def counted(findings: Sequence[Mapping[str, Any]]) -> str:
    """``1 error, 2 warnings``; of no findings an empty text."""
    counts = []
    for severity in ("error", "warning", "info"):
        count = sum(finding["severity"] == severity for finding in findings)
        if count:
            counts.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(counts)


def finding_lines(row: Row) -> list[str]:
    """Each finding of a row with its hint, for a reader who has not the file before them."""
    lines = []
    for finding in row["diagnostics"]:
        place = f":{finding['line']}:{finding['column']}" if finding["line"] else ""
        path = visible(row["path"])
        lines.append(f"{path}{place}: {finding['severity']} {finding['code']} {visible(finding['message'])}")
        if finding["hint"]:
            lines.append(f"  hint: {visible(finding['hint'])}")
    return lines


def row_page(row: Row) -> list[str]:
    """All of one row, a line for each fact."""
    facts: list[tuple[str, str]] = [
        ("name", visible(row["name"])),
        ("description", visible(row["description"] or "")),
        ("key", visible(row["key"])),
        ("path", visible(row["path"])),
        ("copied to", visible(row["copied_to"] or "")),
        ("state", str(row["state"])),
        ("switch", _switch(row)),
        ("revision", str(row["revision"]) or "none: it could not be read"),
        ("running", str(row["running_revision"] or "")),
        ("from", _origin(row["origin"])),
        ("runs", "behind the wall" if row["walled"] else ""),
        ("integrity", f"{row['integrity']}{' (pinned)' if row['pinned'] else ''}"),
        ("size", f"{row['size_bytes']} bytes"),
        ("checked in", f"{row['checked_in_ms']:.0f} ms"),
        ("loaded at", str(row["loaded_at"] or "")),
    ]
    facts += [("shell", _shell(shell)) for shell in row["shells"]]
    facts += [("contributes", _contribution(found)) for found in row["contributions"]]
    wide = max(len(name) for name, _ in facts)
    page = [visible(row["id"])]
    page += [f"  {name:<{wide}}  {value}" for name, value in facts if value]
    return [*page, *finding_lines(row)]


def _switch(row: Row) -> str:
    return f"{'on' if row['enabled'] else 'off'} ({row['choice_from']})"


def _shell(shell: Mapping[str, Any]) -> str:
    error = f": {visible(shell['error'], limit=500)}" if shell["error"] else ""
    return f"{visible(shell['shell'])} {visible(shell['version'])}: {shell['state']}{error}"


def _contribution(found: Mapping[str, Any]) -> str:
    title = f" \N{EM DASH} {visible(found['title'])}" if found["title"] else ""
    return f"{visible(found['area'])} {visible(found['scoped_id'])}{title}"


def _short(revision: object) -> str:
    return str(revision or "-")[:REVISION_LETTERS]
