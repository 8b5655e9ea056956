"""Writes docs/cli.md from the commands themselves: `python -m loader.cli.reference > docs/cli.md`."""

from __future__ import annotations

import sys
from typing import Any

from loader.cli.commands import COMMANDS, Command
from loader.cli.main import load

_HEAD = """\
# The command line

`hermes-desktop` (also `python -m loader`). This page is made from the commands themselves:
`python -m loader.cli.reference > docs/cli.md`.

| command | what it does |
| --- | --- |
"""

_EVERYWHERE = """
Every command takes `--debug` (print the trace of a failure; so does `HERMES_DESKTOP_DEBUG=1`), `--no-color`
(so does `NO_COLOR`) and `--help`. Completion for your shell: [`completion`](#completion).

Answers go to standard output, everything about them to standard error. A failure is one line: the thing, the cause
and the next step.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | fine |
| 1 | findings |
| 2 | wrong usage, or no home |
| 3 | no service (or a second one), or an internal failure |
| 4 | only a person may decide this |
| 5 | timed out |

130 means that Ctrl-C interrupted the command; `serve` and `events --follow` end with 0 then.
"""

COMMON_OPTIONS = frozenset({"--debug", "--no-color", "--help"})


def reference() -> str:
    """The whole page."""
    rows = "".join(f"| [`{command.name}`](#{command.name}) | {_paragraphs(command)[0]} |\n" for command in COMMANDS)
    return _HEAD + rows + _EVERYWHERE + "".join(_section(command) for command in COMMANDS)


def options_of(command: Command) -> list[Any]:
    """The options of a command that are its own, in their order."""
    return [param for param in load(command).params if COMMON_OPTIONS.isdisjoint(param.opts)]


def _section(command: Command) -> str:
    text = f"\n## {command.name}\n\n" + "\n\n".join(_paragraphs(command)) + "\n"
    example = (load(command).epilog or "").removeprefix("Example: ")
    text += f"\n```console\n$ {example}\n```\n"
    rows = "".join(f"| {_spelled(param)} | {_told(param)} |\n" for param in options_of(command))
    return text + (f"\n| argument or option | meaning |\n| --- | --- |\n{rows}" if rows else "")


def _paragraphs(command: Command) -> list[str]:
    return [" ".join(part.split()) for part in (load(command).help or "").split("\n\n")]


def _spelled(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{param.metavar or param.human_readable_name}`" + (" …" if param.nargs == -1 else "")
    value = "" if param.is_flag else f" {param.metavar or _choices(param) or 'VALUE'}"
    return ", ".join(f"`{option}{value}`" for option in param.opts)


def _choices(param: Any) -> str:
    # A bar would end the table's cell.
    return " or ".join(param.type_descriptor.choices or ())


def _told(param: Any) -> str:
    told = (param.help or "").strip()
    shown = f"{param.default:g}" if isinstance(param.default, float) else param.default
    return f"{told} Default: `{shown}`." if isinstance(shown, str) and shown else told


if __name__ == "__main__":
    sys.stdout.write(reference())
