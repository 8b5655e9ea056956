"""`rehearse`: play plugins through in the sandbox and show what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.analysis.rehearsal.user_event import UserEvent

EXAMPLE = "hermes-desktop rehearse my-plugin"


def command(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Files, folders, homes, patterns.")] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE:TARGET[=VALUE]", help="Do this first: click:Start, change:Name=Ada."),
    ] = None,
    enforce: Annotated[bool, typer.Option("--enforce", help="What fails in the rehearsal is an error.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Play plugins through in the sandbox: contributions, wireframes, console, leaks.

    PATH is what it is for `check`. Nothing of it reaches the network, a file or the real clock. With --event
    (also several), what is drawn is what stands there after the last one.
    """
    import asyncio

    from loader.checking.targets import find_targets
    from loader.cli.check_now import check_now
    from loader.cli.console import console, print_json, width
    from loader.reports.rehearsal import rehearsal_json, rehearsal_text
    from loader.reports.text import file_report, summary_line
    from loader.settings import AnalysisSettings

    events = tuple(parse_event(text) for text in event or ())
    targets = find_targets(paths or (), find_home=lambda: home_of(hermes_home, profile))
    run = asyncio.run(check_now(targets, AnalysisSettings(rehearsal="enforce" if enforce else "warn"), events=events))
    if json:
        print_json({"version": 1, "files": [rehearsal_json(file) for file in run.files]})
    else:
        out = console()
        for file in run.files:
            out.print(rehearsal_text(file))
            out.print(file_report(file, width=width()), end="")
        out.print(summary_line(run))
    return exits.FINDINGS if run.failed else exits.FINE


# What a person does, and whether a value goes with it: the text of a field, or the name of a key.
_EVENTS = {
    "click": None,
    "submit": None,
    "focus": None,
    "blur": None,
    "change": "value",
    "input": "value",
    "keydown": "key",
}


def parse_event(text: str) -> UserEvent:
    """``click:Start``, ``change:Name=Ada``, ``keydown:Name=Enter``: what, on the thing that reads so, with which value.

    Raises UsageError for another kind of event, or a value that is missing.
    """
    from loader.analysis.rehearsal.user_event import UserEvent
    from loader.errors import UsageError

    kind, _, target = text.partition(":")
    if kind not in _EVENTS:
        raise UsageError(f"--event {text!r}: there is no event {kind!r}. Use one of {', '.join(_EVENTS)}.")
    wanted = _EVENTS[kind]
    if wanted is None:
        return UserEvent(kind, target)
    target, equals, value = target.rpartition("=")
    if not equals:
        raise UsageError(
            f"--event {text!r} needs a {wanted}: {kind}:{value or 'Name'}={'Enter' if wanted == 'key' else 'Ada'}"
        )
    return UserEvent(kind, target, **{wanted: value})
