"""From a source to an installed package, with a person's word in between: what `install` and `update` share."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TextIO

from loader.checking.checked import CheckedFile
from loader.cli import exits
from loader.cli.check_now import open_checker
from loader.cli.consent import must_be_able_to_ask, says_yes
from loader.cli.console import console, print_json, remark, say, width
from loader.errors import UsageError
from loader.home import Home
from loader.packages.install import Packages
from loader.packages.planning import Plan
from loader.packages.probe import Arrived, Probe, check_file, fetch, probed, staging
from loader.packages.refused import Invalid
from loader.packages.sources import GitSource, Source
from loader.reports.package import Change, change_of, change_text, probe_json, probe_text
from loader.reports.safe import visible


@dataclass(frozen=True, slots=True)
class Wish:
    """``only_look``: install nothing. ``yes``: the person's word in advance. ``replace``: what stands there may go.
    ``updates`` is the id that the source has to have, None for a new install."""

    only_look: bool = False
    yes: bool = False
    replace: bool = False
    as_json: bool = False
    updates: str | None = None


def bring(home: Home, source: Source, wish: Wish) -> int:
    """Look, show, ask, install. Gives the exit code.

    Raises:
        NeedsPerson: nobody can be asked. Invalid, UsageError, LoaderError: as they come; nothing was changed.
    """
    packages = Packages(home)
    with staging(home) as place:
        arrived = fetch(source, place)
        if wish.updates is not None and _is_up_to_date(packages, wish.updates, arrived):
            return _nothing_new(packages, wish)
        probe, plan, old, obstacle = asyncio.run(_looked_at(packages, arrived))
        change = change_of(probe, plan, old) if plan is not None and plan.replaces else None
        if wish.only_look:
            return _shown(probe, plan, change, obstacle, wish)
        if obstacle is not None:
            raise obstacle
        assert plan is not None  # noqa: S101 (an obstacle otherwise)
        _may_go_there(probe, plan, wish)
        if probe.stops:
            return _stopped(probe, plan, change, wish)
        if not wish.as_json:
            _show(probe, plan, change)
        if not wish.yes:
            must_be_able_to_ask(f"{'Replacing' if plan.replaces else 'Installing'} {probe.id}")
            if wish.as_json:  # what the question is about goes where the question goes
                _show(probe, plan, change, sys.stderr)
            if not says_yes(f"{'Replace' if plan.replaces else 'Install'} {visible(probe.id)}?"):
                remark("Nothing was installed or changed.")
                return exits.NEEDS_PERSON
        packages.install(probe, plan)
        _said(probe, plan, change, wish)
        return exits.FINE


async def _looked_at(
    packages: Packages, arrived: Arrived
) -> tuple[Probe, Plan | None, CheckedFile | None, UsageError | None]:
    """The probe, where it would go, the check of what stands there, and what keeps it from going there."""
    async with open_checker(workers=1) as checker:
        probe = await probed(arrived, checker)
        try:
            plan = await asyncio.to_thread(packages.plan, probe)
        except UsageError as obstacle:
            return probe, None, None, obstacle
        entry = plan.folder / plan.entry
        old = await check_file(entry, plan.id, checker, shown=plan.entry) if plan.entry in plan.before else None
        return probe, plan, old, None


def _may_go_there(probe: Probe, plan: Plan, wish: Wish) -> None:
    if probe.contents.problems:
        raise Invalid("; ".join(map(str, probe.contents.problems)))
    if wish.updates is not None and probe.id != wish.updates:
        raise UsageError(
            f"what lies there now calls itself {probe.id}, not {wish.updates}. Install it by itself if wanted."
        )
    if plan.replaces and not wish.replace:
        by = f"installed from {plan.current.source}" if plan.current is not None else "put there by hand"
        raise UsageError(f"{plan.folder} is there already ({by}). --force replaces it and shows what changes.")


# ---------------------------------------------------------------- what is printed


def _show(probe: Probe, plan: Plan | None, change: Change | None, stream: TextIO | None = None) -> None:
    out = console(stream)
    out.print(probe_text(probe, plan, width=width()), end="")
    if change is not None and plan is not None:
        out.print(change_text(change, plan), end="")


def _shown(probe: Probe, plan: Plan | None, change: Change | None, obstacle: UsageError | None, wish: Wish) -> int:
    if wish.as_json:
        print_json(probe_json(probe, plan, change, installed=False))
    else:
        _show(probe, plan, change)
    if obstacle is not None:
        remark(f"It cannot be installed: {visible(str(obstacle))}")
    failed = probe.stops or probe.contents.problems or obstacle is not None
    return exits.FINDINGS if failed else exits.FINE


def _stopped(probe: Probe, plan: Plan, change: Change | None, wish: Wish) -> int:
    if wish.as_json:
        print_json(probe_json(probe, plan, change, installed=False))
    else:
        _show(probe, plan, change)
    count = len(probe.stops)
    remark(f"Nothing was installed: its plugin.js has {count} error{'s' if count > 1 else ''} and would not load.")
    return exits.FINDINGS


def _said(probe: Probe, plan: Plan, change: Change | None, wish: Wish) -> None:
    if wish.as_json:
        print_json(probe_json(probe, plan, change, installed=True))
        return
    say(f"{'Updated' if wish.updates else 'Installed'} {visible(probe.id)} in {visible(str(plan.folder))}")
    if plan.kind == "package" and not plan.replaces:
        if plan.entry in probe.arrived.files:
            remark(f"Its desktop half is off. Turn it on: hermes-desktop enable {probe.id}")
        if probe.contents.agent is not None:
            name = probe.contents.agent_name or probe.id
            remark(f"Its agent half is off. Turn it on in Hermes: hermes plugins enable {visible(name)}")


def _is_up_to_date(packages: Packages, package_id: str, arrived: Arrived) -> bool:
    record, source = packages.get(package_id), arrived.source
    # Another --ref than before is a wish of its own, whatever it holds.
    same_ref = not isinstance(source, GitSource) or source.ref == record.ref
    return same_ref and dict(record.files) == arrived.files and not packages.verify(record)


def _nothing_new(packages: Packages, wish: Wish) -> int:
    record = packages.get(wish.updates or "")
    if wish.as_json:
        print_json({"id": record.id, "installed": False, "up_to_date": True, "revision": record.revision})
    else:
        say(f"{visible(record.id)} is up to date ({visible(record.source)})")
    return exits.FINE
