"""`open`: the service's page, in a browser, with a code that lets a person in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.server.endpoint import Endpoint

EXAMPLE = "hermes-desktop open"


def command(
    plugin: Annotated[
        str | None, typer.Argument(metavar="ID", help="Show the tab of this installed plugin, or an install link.")
    ] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Open the service's page. Prints the link too: it lets one person in, for a minute.

    With an install link (hermes://plugin/install?repo=…): the page names it, and asks before anything is fetched.
    """
    from urllib.parse import quote

    from loader import client
    from loader.cli.console import print_json
    from loader.packages.links import is_link, parse_link

    tab = None
    if plugin is not None and is_link(plugin):
        parse_link(plugin)
        # Escaped whole: the page takes it for one word.
        tab = f"/#/packages/{quote(plugin, safe='').replace('~', '%7E')}"
    with client.connect(home_of(hermes_home, profile)) as connected:
        if tab is None and plugin is not None:
            tab = connected.request("POST", f"/v1/packages/{quote(plugin, safe='')}/open")["url"]
        link = connected.page_link(tab)
    if json:
        print_json({"url": link})
    else:
        show_link(link)


def open_link(endpoint: Endpoint) -> None:
    """For `serve --open`: get a code from the service that has just begun to answer, and open its page."""
    from loader import client
    from loader.cli.console import remark
    from loader.errors import LoaderError
    from loader.reports.safe import visible

    try:
        with client.Client(endpoint) as connected:
            show_link(connected.page_link())
    except LoaderError as failure:
        remark(f"The page cannot be opened: {visible(str(failure))}")


def show_link(link: str) -> None:
    """Print the link and try a browser. No browser is no failure: the link can be followed by hand."""
    import webbrowser

    from loader.cli.console import remark, say

    say(link)
    try:
        opened = has_screen(os.environ, sys.platform) and webbrowser.open(link)
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        remark("No browser opened: follow the link yourself.")


def has_screen(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser would have a window: without one, `webbrowser` may start a text browser in our terminal."""
    if platform in ("win32", "darwin", "cygwin"):
        return True
    return any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"))
