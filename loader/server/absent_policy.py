"""The policy of a service that has none: it refuses in policy.md's own words instead of pretending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loader.nouns import Event, Json, PluginCaller

UNAVAILABLE: Mapping[str, Json] = {
    "ok": False,
    "reason": "unavailable",
    "error": "this service runs without a host policy",
}


class AbsentPolicy:
    """Fits ``ports.PolicyPort``."""

    def action_table(self) -> Sequence[Mapping[str, Json]]:
        return ()

    def list_actions(self, _: PluginCaller, /) -> Sequence[Mapping[str, Json]]:
        return ()

    async def run_action(self, _: PluginCaller, __: Json, /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def turn_away(self, _: PluginCaller, __: Json, /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def report_action(self, _: PluginCaller, __: Json, ___: Json, /) -> None:
        return None

    def say(self, _: PluginCaller, __: Json, ___: Mapping[str, Json], /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def clear(self, _: PluginCaller, __: Json | None, /, call: Json = None) -> Mapping[str, Json]:
        return UNAVAILABLE

    def pet(self) -> Mapping[str, Json]:
        return {"visible": False, "core_status": "idle", "lines": []}

    def set_pet(self, _: bool | None, __: str | None, /) -> Mapping[str, Json]:
        return self.pet()

    def notify(self, _: PluginCaller, __: Mapping[str, Json], /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def notifications_enabled(self) -> bool:
        return False

    def enable_notifications(self, _: bool, /) -> None:
        return None

    def send_prompt(self, _: str, __: Json, /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def resolve_directive(self, _: Json, /) -> Mapping[str, Json]:
        return UNAVAILABLE

    def windows(self) -> Sequence[Mapping[str, Json]]:
        return ()

    def audit(self) -> Mapping[str, Json]:
        return {"since_s": 0.0, "rows": []}

    def observe(self, _: Event, /) -> None:
        return None

    def token_died(self, _: str, __: str, /) -> None:
        return None

    def shell_mounted(self, _: str, __: bool, ___: tuple[str, ...] | None, /) -> None:
        return None

    def shell_focused(self, _: str, __: bool, /) -> None:
        return None

    def shell_unmounted(self, _: str, /) -> None:
        return None
