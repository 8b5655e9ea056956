"""`reload`: have the service read plugins from disk now, whatever the watcher thinks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home

EXAMPLE = "hermes-desktop reload my-plugin --wait"


def command(
    plugins: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Ids or keys. Without: all.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the shells to say how it went.")] = False,
    timeout_s: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="How long to wait.")] = 10.0,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Read plugins from disk again, now, and print a row for each.

    Without a service: checks them, says so, and exits 3. Exits 1 when one has errors, 5 when --wait runs out.
    """
    from loader import client

    home = home_of(hermes_home, profile)
    endpoint = client.find(home)
    if endpoint is None:
        return _checked_instead(home, plugins or (), json=json)
    with client.Client(endpoint) as connected:
        rows = connected.reload(plugins or None, timeout_s if wait else 0.0)
    show(rows, json=json)
    silent = client.silent_shells(rows) if wait else []
    if silent:
        from loader.cli.console import remark
        from loader.reports.safe import visible

        remark(
            f"hermes-desktop: not within {timeout_s:g} s: {visible(', '.join(silent))}. Raise --timeout, or look there."
        )
        return exits.TIMED_OUT
    return exits.FINDINGS if any(map(is_failing, rows)) else exits.FINE


def is_failing(row: dict[str, Any]) -> bool:
    """Whether a reload of this plugin went wrong: in the check, or in a shell. A switched-off plugin did not fail."""
    return row["state"] == "failed" or any(shell["state"] == "failed" for shell in row["shells"])


def show(rows: Sequence[dict[str, Any]], *, json: bool) -> None:
    from loader.cli.console import print_json, print_table, remark, say
    from loader.cli.row_lines import finding_lines, rows_table

    if json:
        print_json({"plugins": list(rows)})
        return
    if not rows:
        remark("There is no plugin to reload.")
        return
    print_table(rows_table(rows))
    for row in filter(is_failing, rows):
        for line in finding_lines(row):
            say(line)


def _checked_instead(home: Home, names: Sequence[str], *, json: bool) -> int:
    """No service: what a service would say of these files, and how to start one."""
    import asyncio

    from loader.checking.targets import home_targets
    from loader.cli.access import no_such_plugin
    from loader.cli.check_now import check_now
    from loader.cli.check_show import show as show_run
    from loader.cli.console import remark
    from loader.reports.safe import visible
    from loader.settings import AnalysisSettings

    targets = home_targets(home)
    if names:
        for name in names:
            if not any(name in (target.candidate.folder, target.candidate.key) for target in targets):
                raise no_such_plugin(name, [target.candidate.folder for target in targets], home)
        targets = tuple(one for one in targets if {one.candidate.folder, one.candidate.key} & set(names))
    run = asyncio.run(check_now(targets, AnalysisSettings(unknown_export="warning")))
    show_run(run, "json" if json else "text")
    remark(
        f"hermes-desktop: no service is running for {visible(str(home.root))}, so nothing was reloaded; the files "
        "were checked instead. Start one: hermes-desktop serve"
    )
    return exits.NO_SERVICE
