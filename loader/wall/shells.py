"""What connected app windows let plugins use: tools, and whole namespaces (tab lists, debugging, the model)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from loader.wall.tools import Tool

OFFERS = ("storage", "cdp", "ai")


@dataclass(slots=True)
class _Shell:
    tools: dict[str, Tool] = field(default_factory=dict)
    offers: frozenset[str] = frozenset()
    # The number of the moment at which it got the focus, 0 without it.
    focused_at: int = 0


class WallShells:
    """In order of mounting; of those that have a thing, the one focused last is asked, else the one mounted last."""

    def __init__(self) -> None:
        self._shells: dict[str, _Shell] = {}
        self._moments = 0

    def mount(self, shell: str, *, focused: bool, tools: tuple[Tool, ...], offers: frozenset[str]) -> None:
        self._shells.pop(shell, None)
        self._shells[shell] = _Shell({tool.name: tool for tool in tools}, offers & frozenset(OFFERS))
        self.focus(shell, focused)

    def focus(self, shell: str, focused: bool) -> None:
        if (known := self._shells.get(shell)) is not None:
            self._moments += 1
            known.focused_at = self._moments if focused else 0

    def unmount(self, shell: str) -> None:
        self._shells.pop(shell, None)

    def tools(self) -> dict[str, Tool]:
        """By name, each as the shell describes it that would be asked."""
        found: dict[str, Tool] = {}
        for shell in sorted(self._shells.values(), key=lambda each: each.focused_at):
            found |= shell.tools
        return dict(sorted(found.items()))

    def owner_of(self, tool: str) -> str | None:
        return self._chosen(lambda shell: tool in shell.tools)

    def offering(self, api: str) -> str | None:
        return self._chosen(lambda shell: api in shell.offers)

    def _chosen(self, fits: Callable[[_Shell], bool]) -> str | None:
        chosen: str | None = None
        best = 0
        for name, shell in self._shells.items():
            if shell.focused_at >= best and fits(shell):
                chosen, best = name, shell.focused_at
        return chosen
