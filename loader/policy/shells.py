"""Which connected app windows there are, what they can run, and which of them is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(slots=True)
class _Shell:
    actions: frozenset[str] | None
    # The number of the moment at which it got the focus, 0 without it.
    focused_at: int = 0


class Shells:
    """Mounted shells in order of mounting; a shell that mounts again counts as mounted last."""

    def __init__(self) -> None:
        self._shells: dict[str, _Shell] = {}
        self._moments = 0

    def __len__(self) -> int:
        return len(self._shells)

    def mount(self, shell: str, *, focused: bool, actions: frozenset[str] | None) -> None:
        """``actions`` None: the shell is taken to own every allowed action."""
        self._shells.pop(shell, None)
        self._shells[shell] = _Shell(actions)
        self.focus(shell, focused)

    def focus(self, shell: str, focused: bool) -> None:
        """A shell that is not mounted is none of our business."""
        if (known := self._shells.get(shell)) is not None:
            self._moments += 1
            known.focused_at = self._moments if focused else 0

    def unmount(self, shell: str) -> bool:
        """Whether it was mounted."""
        return self._shells.pop(shell, None) is not None

    def announcements(self) -> Iterator[frozenset[str] | None]:
        return (shell.actions for shell in self._shells.values())

    @property
    def any_focused(self) -> bool:
        return any(shell.focused_at for shell in self._shells.values())

    def owner_of(self, action: str) -> str | None:
        """Of those that can run it: the one that got the focus last, else the one mounted last."""
        chosen: str | None = None
        best = 0
        for name, shell in self._shells.items():
            if (shell.actions is None or action in shell.actions) and shell.focused_at >= best:
                chosen, best = name, shell.focused_at
        return chosen
