"""What the server needs from the parts below it: closed interfaces, so that each can be faked and replaced.

Policy stands below the server and imports nothing from here; it fits ``PolicyPort`` by its shape alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from loader.inventory.history import Revision
from loader.inventory.subject import Subject
from loader.nouns import BackendEvent, Event, Json, Plugin, PluginCaller, PolicyEvent, Running, Source

JsonObject: TypeAlias = dict[str, Json]

Publish: TypeAlias = Callable[[Event | PolicyEvent | BackendEvent], None]
"""Number an event and hand it to every client. Synchronous, on the event loop, never waits for a client."""

CallShell: TypeAlias = Callable[[str, str, Mapping[str, Json], float], Awaitable[Json]]
"""``await call_shell(shell, method, params, timeout_s)`` → the shell's result.

Raises TimeoutError when the shell did not answer in time (a later answer is dropped), ConnectionError when it is not
mounted, unmounts or drops meanwhile, or has too many calls open. A JSON-RPC error answer becomes
``{"ok": False, "error": message}``.
"""


class PipelinePort(Protocol):
    """The inventory and its pipeline. Everything is called on the event loop; ``emit`` fires on it too."""

    async def run(self) -> None: ...

    async def wait_ready(self, timeout_s: float, /) -> object: ...

    def plugins(self) -> tuple[Plugin, ...]: ...

    def find(self, id_or_key: str, /) -> Plugin | None: ...

    async def find_fresh(self, id_or_key: str, /) -> Plugin | None: ...

    def running(self, plugin_id: str, /) -> Running | None: ...

    def source_of(self, key: str, /) -> Source | None: ...

    def subject(self, key: str, /) -> Subject | None:
        """What the last settled look found, the rehearsal with it."""
        ...

    def history(self, key: str, /) -> tuple[Revision, ...]:
        """The last revisions, oldest first."""
        ...

    async def refresh(self) -> None:
        """Read again what another process may have decided: switches, pins, records of what was installed."""
        ...

    async def reload(self, ids: Sequence[str] | None = None, /) -> tuple[Plugin, ...]: ...

    async def set_choice(self, plugin_id: str, enabled: bool | None, /) -> Plugin: ...

    async def set_pin(self, plugin_id: str, integrity: str | None, /) -> Plugin: ...

    async def unpin(self, plugin_id: str, /) -> Plugin: ...

    async def allow_heavy(self, plugin_id: str, allowed: bool, /) -> Plugin: ...

    def shell_mounted(
        self,
        shell: str,
        version: str,
        exports: Mapping[str, tuple[str, ...]] | None,
        bundled: tuple[str, ...],
        /,
    ) -> None: ...

    def shell_gone(self, shell: str, /) -> None: ...

    def report(
        self,
        shell: str,
        plugin_id: str,
        revision: str,
        outcome: Literal["loaded", "failed"],
        error: str | None,
        phase: Literal["import", "register", "render"],
        /,
    ) -> None: ...

    def note_backend(self, key: str, backend: Mapping[str, Json] | None, /) -> None: ...

    async def wait_shells(self, ids: Sequence[str] | None, wait_s: float, /) -> object: ...


class PolicyPort(Protocol):
    """What a plugin may do and what the pet shows. Refusals are values of policy.md, never exceptions.

    The policy gets a ``Publish`` (for ActionsChanged, PetLinesChanged, Logged) and a ``CallShell`` when it is made;
    it picks the shell itself (focused, else last mounted, among those that own the action). A caller with
    ``alive`` false is answered ``unavailable`` (actions) or ``gone`` (pet).
    """

    def action_table(self) -> Sequence[Mapping[str, Json]]:
        """The table with its verdicts, as in the answer to ``shell/mount`` and in ``policy/actions``."""
        ...

    def list_actions(self, caller: PluginCaller, /) -> Sequence[Mapping[str, Json]]:
        """``{id, label, category}`` of what the plugin may run now, in the allowlist's order."""
        ...

    async def run_action(self, caller: PluginCaller, action: Json, /) -> Mapping[str, Json]:
        """The result object of policy.md; asks a shell, for at most 2 s."""
        ...

    def turn_away(self, caller: PluginCaller, action: Json, /) -> Mapping[str, Json]:
        """The result object where no further call of the connection may wait: nobody is asked."""
        ...

    def report_action(self, caller: PluginCaller, action: Json, result: Json, /) -> None:
        """``action/report``: what a shell's synchronous face answered, for the log and the audit."""
        ...

    def say(self, caller: PluginCaller, text: Json, options: Mapping[str, Json], /) -> Mapping[str, Json]:
        """``options``: id, tone, ttlMs as the plugin gave them, and ``call``, the face's mark for its disposer."""
        ...

    def clear(self, caller: PluginCaller, line: Json | None, /, call: Json = None) -> Mapping[str, Json]:
        """One line, all of the caller's (``line`` None), or only what the marked ``call`` of ``say`` made."""
        ...

    def pet(self) -> Mapping[str, Json]:
        """``{visible, core_status, lines}``: what shows now."""
        ...

    def set_pet(self, visible: bool | None, core_status: str | None, /) -> Mapping[str, Json]: ...

    def notify(self, caller: PluginCaller, request: Mapping[str, Json], /) -> Mapping[str, Json]:
        """Whether a native notification ``{title, body?, silent?, activate?}`` may be shown, and as what."""
        ...

    def notifications_enabled(self) -> bool: ...

    def enable_notifications(self, enabled: bool, /) -> None:
        """The user's switch on this device, as a shell reports it."""
        ...

    def send_prompt(self, frame: str, text: Json, /) -> Mapping[str, Json]:
        """A preview frame's prompt, as it may be handed on."""
        ...

    def resolve_directive(self, paragraph: Json, /) -> Mapping[str, Json]:
        """The plugin that renders a paragraph of the transcript, or why it stays what it was."""
        ...

    def audit(self) -> Mapping[str, Json]:
        """Who asked for what, and how often it was refused, since start."""
        ...

    def windows(self) -> Sequence[Mapping[str, Json]]:
        """How full each plugin's window of pet calls is, for those that called lately."""
        ...

    def observe(self, event: Event, /) -> None:
        """Each event of the inventory, before it is published."""
        ...

    def token_died(self, plugin: str, revision: str, /) -> None:
        """That revision was unloaded, disabled or replaced: its lines go at once."""
        ...

    def shell_mounted(self, shell: str, focused: bool, actions: tuple[str, ...] | None, /) -> None:
        """``actions`` None: the shell is taken to own every allowed action. A second call for a shell updates it."""
        ...

    def shell_focused(self, shell: str, focused: bool, /) -> None: ...

    def shell_unmounted(self, shell: str, /) -> None:
        """Also when the connection drops."""
        ...
