"""Which commands there are: their names, where each lives, and what the overview says of it.

The overview is printed from this table, so that `--help` imports none of the commands.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """``module`` has a function ``command`` (the typer face) and an ``EXAMPLE``.

    ``summary`` has at most 25 letters: the overview has two columns, so that it fits a screen of 80 by 24.
    """

    name: str
    module: str
    summary: str


COMMANDS: tuple[Command, ...] = (
    Command("new", "loader.cli.new", "Begin a plugin"),
    Command("install", "loader.cli.install", "Bring one from elsewhere"),
    Command("update", "loader.cli.update", "Look there again"),
    Command("uninstall", "loader.cli.uninstall", "Remove what was installed"),
    Command("verify", "loader.cli.verify", "Is it as it was installed"),
    Command("approve", "loader.cli.approve", "Grant what it asks for"),
    Command("trust", "loader.cli.trust", "Run it without the wall"),
    Command("untrust", "loader.cli.untrust", "Put it behind the wall"),
    Command("audit", "loader.cli.audit", "Who installed what"),
    Command("serve", "loader.cli.serve", "Watch, check, tell shells"),
    Command("check", "loader.cli.check", "Say what is wrong, where"),
    Command("rehearse", "loader.cli.rehearse", "Play it in the sandbox"),
    Command("reload", "loader.cli.reload", "Read from disk again, now"),
    Command("list", "loader.cli.list_plugins", "List the home's plugins"),
    Command("show", "loader.cli.show", "All about one plugin"),
    Command("enable", "loader.cli.enable", "Turn a plugin on"),
    Command("disable", "loader.cli.disable", "Turn a plugin off"),
    Command("forget", "loader.cli.forget", "Take your choice back"),
    Command("pin", "loader.cli.pin", "Load these bytes only"),
    Command("unpin", "loader.cli.unpin", "Take the pin off"),
    Command("allow-heavy", "loader.cli.allow_heavy", "Let a heavy one load"),
    Command("events", "loader.cli.events", "What happens, as lines"),
    Command("doctor", "loader.cli.doctor", "Why it runs or does not"),
    Command("backend", "loader.cli.backend", "Backends: on, off, logs"),
    Command("actions", "loader.cli.actions", "What plugins may run"),
    Command("pet", "loader.cli.pet", "What the pet says"),
    Command("policy", "loader.cli.policy", "Who asked for what"),
    Command("open", "loader.cli.open_page", "The page in a browser"),
    Command("react", "loader.cli.react", "React, for plugins there"),
    Command("lsp", "loader.cli.lsp", "For your editor (LSP)"),
    Command("mcp", "loader.cli.mcp", "Tools for agents (MCP)"),
    Command("page", "loader.cli.page", "Check a phone's page"),
    Command("explain", "loader.cli.explain", "Explain a finding's code"),
    Command("rules", "loader.cli.rules", "All rules of the check"),
    Command("completion", "loader.cli.completion", "For your shell"),
    Command("version", "loader.cli.version", "Which build this is"),
)
