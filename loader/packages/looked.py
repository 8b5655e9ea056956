"""What a look at a source came to, and whether it may be installed: the same for the command line and the service."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from loader.checking.checked import CheckedFile
from loader.checking.run import Analyzer
from loader.errors import UsageError
from loader.packages.grants import NOTHING, Grants
from loader.packages.install import Packages
from loader.packages.planning import ONLY_YES, Plan, new_consent, new_record, same_source
from loader.packages.probe import Arrived, Probe, check_file, probed
from loader.packages.record import Entry
from loader.packages.refused import Invalid
from loader.packages.selecting import without


@dataclass(frozen=True, slots=True)
class Looked:
    """``plan`` is None where it cannot go there, for ``obstacle``. ``old`` is the check of the plugin.js that stands
    there. ``digest`` names exactly these bytes from exactly this source: what was shown is what may be installed.
    ``keeps`` is what stays approved, ``loses_trust`` says that a person's trust ends with it."""

    probe: Probe
    plan: Plan | None
    old: CheckedFile | None
    obstacle: UsageError | None
    digest: str
    keeps: Grants = NOTHING
    loses_trust: bool = False


async def looked_at(
    packages: Packages, arrived: Arrived, analyzer: Analyzer, left_out: Iterable[str] = (), *, updates: bool = False
) -> Looked:
    """Check and rehearse what arrived, then see where it would go. ``updates``: it is looked for where it came from.

    Raises:
        UsageError: it has no name that it could be installed under; a part to be left out is not there.
    """
    probe = await probed(arrived, analyzer)
    digest = digest_of(probe)
    probe = await asyncio.to_thread(without, probe, left_out)
    try:
        plan = await asyncio.to_thread(packages.plan, probe, updates=updates)
        entry = await asyncio.to_thread(packages.entry, probe.id)
    except UsageError as obstacle:
        return Looked(probe, None, None, obstacle, digest)
    path = plan.folder / plan.entry
    stands = plan.kind != "web-app" and plan.entry in plan.before
    old = await check_file(path, plan.id, analyzer, shown=plan.entry) if stands else None
    return _with_consent(Looked(probe, plan, old, None, digest), plan, entry, packages)


def _with_consent(looked: Looked, plan: Plan, entry: Entry, packages: Packages) -> Looked:
    record = new_record(packages.home, looked.probe, plan, "")
    kept = new_consent(entry, record, ONLY_YES).approved
    moved = entry.current is not None and not same_source(entry.current, record)
    return Looked(looked.probe, plan, looked.old, None, looked.digest, kept, entry.consent.trusted and moved)


def must_be_installable(looked: Looked, *, replace: bool, updates: str | None = None) -> Plan:
    """``replace``: what stands there may go. ``updates``: the id that it has to have.

    Raises:
        UsageError: it must not be installed, or something stands there. What its plugin.js lacks is not judged here.
    """
    probe, plan = looked.probe, looked.plan
    if looked.obstacle is not None:
        raise looked.obstacle
    assert plan is not None  # noqa: S101 (an obstacle otherwise)
    if probe.contents.problems:
        raise Invalid("; ".join(map(str, probe.contents.problems)))
    if updates is not None and probe.id != updates:
        raise UsageError(f"what lies there now calls itself {probe.id}, not {updates}. Install it by itself if wanted.")
    if plan.replaces and not replace:
        by = f"installed from {plan.current.source}" if plan.current is not None else "put there by hand"
        raise UsageError(f"{plan.folder} is there already ({by}). --force replaces it and shows what changes.")
    return plan


def digest_of(probe: Probe) -> str:
    """``sha256:…`` over where it comes from, what it asks for, and every byte of it."""
    asked = probe.requested
    lines = [probe.id, probe.contents.kind, probe.arrived.source.said, *sorted(asked.apis), *sorted(asked.capabilities)]
    lines += [f"{path}\0{digest}" for path, digest in sorted(probe.arrived.files.items())]
    return "sha256:" + sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
