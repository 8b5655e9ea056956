"""The inventory row as the OpenAPI document shows it; the row itself is made by ``reports.shape.plugin_json``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["error", "warning", "info"]


class DiagnosticRow(BaseModel):
    code: str = Field(examples=["HP201"])
    rule: str = Field(examples=["unsupported-import"])
    severity: Severity = Field(examples=["error"])
    message: str = Field(examples=["'lodash' cannot be imported"])
    line: int | None = Field(examples=[1])
    column: int | None = Field(description="UTF-16 units, from 1", examples=[20])
    end_line: int | None = Field(examples=[1])
    end_column: int | None = Field(examples=[28])
    hint: str | None = Field(examples=["bundle it into plugin.js"])
    url: str = Field(examples=["docs/rules/HP201.md"])


class ShellRow(BaseModel):
    shell: str = Field(examples=["shell-1"])
    version: str = Field(examples=["0.17.2"])
    state: Literal["pending", "loaded", "failed"] = Field(examples=["loaded"])
    error: str | None = Field(examples=[None])


class OriginRow(BaseModel):
    source: str = Field(description="without a password", examples=["https://github.com/ada/clock.git"])
    subdir: str = Field(examples=[""])
    revision: str | None = Field(description="a commit", examples=["3f1c…"])
    version: str = Field(examples=["1.4.0"])
    installed_at: str = Field(examples=["2026-11-30T09:12:00Z"])


class Row(BaseModel):
    """One plugin's place in the inventory."""

    model_config = ConfigDict(title="PluginRow")

    key: str = Field(description="unique", examples=["standalone:clock"])
    id: str = Field(examples=["clock"])
    exported_id: str | None = Field(examples=["clock"])
    name: str = Field(examples=["Clock"])
    description: str | None = Field(examples=["The time in the status bar"])
    door: Literal["standalone", "unified"] = Field(examples=["standalone"])
    folder: str = Field(examples=["clock"])
    path: str = Field(examples=["/home/ada/.hermes/desktop-plugins/clock/plugin.js"])
    copied_to: str | None = Field(examples=[None])
    enabled: bool = Field(description="the effective choice", examples=[True])
    choice: bool | None = Field(examples=[None])
    choice_from: Literal["ours", "app", "plugin", "door"] = Field(examples=["plugin"])
    default_enabled: bool = Field(examples=[True])
    state: Literal["ready", "disabled", "failed", "shadowed"] = Field(examples=["ready"])
    revision: str = Field(description="sha256 of the bytes on disk, hex", examples=["9f86d081…"])
    running_revision: str | None = Field(examples=["9f86d081…"])
    integrity: str = Field(examples=["sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="])
    pinned: bool = Field(examples=[False])
    size_bytes: int = Field(examples=[1834])
    diagnostics: list[DiagnosticRow]
    contributions: list[dict[str, Any]] = Field(examples=[[{"area": "statusBar.right", "id": "clock"}]])
    backend: dict[str, Any] | None = Field(examples=[None])
    shells: list[ShellRow]
    checked_in_ms: float = Field(examples=[12.5])
    loaded_at: str | None = Field(examples=["2026-11-30T09:12:00Z"])
    origin: OriginRow | None = Field(description="null for what was not installed by this program", examples=[None])
    walled: bool = Field(description="it may run behind the wall only", examples=[False])


class Rows(BaseModel):
    plugins: list[Row]
