"""Every number and switch of the service, resolved once at the rim and passed down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

OnBrokenSave: TypeAlias = Literal["keep", "unload"]
IdMismatch: TypeAlias = Literal["error", "warn"]
RehearsalMode: TypeAlias = Literal["warn", "enforce", "off"]

SOURCE_LIMIT_BYTES = 16 * 1024 * 1024
LARGE_SOURCE_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """What a verdict may depend on beside the text: part of the cache's key."""

    rehearsal: RehearsalMode = "warn"
    static_deadline_s: float = 10.0
    esprima_limit_bytes: int = 1_000_000
    esprima_deadline_s: float = 5.0
    rehearsal_cpu_s: float = 10.0
    rehearsal_memory_floor_bytes: int = 128 * 1024 * 1024
    rehearsal_memory_per_source_byte: int = 32
    # Names that the connected shell announced, by module; None: the shipped union of builds (a warning then).
    sdk_exports: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    # In the service a name outside the shipped list warns, in `check` it is an error (HP204).
    unknown_export: Literal["error", "warning"] = "error"


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How the service watches and announces; defaults from protocol.md."""

    failure_settle_ms: int = 250
    absence_settle_ms: int = 1000
    declared_integrity_settle_ms: int = 1000
    watch_step_ms: int = 10
    reconcile_every_s: float = 5.0
    workers: int = 2
    on_broken_save: OnBrokenSave = "keep"
    id_mismatch: IdMismatch = "error"
    analysis: AnalysisSettings = AnalysisSettings(unknown_export="warning")
