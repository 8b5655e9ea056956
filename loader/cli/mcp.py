"""`mcp`: the tools for agents, over standard input and output."""

from __future__ import annotations

import sys

from loader.cli.options import HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop mcp"


def command(hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Serve agents over MCP on standard input and output.

    An agent's client starts this; docs/agents.md has its configuration. Ends with its client. The tools work without
    a running service, as far as they need none.
    """
    import asyncio

    from loader.agent_tools.server import serve_stdio
    from loader.cli.console import remark

    if sys.stdin.isatty():
        remark("Speaking MCP on standard input and output: an agent's client starts this. Ctrl-C ends it.")
    asyncio.run(serve_stdio(lambda: home_of(hermes_home, profile)))
