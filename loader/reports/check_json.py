"""The check's answer for programs: the shape of diagnostics.md, published as ``check.schema.json`` beside this file.

Deterministic: the same files give the same bytes. Everything outside ASCII is escaped, so that the bytes mean the same
whatever the terminal's encoding, and no letter of a plugin can steer a terminal; the values stay verbatim.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from loader import __version__
from loader.checking.checked import CheckedFile, CheckRun
from loader.nouns import ImportRef
from loader.reports.shape import contributions_json, diagnostic_json

TOOL = "hermes-desktop"


def check_json(run: CheckRun) -> dict[str, Any]:
    return {
        "version": 1,
        "tool": {"name": TOOL, "version": __version__},
        "files": [_file_json(file) for file in run.files],
        "summary": {
            "files": len(run.files),
            "errors": run.count("error"),
            "warnings": run.count("warning"),
            "infos": run.count("info"),
        },
    }


def check_schema() -> dict[str, Any]:
    """The published JSON schema of ``check_json``."""
    text = resources.files("loader.reports").joinpath("check.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def json_text(value: object) -> str:
    """Any answer of the command line as JSON, two spaces deep, with a line feed at the end."""
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _file_json(file: CheckedFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "id": file.id,
        "exported_id": file.exported_id,
        "ok": file.ok,
        "revision": file.revision,
        "imports": [_import_json(found) for found in file.imports],
        "contributions": contributions_json(file.contributions),
        "diagnostics": [diagnostic_json(finding) for finding in file.diagnostics],
    }


def _import_json(found: ImportRef) -> dict[str, Any]:
    return {
        "specifier": found.specifier,
        "kind": found.kind,
        "line": found.span.line,
        "column": found.span.column,
        "start": found.start,
        "end": found.end,
    }
