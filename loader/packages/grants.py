"""What a package asks for and what a person approves of it. Pure: nothing here consults or stores anything.

The manifest requests, the person approves a subset; only what is in both is ever granted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

APIS = ("tools", "storage", "cdp", "ai")
CAPABILITIES = ("read-only", "controls-browser")


@dataclass(frozen=True, slots=True)
class Grants:
    """A request, an approval, or what both have in common. ``apis`` are namespaces of the bridge, ``capabilities``
    what tools must be for a plugin to call them."""

    apis: frozenset[str] = frozenset()
    capabilities: frozenset[str] = frozenset()

    def __and__(self, other: Grants) -> Grants:
        return Grants(self.apis & other.apis, self.capabilities & other.capabilities)

    def __sub__(self, other: Grants) -> Grants:
        return Grants(self.apis - other.apis, self.capabilities - other.capabilities)

    def __le__(self, other: Grants) -> bool:
        return self.apis <= other.apis and self.capabilities <= other.capabilities

    def __bool__(self) -> bool:
        return bool(self.apis or self.capabilities)


NOTHING = Grants()


def approved(request: Grants, apis: Iterable[str], capabilities: Iterable[str]) -> Grants:
    """What is granted when a person approves these: never more than was asked for."""
    return request & Grants(frozenset(apis), frozenset(capabilities))


def after_reinstall(request: Grants, approval: Grants) -> Grants:
    """An approval outlives a new version only while all of it is still asked for; else the person is asked anew."""
    return approval if approval <= request else NOTHING


def missing_to_enable(request: Grants, approval: Grants) -> frozenset[str]:
    """The requested namespaces that nobody approved yet: a plugin is turned on when there is none."""
    return request.apis - approval.apis


def grown(before: Grants, after: Grants) -> Grants:
    """What a new version asks for beyond the old one."""
    return after - before
