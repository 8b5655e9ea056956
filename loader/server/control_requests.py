"""The control plane's calls on ``/v1/events``, named as the tools that agents know them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ListPlugins:
    pass


@dataclass(frozen=True, slots=True)
class InstallPlugin:
    """Exactly one of ``source``, ``path``, ``repository``, ``link`` and ``installed``. ``digest`` is that of the probe
    which a person saw; ``apis`` and ``capabilities`` are to be approved together with it."""

    source: str | None = None
    path: str | None = None
    repository: str | None = None
    link: str | None = None
    installed: str | None = None
    ref: str | None = None
    digest: str = ""
    force: bool = False
    enable: bool = False
    apis: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    without: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ApprovePluginGrants:
    id: str
    apis: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetPluginEnabled:
    id: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class UninstallPlugin:
    id: str


@dataclass(frozen=True, slots=True)
class OpenPluginTab:
    id: str


ControlCall: TypeAlias = (
    ListPlugins | InstallPlugin | ApprovePluginGrants | SetPluginEnabled | UninstallPlugin | OpenPluginTab
)
