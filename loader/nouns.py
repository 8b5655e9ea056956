"""The nouns of the service: frozen values that every part passes on and none changes.

Nothing here reads, writes or decides. Lines and columns count from 1, columns and offsets in UTF-16
code units of the text *without* its byte order mark (what editors and the app's engine count).
Times are seconds unless a name says otherwise (``_ms``); sizes are bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]
Door: TypeAlias = Literal["standalone", "unified"]
PluginState: TypeAlias = Literal["ready", "disabled", "failed", "shadowed"]
ChoiceSource: TypeAlias = Literal["ours", "app", "plugin", "door"]
ImportKind: TypeAlias = Literal["static", "reexport", "dynamic"]
LoadReason: TypeAlias = Literal["start", "new", "changed", "enabled", "manual"]
UnloadReason: TypeAlias = Literal["removed", "changed", "disabled", "failed", "duplicate"]
ShellOutcome: TypeAlias = Literal["pending", "loaded", "failed"]
LogLevel: TypeAlias = Literal["info", "warning", "error"]
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

SDK_SPECIFIER = "@hermes/plugin-sdk"
ALLOWED_SPECIFIERS = (SDK_SPECIFIER, "react", "react/jsx-runtime")


# ---------------------------------------------------------------- findings


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of the source: 1-based lines, 1-based UTF-16 columns, the end just behind the last unit."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``text[start:end]`` (UTF-16 offsets, text without mark) by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe change that `check --fix` and editors may apply as a whole."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. ``path`` is empty until the finding is tied to a file (see ``located``)."""

    code: str
    rule: str
    severity: Severity
    message: str
    span: Span | None = None
    hint: str | None = None
    fix: Fix | None = None
    path: str = ""

    @property
    def url(self) -> str:
        """Where the rule is explained, relative to the project's root."""
        return f"docs/rules/{self.code}.md"

    @property
    def sort_key(self) -> tuple[int, int, str, str]:
        where = self.span or Span(0, 0, 0, 0)
        return (where.line, where.column, self.code, self.message)


# ---------------------------------------------------------------- what lies on disk


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that claims to be a plugin: one folder behind one of the two doors.

    ``folder`` is the name that counts as id (the package's name for a unified package, never ``desktop``).
    ``path`` is the plugin.js as found, not resolved. ``copied_to`` names the app's copy of a package's
    desktop half in ``desktop-plugins``, if there is one.
    """

    door: Door
    folder: str
    path: str
    home: str
    copied_to: str | None = None

    @property
    def key(self) -> str:
        """Unique within a root: ``standalone:<folder>`` or ``unified:<folder>``."""
        return f"{self.door}:{self.folder}"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one file, read once. ``text`` is decoded without the byte order mark."""

    data: bytes = field(repr=False)
    text: str = field(repr=False)
    sha256: str
    had_bom: bool = False
    findings: tuple[Diagnostic, ...] = ()

    @property
    def size_bytes(self) -> int:
        return len(self.data)


# ---------------------------------------------------------------- what the check found out


@dataclass(frozen=True, slots=True)
class ImportRef:
    """One import, re-export or dynamic import; ``specifier`` is decoded, None when it is computed.

    ``start`` and ``end`` are UTF-16 offsets of the specifier literal with its quotes (of the argument
    expression when it is computed), so that a shell can rewrite it without guessing.
    """

    specifier: str | None
    kind: ImportKind
    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class Contribution:
    """Something a plugin registered in the rehearsal."""

    area: str
    id: str
    scoped_id: str
    title: str | None = None
    order: float | None = None
    payload: Mapping[str, Json] = field(default_factory=dict)
    html: str | None = None
    wireframe: str | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """What the default export says of itself; ``exact`` when the rehearsal read it from the live object.

    ``id_span`` is where the text says the id, None where it does not.
    """

    exported_id: str | None = None
    name: str | None = None
    description: str | None = None
    default_enabled: bool = True
    exact: bool = False
    id_span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Suppression:
    """A ``hermes-ignore`` comment: ``line`` is the line it excuses, None for the whole file."""

    codes: tuple[str, ...]
    line: int | None
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class ConsoleLine:
    level: Literal["log", "info", "warn", "error", "debug"]
    text: str


@dataclass(frozen=True, slots=True)
class Leak:
    """Something still alive after unload."""

    kind: Literal["listener", "timer", "socket", "subscription", "contribution", "observer"]
    detail: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What happened when the plugin was played through. ``ran`` is false with ``stopped_by`` saying why."""

    ran: bool
    stopped_by: str | None = None
    contributions: tuple[Contribution, ...] = ()
    console: tuple[ConsoleLine, ...] = ()
    # What it asked the app to do, in order: "notify({…})", "navigate('/x')".
    actions: tuple[str, ...] = ()
    # What was done to it (`rehearse --event`), in order: "click 'Save': handled".
    events: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()
    timers_fired: int = 0
    cpu_ms: float = 0.0
    memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the analysis of one text came to. Depends on the text and the settings alone, never on the folder.

    ``diagnostics`` are sorted by place, each once, before suppressions. ``cacheable`` is false when what
    was found depends on the machine's mood (HP106, HP402, HP404, HP405).
    """

    sha256: str
    identity: Identity = Identity()
    imports: tuple[ImportRef, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    rehearsal: Rehearsal | None = None
    timings_ms: tuple[tuple[str, float], ...] = ()
    cacheable: bool = True

    @property
    def ok(self) -> bool:
        return not any(finding.severity == "error" for finding in self.diagnostics)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        return self.rehearsal.contributions if self.rehearsal else ()


# ---------------------------------------------------------------- the inventory


@dataclass(frozen=True, slots=True)
class ShellReport:
    """What one connected shell said of the current revision."""

    shell: str
    version: str
    state: ShellOutcome
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an installed plugin came from, as the host's own record says. ``revision`` is a commit, ``installed_at``
    UTC. ``walled``: a person did not say that it may run with the app's power."""

    source: str
    subdir: str
    revision: str | None
    version: str
    installed_at: str
    walled: bool = True


@dataclass(frozen=True, slots=True)
class Plugin:
    """The inventory row of protocol.md ("The inventory row"), one for each candidate."""

    key: str
    id: str
    exported_id: str | None
    name: str
    description: str | None
    door: Door
    folder: str
    path: str
    copied_to: str | None
    enabled: bool
    choice: bool | None
    choice_from: ChoiceSource
    default_enabled: bool
    state: PluginState
    revision: str
    running_revision: str | None
    integrity: str
    pinned: bool
    size_bytes: int
    diagnostics: tuple[Diagnostic, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    backend: Mapping[str, Json] | None = None
    shells: tuple[ShellReport, ...] = ()
    checked_in_ms: float = 0.0
    loaded_at: str | None = None
    origin: Origin | None = None

    @property
    def walled(self) -> bool:
        """Whether it may run behind the wall only."""
        return self.origin is not None and self.origin.walled


@dataclass(frozen=True, slots=True)
class Running:
    """The revision that shells run: announced, verified, and served from here, never read again.

    ``walled``: it was announced as one that runs behind the wall only."""

    id: str
    key: str
    revision: str
    source: Source
    imports: tuple[ImportRef, ...]
    walled: bool = False


# ---------------------------------------------------------------- events (the server numbers them)


@dataclass(frozen=True, slots=True)
class PluginLoaded:
    plugin: Plugin
    running: Running
    reason: LoadReason


@dataclass(frozen=True, slots=True)
class PluginUnloaded:
    id: str
    revision: str
    reason: UnloadReason


@dataclass(frozen=True, slots=True)
class PluginFailed:
    plugin: Plugin
    running_revision: str | None


@dataclass(frozen=True, slots=True)
class PluginChanged:
    """The row changed in a way that no load, unload or failure says; ``removed`` when its file is gone for good."""

    plugin: Plugin
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Logged:
    level: LogLevel
    plugin: str | None
    text: str


Event: TypeAlias = PluginLoaded | PluginUnloaded | PluginFailed | PluginChanged | Logged


# ---------------------------------------------------------------- host policy


@dataclass(frozen=True, slots=True)
class PluginCaller:
    """Which plugin calls, as its credential says: never taken from a field of the call.

    ``alive`` is false for a token whose revision was unloaded, disabled or replaced: actions then answer
    ``unavailable``, the pet answers ``gone``.
    """

    plugin: str
    revision: str
    alive: bool = True


@dataclass(frozen=True, slots=True)
class ActionsChanged:
    """The action table that shells answer from (rows as policy.md says), published whenever it changes."""

    actions: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class PetLinesChanged:
    """What the pet shows now; published only when that has changed, passing time alone is no change."""

    lines: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class WalledChanged:
    """What stands behind the wall under this id is another thing now: ``app`` as ``GET /v1/wall`` shows it, or None."""

    id: str
    app: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class RequestsChanged:
    """How many of agents' requests (install this, approve that) wait for a person now."""

    waiting: int


PolicyEvent: TypeAlias = ActionsChanged | PetLinesChanged | WalledChanged | RequestsChanged | Logged


# ---------------------------------------------------------------- backends


@dataclass(frozen=True, slots=True)
class BackendEvent:
    """What a plugin's backend pushes to every window, as ``plugin.<plugin>.<event>``."""

    plugin: str
    event: str
    payload: Mapping[str, Json]
