"""Why a plugin runs or does not: one link for each thing that must hold, from the home to the shell. Pure.

Works on rows as the service prints them, so that it explains a running service and a scan of our own alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from loader.reports.safe import visible

Row: TypeAlias = Mapping[str, Any]
"""An inventory row in its JSON shape (protocol.md, "The inventory row")."""

LinkName: TypeAlias = Literal["home", "folder", "file", "check", "choice", "service", "shell", "backend"]
LinkState: TypeAlias = Literal["holds", "breaks", "waits"]

# Findings about the bytes and the folder, before anything is parsed.
_FILE_CODES = ("HP00", "HP01")
_FOLDER_CODES = ("HP303", "HP304", "HP305")


@dataclass(frozen=True, slots=True)
class Link:
    """``breaks``: the plugin does not run because of this. ``waits``: not decided, or it needs something from outside.

    ``remedy`` is the next step, None where there is nothing to do.
    """

    name: LinkName
    state: LinkState
    says: str
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    key: str
    id: str
    links: tuple[Link, ...]

    @property
    def broken(self) -> Link | None:
        """The first link that breaks: the cause."""
        return next((link for link in self.links if link.state == "breaks"), None)

    @property
    def verdict(self) -> str:
        """One line for people."""
        if self.broken:
            return f"does not run: {self.broken.says}"
        waiting = next((link for link in self.links if link.state == "waits"), None)
        return f"does not run yet: {waiting.says}" if waiting else "runs"


def chain_of(row: Row, *, home: str, rule: str, service: str | None) -> Chain:
    """The chain of one row. ``service`` says which service told the row ("pid 12 at …"); None: none runs."""
    plugin_id = str(row["id"])
    return Chain(
        key=str(row["key"]),
        id=plugin_id,
        links=(
            Link("home", "holds", f"{visible(home)} ({visible(rule)})"),
            _folder(row),
            _file(row),
            _check(row),
            _choice(row),
            _service(row, service),
            _shell(row, service),
            *_backend(row),
        ),
    )


def _errors(row: Row) -> list[Mapping[str, Any]]:
    return [finding for finding in row["diagnostics"] if finding["severity"] == "error"]


def _told(finding: Mapping[str, Any]) -> str:
    place = f" at line {finding['line']}, column {finding['column']}" if finding["line"] else ""
    return f"{finding['code']}{place}: {visible(finding['message'])}"


def _first(findings: Sequence[Mapping[str, Any]], prefixes: tuple[str, ...]) -> Mapping[str, Any] | None:
    return next((finding for finding in findings if finding["code"].startswith(prefixes)), None)


def _folder(row: Row) -> Link:
    where = visible(row["path"])
    said = f"{row['door']} plugin in {where}"
    if row["copied_to"]:
        said += f"; the app's copy of it is {visible(row['copied_to'])}: edits there are lost"
    wrong = _first(_errors(row), _FOLDER_CODES)
    if wrong:
        return Link("folder", "breaks", _told(wrong), wrong["hint"])
    if row["state"] == "shadowed":
        return Link("folder", "breaks", f"another plugin owns the id {visible(row['id'])}", "rename one of the two")
    return Link("folder", "holds", said)


def _file(row: Row) -> Link:
    wrong = _first(_errors(row), _FILE_CODES)
    if wrong:
        return Link("file", "breaks", _told(wrong), wrong["hint"])
    said = f"{row['size_bytes']} bytes, revision {str(row['revision'])[:12]}"
    if row["pinned"]:
        said += f", pinned to {row['integrity']}"
    return Link("file", "holds", said)


def _check(row: Row) -> Link:
    errors = [finding for finding in _errors(row) if not finding["code"].startswith((*_FILE_CODES, *_FOLDER_CODES))]
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return Link(
            "check",
            "breaks",
            _told(errors[0]) + more,
            errors[0]["hint"] or f"hermes-desktop check {visible(row['path'])}",
        )
    if _errors(row):
        return Link("check", "waits", "not reached: see above")
    warnings = sum(finding["severity"] == "warning" for finding in row["diagnostics"])
    return Link(
        "check", "holds", f"passed with {warnings} warning{'s' if warnings != 1 else ''}" if warnings else "passed"
    )


_WHO = {
    "ours": "you chose so here",
    "app": "the app's own switch says so",
    "plugin": "the plugin's own default",
    "door": "packages are off until you turn them on",
}


def _choice(row: Row) -> Link:
    who = _WHO[row["choice_from"]]
    if row["enabled"]:
        return Link("choice", "holds", f"on: {who}")
    return Link("choice", "breaks", f"off: {who}", f"hermes-desktop enable {visible(row['id'])}")


def _service(row: Row, service: str | None) -> Link:
    if service is None:
        return Link("service", "waits", "no service is running for this home", "hermes-desktop serve")
    running = row["running_revision"]
    if running is None:
        return Link("service", "waits", f"{service}; it runs nothing of this plugin")
    if running != row["revision"]:
        return Link(
            "service", "waits", f"{service}; the last good revision {running[:12]} keeps running, not the file's"
        )
    return Link("service", "holds", f"{service}; runs revision {running[:12]}")


def _shell(row: Row, service: str | None) -> Link:
    if service is None:
        return Link("shell", "waits", "not known without a service")
    shells = row["shells"]
    failed = [shell for shell in shells if shell["state"] == "failed"]
    if failed:
        why = visible(failed[0]["error"] or "no reason given", limit=300)
        return Link("shell", "breaks", f"{visible(failed[0]['shell'])} could not load it: {why}")
    loaded = [visible(shell["shell"]) for shell in shells if shell["state"] == "loaded"]
    if loaded:
        return Link("shell", "holds", f"loaded in {', '.join(loaded)}")
    if shells:
        return Link("shell", "waits", f"{visible(shells[0]['shell'])} has not reported yet")
    return Link("shell", "waits", "no shell is connected", "start Hermes Desktop")


# Why a backend may not run, where that is a choice and no fault: the two halves have switches of their own.
_OFF = ("not-enabled", "disabled")


def _backend(row: Row) -> tuple[Link, ...]:
    """Of a package with a backend only. Its fault breaks the chain: the desktop half waits for what never answers."""
    backend = row.get("backend")
    if not backend:
        return ()
    state, detail = str(backend["state"]), visible(str(backend["detail"]), limit=300)
    name = visible(str(backend["name"]))
    if state in _OFF:
        return (Link("backend", "holds", f"off: {detail}"),)
    if state in ("idle", "starting"):
        return (Link("backend", "holds", f"on; {detail or 'starting'}"),)
    failure = backend.get("failure")
    if state == "running" and not failure:
        return (Link("backend", "holds", f"on; runs in process {backend['pid']} ({visible(str(backend['python']))})"),)
    remedy = f"hermes-desktop backend logs {name}" if failure else None
    if state == "running":
        return (Link("backend", "waits", detail, remedy),)
    return (Link("backend", "breaks", f"its backend does not run ({state}): {detail}", remedy),)
