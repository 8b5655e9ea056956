"""`react`: which React the page runs plugins with, and fetching it once, after a person's yes."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop react fetch"


def command(
    what: Annotated[
        Literal["show", "fetch", "remove"], typer.Argument(metavar="WHAT", help="show, fetch or remove.")
    ] = "show",
    yes: Annotated[bool, typer.Option("--yes", help="Fetch without asking.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Show, fetch once or remove the React that plugins run with in the page.

    Exact versions, from npm's registry (or NPM_CONFIG_REGISTRY), verified by their hashes before anything is unpacked.
    """
    import asyncio

    from loader.cli import exits
    from loader.cli.consent import must_be_able_to_ask, says_yes
    from loader.cli.console import print_json, remark, say
    from loader.packages.durable import remove_tree
    from loader.react.choosing import React
    from loader.react.fetching import react_folder
    from loader.react.pinned import pinned_packages

    state_dir = home_of(hermes_home, profile).state_dir
    react = React(state_dir=state_dir, environ=os.environ)
    folder = react_folder(state_dir, pinned_packages())
    if what == "remove":
        there = folder.parent.exists()
        remove_tree(folder.parent)
        say("React was removed." if there else "There was none.")
        return exits.FINE
    told = asyncio.run(react.told())
    if what == "fetch" and not told["ready"]:
        plan = react.plan()
        if not json:
            _show(plan)
        if not yes:
            must_be_able_to_ask("Fetching React")
            if not says_yes(f"Fetch these from {plan['registry']} and keep them in {folder}?"):
                remark("Nothing was fetched.")
                return exits.NEEDS_PERSON
        asyncio.run(React(state_dir=state_dir, environ=os.environ).fetch())
        told = told | {"ready": True, "origin": "fetched"}
    if json:
        print_json(told)
    elif told["ready"]:
        say(f"React {told['version']} is here, verified: {folder}")
    else:
        _show(told)
        remark("It was not fetched yet: hermes-desktop react fetch")
    return exits.FINE


def _show(plan: dict[str, Any]) -> None:
    from loader.cli.console import say
    from loader.reports.safe import visible

    for package in plan["packages"]:
        say(f"{package['name']} {package['version']}  {package['bytes']} bytes")
        say(f"  {visible(package['url'], limit=300)}")
        say(f"  {package['integrity']}")
