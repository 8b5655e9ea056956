"""What people decided, from the files that hold it: our switches, pins and allowances, the app's own switches, and
what was installed from where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from loader.home import Home
from loader.inventory.allowances import Allowances
from loader.inventory.app_choices import CONFIG_FILE, AppChoices
from loader.inventory.choices import Choices
from loader.inventory.inventory import Deciders
from loader.inventory.origins import NoOrigins, Origins
from loader.inventory.pins import Pins
from loader.nouns import Candidate, LogLevel


@dataclass(frozen=True, slots=True)
class Decisions:
    """All of it, as it was last read. ``refresh`` blocks, and so do the setters."""

    choices: Choices
    pins: Pins
    heavy: Allowances
    app: AppChoices
    origins: Origins
    unsaid: list[tuple[LogLevel, str]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        home: Home,
        settle_s: float,
        now_s: Callable[[], float],
        *,
        choices: Choices | None = None,
        pins: Pins | None = None,
        origins: Origins | None = None,
    ) -> Decisions:
        # The app mirrors its switches into the configuration of the profile that it shows, not into the root's.
        app = AppChoices(home.home / CONFIG_FILE, settle_s=settle_s, now_s=now_s)
        ledgers = (choices or Choices.of(home), pins or Pins.of(home), Allowances.of(home))
        return cls(*ledgers, app, origins or NoOrigins())

    def catch_up(self, candidate: Candidate | None, *, was_read: bool) -> None:
        """After the bytes of a plugin.js were read: see what is known of where they came from. Blocking.

        An install records them, and switches them off, before it moves them; so whoever asks now never takes them for
        the user's own, nor for on.
        """
        self.origins.catch_up(candidate.path if candidate is not None and was_read else None)
        if candidate is not None and candidate.path in self.origins.by_path():
            self.unsaid.extend(("error", text) for text in self.choices.refresh())

    def refresh(self) -> tuple[tuple[LogLevel, str], ...]:
        """Read all of it again; gives what is wrong with them, each thing once. Blocking."""
        said: list[tuple[LogLevel, str]] = [*self.unsaid, *(("error", text) for text in self.choices.refresh())]
        self.unsaid.clear()
        said += [("error", text) for ledger in (self.pins, self.heavy) for text in ledger.refresh()]
        said += [("error", text) for text in self.origins.refresh()]
        complaint = self.app.refresh()
        return (*said, ("warning", complaint)) if complaint is not None else tuple(said)

    def deciders(self, bundled: frozenset[str]) -> Deciders:
        app: Mapping[str, bool] = self.app.decisions
        return Deciders(self.choices.by_id(), app, frozenset(self.pins.by_id()), bundled, self.origins.by_path())
