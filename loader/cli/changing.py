"""What `enable`, `disable`, `forget`, `pin` and `unpin` share: ask for the change, then say what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from loader.cli.options import home_of

if TYPE_CHECKING:
    from loader.cli.access import Access
    from loader.home import Home


def change(
    act: Callable[[Access], dict[str, Any]],
    said: Callable[[dict[str, Any]], str],
    *,
    json: bool,
    hermes_home: str | None,
    profile: str | None,
    left_over: Callable[[Home], dict[str, Any] | None] = lambda _: None,
) -> None:
    """Do ``act`` through the service, or in the state files where none runs, and print the row or ``said`` of it.

    ``left_over`` does the same for a plugin that is gone, whose entry in the state files outlived it: what to print
    then (``id`` and ``text``), or None where there is no such entry either.
    """
    from loader.cli.access import open_access
    from loader.cli.console import print_json, remark, say
    from loader.errors import UsageError
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    # Who switches a plugin wants no rehearsal of all of them: the row's id and state do not depend on it.
    with open_access(home, rehearsal="off") as access:
        try:
            row = act(access)
        except UsageError:
            gone = left_over(home)
            if gone is None:
                raise
            print_json(gone) if json else say(gone["text"])
            return
        if access.service is None:
            remark(
                f"No service is running for {visible(str(home.root))}: written to {visible(str(home.state_dir))}, "
                "the next service finds it."
            )
    if json:
        print_json(row)
    else:
        say(said(row))


def switched(row: dict[str, Any]) -> str:
    """``clock is on (your choice), ready``."""
    from loader.cli.row_lines import counted, named

    state = f"{row['state']}: {counted(row['diagnostics'])}" if row["state"] == "failed" else row["state"]
    return f"{named(row)} is {'on' if row['enabled'] else 'off'} ({_WHO[row['choice_from']]}), {state}"


_WHO = {"ours": "your choice", "app": "the app's switch", "plugin": "its own default", "door": "the packages' default"}
