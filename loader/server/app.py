"""The one place where the parts of the server meet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import Receive, Scope, Send

from loader import __version__
from loader.backends.host import Backends
from loader.nouns import Event
from loader.packages.shelf import EmptyShelf
from loader.packages.walled import Shelf
from loader.policy.service import PolicyService
from loader.react.choosing import React
from loader.server import problems
from loader.server.absent_policy import AbsentPolicy
from loader.server.access import Access, Gate, normal_origins
from loader.server.announcer import About, Announcer
from loader.server.bodies import Bodies
from loader.server.capabilities import Capabilities
from loader.server.controlling import Controlling
from loader.server.describing import document
from loader.server.desk import Desk
from loader.server.hub import Hub
from loader.server.package_problems import PACKAGE_ERRORS
from loader.server.page_problems import DRAFT_ERRORS
from loader.server.parts import Parts
from loader.server.ports import CallShell, PipelinePort, PolicyPort, Publish
from loader.server.problem_kinds import NOT_FOUND
from loader.server.routes import (
    backends,
    drafts,
    events,
    health,
    insight,
    modules,
    packages,
    page_hosts,
    pages,
    plugins,
    policy,
    react,
    reload,
    session,
    wall,
)
from loader.server.sessions import Credentials
from loader.server.shims import ExportNames
from loader.server.static import mount_page
from loader.server.wall import Wall
from loader.server.walled_host import HostParts, WalledHost

# A new subject is a new file in ``routes`` and a line here.
ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    session.router,
    plugins.router,
    packages.router,
    insight.router,
    reload.router,
    policy.router,
    # Before the backends, whose paths begin as theirs do.
    drafts.router,
    pages.router,
    page_hosts.router,
    react.router,
    backends.router,
    modules.router,
    wall.router,
    events.router,
)

# FastAPI records request paths for whatever collector the environment names; paths hold capabilities.
NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}

MakePipeline = Callable[[Callable[[Event], None]], PipelinePort]
MakePolicy = Callable[[Publish, CallShell, Callable[[], PipelinePort]], PolicyPort]


MakeBackends = Callable[[Publish, Callable[[], PipelinePort]], Backends | None]


def host_policy(publish: Publish, call_shell: CallShell, pipeline: Callable[[], PipelinePort]) -> PolicyPort:
    """The policy of policy.md; names of plugins come from the inventory."""

    def label_of(plugin_id: str) -> str | None:
        plugin = pipeline().find(plugin_id)
        return plugin.name if plugin else None

    return PolicyService(publish=publish, call_shell=call_shell, label_of=label_of)


def no_policy(_: Publish, __: CallShell, ___: Callable[[], PipelinePort]) -> PolicyPort:
    return AbsentPolicy()


MakeShelf = Callable[[Callable[[], PipelinePort]], Shelf]


def no_shelf(_: Callable[[], PipelinePort]) -> Shelf:
    return EmptyShelf()


MakeControlling = Callable[[Shelf, Callable[[], PipelinePort], Publish], Controlling | None]


def no_controlling(_: Shelf, __: Callable[[], PipelinePort], ___: Publish) -> None:
    return None


def no_backends(_: Publish, __: Callable[[], PipelinePort]) -> None:
    return None


def make_parts(
    about: About,
    credentials: Credentials,
    make_pipeline: MakePipeline,
    make_policy: MakePolicy = host_policy,
    *,
    shipped_exports: Callable[[str], Iterable[str]] = lambda _: (),
    make_hub: Callable[[Announcer], Hub] = Hub,
    capabilities: Capabilities | None = None,
    make_backends: MakeBackends = no_backends,
    make_shelf: MakeShelf = no_shelf,
    make_controlling: MakeControlling = no_controlling,
) -> Parts:
    """Tie the knot: pipeline and policy publish through the hub, whose snapshots ask the pipeline and the policy."""
    made: dict[str, Any] = {}
    capabilities = capabilities or Capabilities()
    hub = make_hub(
        Announcer(about, credentials, capabilities, lambda: made["pipeline"], lambda: made["policy"]),
    )
    policy = made["policy"] = make_policy(hub.publish, hub.call_shell, lambda: made["pipeline"])
    shelf = make_shelf(lambda: made["pipeline"])

    def emit(event: Event) -> None:
        shelf.observe(event)
        policy.observe(event)
        hub.publish(event)

    pipeline = made["pipeline"] = make_pipeline(emit)
    exports = ExportNames(shipped_exports)
    wall = Wall(shelf, hub.call_shell, lambda: made["pipeline"], policy, hub.publish)
    controlling = make_controlling(shelf, lambda: made["pipeline"], hub.publish)
    desk = Desk(hub, pipeline, policy, credentials, exports, wall, controlling)
    backends = make_backends(hub.publish, lambda: made["pipeline"])
    return Parts(
        about, pipeline, policy, hub, desk, credentials, capabilities, exports, wall, backends, shelf, controlling
    )


async def _nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """Also for a WebSocket, which would be refused with a 403 and without a word."""
    await problems.refuse(
        problems.Problem(NOT_FOUND, f"nothing answers to {scope.get('method', 'a WebSocket')} here"),
        scope,
        receive,
        send,
    )
    await asyncio.sleep(0)  # as in the gate: let uvicorn see the connection end


def bare_app(routers: Iterable[APIRouter] = ROUTERS) -> FastAPI:
    """All routes, but nothing behind them and no gate before them: what the OpenAPI document is made of."""
    app = FastAPI(
        title="Hermes Desktop plugin host",
        version=__version__,
        docs_url=None,  # those pages load scripts from a CDN
        redoc_url=None,
        openapi_url="/openapi.json",
        telemetry=NO_TELEMETRY,
        redirect_slashes=False,  # one spelling of each path: what the gate judged is what is routed
    )
    for router in routers:
        # Not include_router, which works every route out a second time at the first request (a fifth of a second):
        # ours have their whole paths already.
        app.router.routes.extend(router.routes)
    mount_page(app)
    problems.install(app, *PACKAGE_ERRORS, *DRAFT_ERRORS)
    app.router.default = _nowhere
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    return app


def create_app(
    parts: Parts,
    *,
    origins: Iterable[str] = (),
    port: Callable[[], int | None] = lambda: None,
    routers: Iterable[APIRouter] = ROUTERS,
    react: React | None = None,
) -> FastAPI:
    """``origins``: web origins let in beside our own. ``port``: where the socket listens, once it does.

    ``react``: what plugins run with in the page.
    """
    app = bare_app(routers)
    app.state.parts = parts
    app.state.react = react = react or React()
    app.state.port = port
    app.state.origins = normal_origins(origins)
    walled = WalledHost(
        HostParts(parts.shelf, parts.wall.frames, port, parts.pipeline.running, parts.exports.of, react.text)
    )

    def id_of(name: str) -> str | None:
        plugin = parts.pipeline.find(name)
        # Not by its folder: a file that only names itself like another would open the doors of that name.
        return plugin.id if plugin is not None and name in (plugin.id, plugin.key) else None

    # The one that is added last stands first.
    app.add_middleware(Bodies)
    app.add_middleware(problems.Bugs)
    app.add_middleware(Access, gate=Gate(parts.credentials, app.state.origins, port, id_of), walled=walled)
    return app
