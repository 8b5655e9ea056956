import json
import math
from typing import Any

from loader.nouns import Contribution, Diagnostic, Plugin, ShellReport, Span
from loader.reports.shape import contribution_json, diagnostic_json, plugin_json

ROW_FIELDS = [
    *("key", "id", "exported_id", "name", "description", "door", "folder", "path", "copied_to", "enabled", "choice"),
    *("choice_from", "default_enabled", "state", "revision", "running_revision", "integrity", "pinned", "size_bytes"),
    *("diagnostics", "contributions", "backend", "shells", "checked_in_ms", "loaded_at", "origin", "walled"),
]


def a_plugin(**changes: object) -> Plugin:
    fields: dict[str, object] = {
        "key": "standalone:demo",
        "id": "demo",
        "exported_id": "demo",
        "name": "Demo",
        "description": None,
        "door": "standalone",
        "folder": "demo",
        "path": "/home/u/.hermes/desktop-plugins/demo/plugin.js",
        "copied_to": None,
        "enabled": True,
        "choice": None,
        "choice_from": "plugin",
        "default_enabled": True,
        "state": "ready",
        "revision": "ab" * 32,
        "running_revision": "ab" * 32,
        "integrity": "sha256-x",
        "pinned": False,
        "size_bytes": 12,
        **changes,
    }
    return Plugin(**fields)  # type: ignore[arg-type]


def test_a_row_has_the_fields_of_the_protocol_in_their_order() -> None:
    assert list(plugin_json(a_plugin())) == ROW_FIELDS


def test_a_finding_without_a_place_has_null_places() -> None:
    shown = diagnostic_json(Diagnostic("HP002", "file-too-large", "error", "too large"))
    assert (shown["line"], shown["end_column"], shown["hint"]) == (None, None, None)
    assert shown["url"] == "docs/rules/HP002.md"


def test_a_finding_with_a_place_says_where_it_begins_and_ends() -> None:
    shown = diagnostic_json(Diagnostic("HP101", "syntax-error", "error", "no", span=Span(2, 3, 4, 5), hint="mend it"))
    assert [shown[name] for name in ("line", "column", "end_line", "end_column", "hint")] == [2, 3, 4, 5, "mend it"]


def test_a_row_stays_json_whatever_a_plugin_puts_into_its_payload() -> None:
    payload: dict[str, Any] = {"width": math.nan, "deep": {"list": (1, "two")}}
    odd = Contribution("panes", "p", "demo:p", order=math.inf, payload=payload)
    row = plugin_json(a_plugin(contributions=(odd,), shells=(ShellReport("s1", "1.2", "failed", "boom"),)))
    shown = json.loads(json.dumps(row, allow_nan=False))
    assert shown["contributions"][0]["payload"] == {"width": None, "deep": {"list": [1, "two"]}}
    assert row["shells"] == [{"shell": "s1", "version": "1.2", "state": "failed", "error": "boom"}]


def test_markup_of_the_rehearsal_does_not_travel_with_every_row() -> None:
    assert "html" not in contribution_json(Contribution("panes", "p", "demo:p", html="<b>long</b>"))
