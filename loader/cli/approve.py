"""`approve`: what an installed package gets of what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home
    from loader.packages.audit import Line
    from loader.packages.grants import Grants
    from loader.packages.record import Entry

EXAMPLE = "hermes-desktop approve com.example.board --api storage"


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="What was installed with `install`.")],
    api: Annotated[list[str] | None, typer.Option(metavar="API", help="tools, storage, cdp or ai; repeat it.")] = None,
    capability: Annotated[
        list[str] | None, typer.Option(metavar="WHAT", help="read-only or controls-browser; repeat it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that it asks for.")] = False,
    nothing: Annotated[bool, typer.Option("--none", help="Nothing: takes every approval back.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Approve a part of what a package asks for: only what you name is granted.

    Without a flag: shows what it asks for. Exits 4 when nobody says yes.
    """
    from loader.cli.auditing import noted
    from loader.errors import UsageError
    from loader.packages.grants import APIS, CAPABILITIES, Grants
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    named = Grants(frozenset(api or ()), frozenset(capability or ()))
    if sum((bool(named), everything, nothing)) > 1:
        raise UsageError("name APIs and capabilities, or --all, or --none.")
    for word in (*sorted(named.apis - frozenset(APIS)), *sorted(named.capabilities - frozenset(CAPABILITIES))):
        raise UsageError(f"there is no {visible(word)}: APIs are {', '.join(APIS)}, and {', '.join(CAPABILITIES)}.")
    if not (named or everything or nothing):
        return _show(home, plugin, as_json=json)
    with noted(home, "approve", plugin) as line:
        return _approve(home, plugin, line, None if everything else named, yes=yes, as_json=json)


def _approve(home: Home, plugin: str, line: Line, named: Grants | None, *, yes: bool, as_json: bool) -> int:
    """``named``: None for all that it asks for."""
    from loader.cli import exits
    from loader.cli.consent import must_be_able_to_ask, says_yes
    from loader.cli.console import print_json, remark, say
    from loader.errors import UsageError
    from loader.packages.grants import approved
    from loader.packages.install import Packages, only
    from loader.reports.package import grants_text
    from loader.reports.safe import visible

    packages = Packages(home)
    record = packages.get(plugin)
    wanted = record.requested if named is None else named
    given = approved(record.requested, wanted.apis, wanted.capabilities)
    if not record.requested and wanted:
        raise UsageError(f"{record.id} asks for nothing, so there is nothing to approve.")
    if wanted - given:
        remark(f"It does not ask for {visible(grants_text(wanted - given))}: that is not granted.")
    if given and not yes:
        must_be_able_to_ask(f"Approving what {record.id} asks for")
        if not says_yes(f"Grant {visible(record.id)} {visible(grants_text(given))}, and nothing else?"):
            line.outcome = "refused"
            remark("Nothing was changed.")
            return exits.NEEDS_PERSON

    entry = packages.approve(record.id, given, only(lambda now: now, record))
    if as_json:
        print_json(_told(entry))
    else:
        say(f"{visible(record.id)} is granted {visible(grants_text(given)) or 'nothing'}")
    return exits.FINE


def _show(home: Home, plugin: str, *, as_json: bool) -> int:
    from loader.cli import exits
    from loader.cli.console import print_json, say
    from loader.packages.install import Packages
    from loader.reports.package import grants_text
    from loader.reports.safe import visible

    packages = Packages(home)
    record, entry = packages.get(plugin), packages.entry(plugin)
    if as_json:
        print_json(_told(entry))
    else:
        say(f"{visible(record.id)} asks for {visible(grants_text(record.requested)) or 'nothing'}")
        say(f"granted: {visible(grants_text(_granted(entry))) or 'nothing'}")
    return exits.FINE


def _granted(entry: Entry) -> Grants:
    from loader.packages.grants import NOTHING

    return NOTHING if entry.current is None else entry.current.requested & entry.consent.approved


def _told(entry: Entry) -> dict[str, object]:
    from loader.packages.grants import missing_to_enable
    from loader.packages.record import grants_json

    record = entry.current
    assert record is not None  # noqa: S101 - it was found before
    return {
        "id": record.id,
        "requested": grants_json(record.requested),
        "approved": grants_json(_granted(entry)),
        "lacks": sorted(missing_to_enable(record.requested, entry.consent.approved)),
    }
