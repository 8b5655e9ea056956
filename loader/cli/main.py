"""`hermes-desktop`: finds the command, runs it, and turns whatever went wrong into one line and an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import zip_longest
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from loader.cli import exits
from loader.cli.commands import COMMANDS, Command
from loader.cli.console import FACE, Face, remark, tolerate_every_letter
from loader.cli.quick_params import quickened
from loader.cli.rim import PROGRAM, guarded, reader_left

# With more than these the help would run off a screen of 24 lines: what every command takes is in docs/cli.md then.
_MANY_OPTIONS = 10


# ---------------------------------------------------------------- options that every command takes


def _debug(ctx: typer.Context, chosen: bool) -> None:
    if chosen:
        FACE.set(Face(debug=True, no_color=FACE.get().no_color))


def _no_color(ctx: typer.Context, chosen: bool) -> None:
    if chosen:
        FACE.set(Face(debug=FACE.get().debug, no_color=True))


Debug = Annotated[
    bool,
    typer.Option("--debug", callback=_debug, is_eager=True, expose_value=False, help="Print the trace of a failure."),
]
NoColor = Annotated[
    bool,
    typer.Option("--no-color", callback=_no_color, is_eager=True, expose_value=False, help="Print without colours."),
]


def _version(ctx: typer.Context, chosen: bool) -> None:
    if chosen:
        from loader.cli.version import command

        command()
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_version, is_eager=True, expose_value=False, help="Print the version."),
]


def _common(debug: Debug = False, no_color: NoColor = False) -> None:
    """What every command takes."""


def _program(version: Version = False, debug: Debug = False, no_color: NoColor = False) -> None:
    """Plugin host for Hermes Desktop: watches, checks and serves plugins."""


# ---------------------------------------------------------------- commands, loaded when they are asked for


class QuickCommand(TyperCommand):
    """A command whose plain parameters need no pydantic."""

    def get_params(self, ctx: Any) -> Any:
        return quickened(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # before typer sees it, which would end the process with 1
            return reader_left()


def load(command: Command) -> TyperCommand:
    """The real command with its options. Imports its module, and what that imports."""
    module = import_module(command.module)
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(command.name, short_help=command.summary, epilog=f"Example: {module.EXAMPLE}", cls=QuickCommand)(
        module.command
    )
    loaded = get_command(app)
    donor = typer.Typer(rich_markup_mode=None, add_completion=False)
    donor.command()(_common)
    common = get_command(donor).params
    if len(loaded.params) > _MANY_OPTIONS:
        for param in common:
            param.hidden = param.name != "help"  # type: ignore[attr-defined]
    loaded.params.extend(common)
    assert isinstance(loaded, TyperCommand)  # noqa: S101 (a single command is one, in typer's own words)
    return loaded


class LazyGroup(TyperGroup):
    """Knows all commands by name and summary, and loads the one that is called (or completed, or helped with)."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        for command in COMMANDS:
            self.add_command(TyperCommand(command.name, short_help=command.summary, help=command.summary))

    def get_params(self, ctx: Any) -> Any:
        params: list[Any] = quickened(super().get_params(ctx))
        for param in params:
            # They are in the help of every command or in docs/cli.md; here they would push commands off the screen.
            param.hidden = True
        return params

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """In two columns, read downwards."""
        wide = max(len(command.name) for command in COMMANDS)
        cells = [f"{command.name:<{wide}}  {command.summary}" for command in COMMANDS]
        half = (len(cells) + 1) // 2
        across = max(map(len, cells[:half]))
        formatter.write("Commands:\n")  # no line before it: they fill the screen
        for left, right in zip_longest(cells[:half], cells[half:], fillvalue=""):
            formatter.write(f"  {left:<{across}}  {right}".rstrip() + "\n")

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        if found is not None:
            found = load(next(command for command in COMMANDS if command.name == name))
        return name, found, rest


app = typer.Typer(
    cls=LazyGroup,
    callback=_program,
    rich_markup_mode=None,
    add_completion=True,
    no_args_is_help=True,
    epilog=f"Example: {PROGRAM} check my-plugin",
    context_settings={"help_option_names": ["-h", "--help"]},
)


# ---------------------------------------------------------------- running


def run(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (protocol.md). Never raises; prints at most one line of failure."""
    return guarded(lambda: _run(args))


def _run(args: Sequence[str] | None) -> int:
    try:
        code = get_command(app).main(args, prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:  # typer's own way out of --install-completion and --show-completion
        return end.code if isinstance(end.code, int) else exits.INTERNAL_FAILURE
    except typer.Abort:
        return exits.INTERRUPTED
    except typer.TyperException as wrong:
        return _wrong_usage(wrong)
    return code if isinstance(code, int) else exits.FINE


def _wrong_usage(wrong: Exception) -> int:
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    message = wrong.format_message() if isinstance(wrong, typer.TyperException) else str(wrong)
    if not message or type(wrong).__name__ == "NoArgsIsHelpError":
        remark(context.get_help() if context is not None else f"see '{PROGRAM} --help'")
        return exits.WRONG_USAGE
    # Pydantic's words for "a check said so", in front of what it said.
    message = " ".join(message.split()).replace(": Value error, ", ": ")
    end = "" if message.endswith("?") else "."
    remark(f"{path}: {message.rstrip('.')}{end} See '{path} --help'.")
    return exits.WRONG_USAGE


def main(args: Sequence[str] | None = None) -> NoReturn:
    tolerate_every_letter()
    raise SystemExit(run(args))
