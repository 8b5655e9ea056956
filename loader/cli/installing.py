"""From a source to an installed package, with a person's word in between: what `install` and `update` share."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TextIO
from urllib.parse import urlsplit

from loader.cli import exits
from loader.cli.auditing import noted
from loader.cli.check_now import open_checker
from loader.cli.consent import has_terminal, must_be_able_to_ask, says_yes
from loader.cli.console import console, print_json, remark, say, width
from loader.home import Home
from loader.packages.grants import missing_to_enable
from loader.packages.install import Packages
from loader.packages.looked import Looked, looked_at, must_be_installable
from loader.packages.planning import Plan, Word
from loader.packages.probe import Arrived, fetch, staging
from loader.packages.record import Record
from loader.packages.selecting import files_without
from loader.packages.sources import GitSource, Source
from loader.packages.walled import host_of
from loader.reports.package import change_text, grants_text, probe_text
from loader.reports.package_data import change_of, looked_json
from loader.reports.safe import visible
from loader.server.endpoint import DEFAULT_PORT, find_endpoint
from loader.wall.paths import BRIDGE_PATH


@dataclass(frozen=True, slots=True)
class Wish:
    """``only_look``: install nothing. ``yes``: the person's word in advance. ``replace``: what stands there may go.
    ``updates`` is the id that the source has to have, None for a new install. ``enable``: turn it on, ``approve``:
    all that it asks for. ``without`` are parts to leave out."""

    only_look: bool = False
    yes: bool = False
    replace: bool = False
    as_json: bool = False
    updates: str | None = None
    enable: bool = False
    approve: bool = False
    without: tuple[str, ...] = ()


def bring(home: Home, source: Source, wish: Wish) -> int:
    """Look, show, ask, install. Gives the exit code.

    Raises:
        NeedsPerson: nobody can be asked. Invalid, UsageError, LoaderError: as they come; nothing was changed.
    """
    packages = Packages(home)
    with noted(home, "update" if wish.updates else "install", wish.updates or "") as line, staging(home) as place:
        if wish.only_look:
            line.outcome = None
        arrived = fetch(source, place)
        if wish.updates is not None and _is_up_to_date(packages, wish.updates, arrived, wish.without):
            line.outcome = None
            return _nothing_new(packages, wish)
        looked = asyncio.run(_looked_at(packages, arrived, wish))
        line.id = looked.probe.id
        if wish.only_look:
            return _shown(looked, wish)
        plan = must_be_installable(looked, replace=wish.replace, updates=wish.updates)
        if looked.probe.stops:
            line.outcome = "refused"
            return _stopped(looked, wish)
        if not wish.as_json:
            _show(looked)
        word = _asked(looked, plan, wish)
        if word is None:
            line.outcome = "refused"
            remark("Nothing was installed or changed.")
            return exits.NEEDS_PERSON
        record = packages.install(looked.probe, plan, word)
        _said(packages, looked, plan, record, wish)
        return exits.FINE


async def _looked_at(packages: Packages, arrived: Arrived, wish: Wish) -> Looked:
    async with open_checker(workers=1) as checker:
        return await looked_at(packages, arrived, checker, wish.without, updates=wish.updates is not None)


def _asked(looked: Looked, plan: Plan, wish: Wish) -> Word | None:
    """The person's word, in advance or now; None where they say no."""
    probe = looked.probe
    approve = probe.requested if wish.approve else None
    if wish.yes:
        return Word(approve, wish.enable)
    must_be_able_to_ask(f"{'Replacing' if plan.replaces else 'Installing'} {probe.id}")
    if wish.as_json:  # what the question is about goes where the question goes
        _show(looked, sys.stderr)
    on = " and turn it on" if wish.enable else ""
    if not says_yes(f"{'Replace' if plan.replaces else 'Install'} {visible(probe.id)}{on}?"):
        return None
    asks_more = plan.current is not None and bool(probe.requested - looked.keeps)
    if (wish.approve or asks_more) and has_terminal():
        more = visible(grants_text(probe.requested - looked.keeps))
        approve = probe.requested if more and says_yes(f"Approve what it asks for: {more}?") else None
    return Word(approve, wish.enable)


# ---------------------------------------------------------------- what is printed


def _show(looked: Looked, stream: TextIO | None = None) -> None:
    out, plan = console(stream), looked.plan
    out.print(probe_text(looked.probe, plan, width=width()), end="")
    if plan is not None and plan.replaces:
        out.print(change_text(change_of(looked.probe, plan, looked.old), plan, looked), end="")


def _shown(looked: Looked, wish: Wish) -> int:
    if wish.as_json:
        print_json(looked_json(looked))
    else:
        _show(looked)
    if looked.obstacle is not None:
        remark(f"It cannot be installed: {visible(str(looked.obstacle))}")
    failed = looked.probe.stops or looked.probe.contents.problems or looked.obstacle is not None
    return exits.FINDINGS if failed else exits.FINE


def _stopped(looked: Looked, wish: Wish) -> int:
    if wish.as_json:
        print_json(looked_json(looked))
    else:
        _show(looked)
    count = len(looked.probe.stops)
    remark(f"Nothing was installed: its plugin.js has {count} error{'s' if count > 1 else ''} and would not load.")
    return exits.FINDINGS


def _said(packages: Packages, looked: Looked, plan: Plan, record: Record, wish: Wish) -> None:
    if wish.as_json:
        print_json(looked_json(looked, installed=True))
        return
    probe = looked.probe
    say(f"{'Updated' if wish.updates else 'Installed'} {visible(probe.id)} in {visible(str(plan.folder))}")
    entry = packages.entry(record.id)
    lacks = missing_to_enable(record.requested, entry.consent.approved)
    if lacks:
        apis = " ".join(f"--api {api}" for api in sorted(record.requested.apis))
        remark(f"It asks for {', '.join(sorted(lacks))}. If you want that: hermes-desktop approve {record.id} {apis}")
    if record.url is not None:
        remark(f"For window.meithPlugin its page begins with: {_bridge_tag(packages.home, record.id)}")
    shows = record.kind == "web-app" or record.entry is not None
    if shows and not packages.is_on(entry):
        remark(f"It is off. Turn it on: hermes-desktop enable {record.id}")
    if probe.contents.agent is not None and not plan.replaces:
        name = probe.contents.agent_name or probe.id
        remark(f"Its agent half is off. Turn it on in Hermes: hermes plugins enable {visible(name)}")


def _bridge_tag(home: Home, package_id: str) -> str:
    """What a page that comes from a development server has to load by itself, at the port of the service."""
    endpoint = find_endpoint(home.state_dir)
    port = urlsplit(endpoint.url).port if endpoint is not None else DEFAULT_PORT
    return f'<script src="http://{host_of(package_id)}:{port}{BRIDGE_PATH}"></script>'


def _is_up_to_date(packages: Packages, package_id: str, arrived: Arrived, without: tuple[str, ...]) -> bool:
    record, source = packages.get(package_id), arrived.source
    # Another --ref than before is a wish of its own, whatever it holds.
    same_ref = not isinstance(source, GitSource) or source.ref == record.ref
    return same_ref and dict(record.files) == files_without(arrived, without) and not packages.verify(record)


def _nothing_new(packages: Packages, wish: Wish) -> int:
    record = packages.get(wish.updates or "")
    if wish.as_json:
        print_json({"id": record.id, "installed": False, "up_to_date": True, "revision": record.revision})
    else:
        say(f"{visible(record.id)} is up to date ({visible(record.source)})")
    return exits.FINE
