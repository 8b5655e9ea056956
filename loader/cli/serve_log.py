"""What `serve` prints while it runs: where it listens, and one line for each thing that happens to a plugin."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text

from loader.cli.console import console
from loader.home import Home
from loader.nouns import (
    Event,
    Logged,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginUnloaded,
)
from loader.reports.concise import place
from loader.reports.safe import visible
from loader.reports.text import STYLES

if TYPE_CHECKING:
    from rich.console import Console


class ServeLog:
    """Prints to standard output. ``now`` gives the local time of day."""

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        self._now = now
        self._states: dict[str, str] = {}
        self._console: Console | None = None

    def starts(self, home: Home) -> None:
        self._print(Text(f"Home {visible(str(home.root))} ({visible(home.rule)})"))
        if home.profile is not None:
            self._print(Text(f"Profile {visible(home.profile)}: {visible(str(home.home))}"))
        if home.note:
            self._print(Text(visible(home.note), "yellow"))

    def listens(self, url: str) -> None:
        self._print(Text.assemble("Listening on ", (url, "bold"), " (Ctrl-C ends it)"))

    def says(self, line: str) -> None:
        self._print(Text(visible(line)))

    def ended(self) -> None:
        self._print(Text("Ended."))

    def hears(self, event: Event) -> None:
        """One line for what a person would want to know; a failure has its findings below."""
        match event:
            case PluginLoaded():
                self._states[event.plugin.key] = "ready"
                self._line(event.plugin.id, f"loaded {event.running.revision[:12]} ({event.reason})", "green")
                self._findings(event.plugin)
            case PluginUnloaded(reason="changed"):
                pass  # the load that follows says it
            case PluginUnloaded():
                self._line(event.id, f"unloaded ({event.reason})", "yellow")
            case PluginFailed():
                self._states[event.plugin.key] = "failed"
                keeps = f"; {event.running_revision[:12]} keeps running" if event.running_revision else ""
                self._line(event.plugin.id, f"has errors{keeps}", "bold red")
                self._findings(event.plugin)
            case PluginChanged():
                self._changed(event)
            case Logged():
                style = {"info": "", "warning": "yellow", "error": "red"}[event.level]
                self._line(event.plugin or "-", visible(event.text, limit=1000), style)

    def _changed(self, event: PluginChanged) -> None:
        # Rows also change with every shell's report; a person wants to hear of a new state only.
        plugin = event.plugin
        said = "gone" if event.removed else plugin.state
        before = self._states.get(plugin.key)
        if said == "ready" and before == "failed":
            self._line(plugin.id, f"is mended; {plugin.revision[:12]} runs on", "green")
        elif said not in (before, "ready"):
            self._line(plugin.id, said, "dim")
        self._states[plugin.key] = said

    def _findings(self, plugin: Plugin) -> None:
        for found in plugin.diagnostics:
            if found.severity == "info":
                continue
            text = Text("          ")
            text.append(f"{place(plugin.path, found)}: ")
            text.append(f"{found.severity} {found.code}", STYLES[found.severity])
            text.append(f" {visible(found.message)}")
            self._print(text)
            if found.hint:
                self._print(Text(f"          hint: {visible(found.hint)}"))

    def _line(self, plugin: str, said: str, style: str) -> None:
        time = self._now().strftime("%H:%M:%S")
        self._print(Text.assemble((f"{time}  ", "dim"), (visible(plugin), "bold"), " ", (said, style)))

    def _print(self, text: Text) -> None:
        out = self._console
        if out is None or out.file is not sys.stdout:
            out = self._console = console()
        if out.color_system is None:
            # As rich would write it, without asking at each line how: hundreds of plugins load at once.
            out.file.write(f"{text.plain}\n")
        else:
            out.print(text)
        out.file.flush()  # read through a pipe, line by line, by whoever started us


class _SafeFormatter(logging.Formatter):
    """Log records may quote a plugin: nothing of them may steer the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).split("\n")
        return "\n".join(visible(line, limit=2000) for line in lines)


def log_to_terminal() -> None:
    """Our own warnings and errors, and those of the libraries, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_SafeFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
