"""What `enable` and `disable` have to know of what came from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loader.cli.options import home_of
from loader.errors import UsageError

if TYPE_CHECKING:
    from loader.home import Home
    from loader.packages.audit import Caller


def switch_app(plugin: str, on: bool, *, json: bool, hermes_home: str | None, profile: str | None) -> bool:
    """Switch a web app; False for what is none.

    Raises:
        UsageError: what it asks for was not approved.
    """
    from loader.packages.manifest import is_app_id

    if not is_app_id(plugin):
        return False
    from loader.cli.auditing import noted
    from loader.cli.console import print_json, say
    from loader.packages.install import Packages
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    with noted(home, "enable" if on else "disable", plugin):
        Packages(home).switch_app(plugin, on)
    if json:
        print_json({"id": plugin, "enabled": on})
    else:
        say(f"{visible(plugin)} is {'on' if on else 'off'}")
    return True


def must_be_approved(plugin: str, home: Home, caller: Caller) -> None:
    """Raises UsageError for an installed plugin whose requests nobody approved. Of others nothing is said."""
    from loader.packages.audit import Audit
    from loader.packages.install import Packages
    from loader.packages.install import must_be_approved as must

    entry = Packages(home).entry(plugin)
    if entry.current is None:
        return
    try:
        must(entry.current, entry.consent)
    except UsageError:
        Audit(home).note(caller, "enable", plugin, "refused")
        raise


def note_switched(plugin: str, on: bool, home: Home, caller: Caller) -> None:
    """A line in the log, for what came from elsewhere."""
    from loader.packages.audit import Audit
    from loader.packages.install import Packages

    if Packages(home).find(plugin) is not None:
        Audit(home).note(caller, "enable" if on else "disable", plugin, "done")
