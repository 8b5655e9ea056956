"""What happens in the service, as lines for people and as JSON lines for programs. Pure.

No token and no capability goes out here: an event is rebuilt from the fields that are named below, so that a field
that is added tomorrow is not printed by accident.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from loader.reports.safe import visible

Params = Mapping[str, Any]

# What of each event is printed. `module_url` and `plugin_token` open things: they stand in no list.
_FIELDS: dict[str, tuple[str, ...]] = {
    "hello": ("seq", "version", "root", "home", "instance", "resumed"),
    "plugin/load": ("seq", "row", "reason", "imports"),
    "plugin/unload": ("seq", "id", "revision", "reason"),
    "plugin/failed": ("seq", "row", "running_revision"),
    "plugin/changed": ("seq", "row", "removed"),
    "policy/actions": ("seq", "actions"),
    "pet/lines": ("seq", "lines"),
    "wall/changed": ("seq", "id", "app"),
    "packages/requests": ("seq", "waiting"),
    "log": ("seq", "level", "plugin", "text"),
}

# What a backend says to its own windows is its own affair: the payload is not printed.
_PUSHED = ("seq", "plugin", "event")


def event_json(method: str, params: Params) -> str:
    """One line of JSON, ``{"event", …}``; of an unknown event only its name and number."""
    fields = _FIELDS.get(method, _PUSHED if method.startswith("plugin.") else ("seq",))
    shown = {"event": method} | {name: params[name] for name in fields if name in params}
    return json.dumps(shown, ensure_ascii=True, separators=(",", ":"))


def event_line(method: str, params: Params) -> str:
    """One line for a person."""
    seq = params.get("seq", "")
    return f"{seq:>6}  {visible(method):<14}  {_said(method, params)}"


def _said(method: str, params: Params) -> str:
    match method:
        case "hello":
            again = "resumed" if params.get("resumed") else f"plugins: {len(params.get('plugins') or ())}"
            return f"{visible(str(params.get('root')))} ({again})"
        case "plugin/load":
            return f"{_row(params)} {_short(params['row'].get('revision'))} ({params.get('reason')})"
        case "plugin/unload":
            return f"{visible(str(params.get('id')))} {_short(params.get('revision'))} ({params.get('reason')})"
        case "plugin/failed":
            return f"{_row(params)}: {_first_error(params['row'])}{_keeps(params.get('running_revision'))}"
        case "plugin/changed":
            return f"{_row(params)} {'is gone' if params.get('removed') else 'is ' + str(params['row'].get('state'))}"
        case "policy/actions":
            return f"{len(params.get('actions') or ())} in the table"
        case "pet/lines":
            return "; ".join(_pet_line(line) for line in params.get("lines") or ()) or "nothing to say"
        case "wall/changed":
            app = params.get("app")
            said = "is gone" if app is None else f"is {'on' if app.get('enabled') else 'off'}"
            return f"{visible(str(params.get('id')))} {said}"
        case "packages/requests":
            return f"{params.get('waiting')} wait for a person"
        case "log":
            return f"{params.get('level')}: {visible(str(params.get('text')), limit=1000)}"
        case _:
            return ""


def _row(params: Params) -> str:
    return visible(str(params["row"].get("id")))


def _short(revision: object) -> str:
    return str(revision)[:12]


def _keeps(revision: object) -> str:
    return f" ({_short(revision)} keeps running)" if revision else ""


def _first_error(row: Params) -> str:
    for finding in row.get("diagnostics") or ():
        if finding.get("severity") == "error":
            place = f"{finding['line']}:{finding['column']} " if finding.get("line") else ""
            return f"{place}{finding.get('code')} {visible(str(finding.get('message')))}"
    return "it has an error"


def _pet_line(line: Params) -> str:
    return f"{visible(str(line.get('label')))}: {visible(str(line.get('text')))}"
