"""`serve`: the service for one home, in this terminal, until Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from loader.cli.ending import ends_well_from_the_start
from loader.cli.options import HermesHome, Mode, NoRehearse, Profile, home_of

if TYPE_CHECKING:
    from loader.server.endpoint import Endpoint

EXAMPLE = "hermes-desktop serve --open"


@ends_well_from_the_start()
def command(
    port: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=65535, help="0: any. Default: 8787 or the next.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    on_broken_save: Annotated[
        Literal["keep", "unload"], typer.Option("--on-broken-save", help="The last good one then.")
    ] = "keep",
    id_mismatch: Annotated[
        Literal["error", "warn"], typer.Option("--id-mismatch", help="What another name is.")
    ] = "error",
    origin: Annotated[list[str] | None, typer.Option(metavar="URL", help="A web origin to let in beside ours.")] = None,
    react_dir: Annotated[
        Path | None,
        typer.Option("--react-dir", metavar="DIR", help="React from npm, for plugins in the page."),
    ] = None,
    backend_sandbox: Annotated[
        Literal["auto", "none", "bwrap"], typer.Option("--backend-sandbox", help="How backends are fenced in.")
    ] = "none",
    backend_network: Annotated[
        bool,
        typer.Option("--backend-network/--no-backend-network", hidden=True, help="Network for fenced-in backends."),
    ] = True,
    backends_at_once: Annotated[
        bool, typer.Option("--backends-at-once", hidden=True, help="Start backends with the service.")
    ] = False,
    hermes_python: Annotated[
        str | None, typer.Option("--hermes-python", metavar="FILE", help="The Python that runs backends.")
    ] = None,
    rehearsal: Mode = "warn",
    no_rehearse: NoRehearse = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Watch the home, check every save, and tell shells what to load. Ends with Ctrl-C."""
    import gc

    gc.disable()
    from loader.cli.serve_log import ServeLog, log_to_terminal
    from loader.server.service import Hooks, run
    from loader.settings import AnalysisSettings, BackendSettings, ServiceSettings

    # What was imported stays: nobody needs to look through it for garbage, now (a sixth of the start) or at a save.
    gc.freeze()
    gc.enable()

    home = home_of(hermes_home, profile)
    react = None
    if react_dir is not None:
        from loader.react.choosing import React
        from loader.react.module import react_module

        react = React(react_module(react_dir))
    settings = ServiceSettings(
        on_broken_save=on_broken_save,
        id_mismatch=id_mismatch,
        backends=BackendSettings(
            at_once=backends_at_once,
            sandbox=backend_sandbox,
            network=backend_network,
            hermes_python=hermes_python,
        ),
        analysis=AnalysisSettings(rehearsal="off" if no_rehearse else rehearsal, unknown_export="warning"),
    )
    log_to_terminal()
    log = ServeLog()
    log.starts(home)

    def ready(endpoint: Endpoint) -> None:
        log.listens(endpoint.url)
        if open_page:
            open_when_ready(endpoint)

    run(
        home,
        settings,
        port=port,
        origins=tuple(origin or ()),
        react=react,
        hooks=Hooks(say=log.says, on_ready=ready, on_event=log.hears),
    )
    log.ended()


def open_when_ready(endpoint: Endpoint) -> None:
    """Open the page from a thread of its own: a browser may take seconds to answer, and the loop must not wait."""
    import threading

    from loader.cli.open_page import open_link

    threading.Thread(target=open_link, args=(endpoint,), daemon=True, name="open-page").start()
