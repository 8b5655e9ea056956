"""Every number and switch of the service, resolved once at the rim and passed down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

OnBrokenSave: TypeAlias = Literal["keep", "unload"]
IdMismatch: TypeAlias = Literal["error", "warn"]
RehearsalMode: TypeAlias = Literal["warn", "enforce", "off"]
SandboxMode: TypeAlias = Literal["auto", "none", "bwrap"]

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
class BackendSettings:
    """How backends of plugins (``dashboard/plugin_api.py``) are run, limited and watched."""

    # At once: with the service, instead of with the first request.
    at_once: bool = False
    # Not "auto": a sandboxed backend cannot write beside its own file, which many of today's do.
    sandbox: SandboxMode = "none"
    network: bool = True
    hermes_python: str | None = None
    memory_bytes: int = 2 * 1024 * 1024 * 1024
    open_files: int = 1024
    cpu_s: int | None = None
    processes: int = 128
    # How long a request waits for a worker that is starting, and how long that may take at all.
    starting_wait_s: float = 10.0
    start_limit_s: float = 90.0
    # Until the first byte of the answer, where the caller names no deadline of its own.
    answer_s: float = 60.0
    longest_answer_s: float = 600.0
    ping_every_s: float = 5.0
    hung_after_s: float = 30.0
    drain_s: float = 10.0
    look_every_s: float = 0.5
    crashes: int = 5
    crash_window_s: float = 60.0
    first_pause_s: float = 0.2
    longest_pause_s: float = 5.0
    connections: int = 256
    log_limit_bytes: int = 1024 * 1024
    log_bytes_per_s: int = 1024 * 1024
    events_per_s: float = 50.0


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
    backends: BackendSettings = BackendSettings()
