"""Which commands there are: their names, where each lives, and what the overview says of it.

The overview is printed from this table, so that `--help` imports none of the commands.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """``module`` has a function ``command`` (the typer face) and an ``EXAMPLE``."""

    name: str
    module: str
    summary: str


COMMANDS: tuple[Command, ...] = (
    Command("serve", "loader.cli.serve", "Watch the home and tell shells what to load."),
    Command("check", "loader.cli.check", "Check plugins and say what is wrong, where."),
    Command("rehearse", "loader.cli.rehearse", "Play plugins through in the sandbox."),
    Command("reload", "loader.cli.reload", "Read plugins from disk again, now."),
    Command("list", "loader.cli.list_plugins", "List the plugins of the home."),
    Command("show", "loader.cli.show", "Show all that is known of one plugin."),
    Command("enable", "loader.cli.enable", "Turn a plugin on."),
    Command("disable", "loader.cli.disable", "Turn a plugin off."),
    Command("forget", "loader.cli.forget", "Forget your choice: the default counts again."),
    Command("pin", "loader.cli.pin", "Load a plugin with this hash only."),
    Command("unpin", "loader.cli.unpin", "Take the pin off a plugin."),
    Command("events", "loader.cli.events", "Print what happens in the service."),
    Command("doctor", "loader.cli.doctor", "Say why each plugin runs or does not."),
    Command("actions", "loader.cli.actions", "List the app actions that plugins may run."),
    Command("pet", "loader.cli.pet", "Show what plugins make the pet say."),
    Command("policy", "loader.cli.policy", "Say who asked for what, and how often in vain."),
    Command("open", "loader.cli.open_page", "Open the service's page in a browser."),
    Command("explain", "loader.cli.explain", "Explain a finding's code."),
    Command("rules", "loader.cli.rules", "List the rules of the check."),
    Command("version", "loader.cli.version", "Print the version."),
)
