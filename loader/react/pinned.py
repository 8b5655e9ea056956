"""Which React may be fetched: exact versions and hashes (``pinned.json``), and where a registry keeps them.

The versions and their ``integrity`` are those of ``tests/peers/package-lock.json``, which npm wrote; ``files`` are the
few that are kept, with hashes of their own, so that what lies on the disk is verified again each time it is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from loader.errors import UsageError
from loader.loopback import is_loopback

PINNED_FILE = Path(__file__).with_name("pinned.json")
REGISTRY = "https://registry.npmjs.org"
# npm reads the variable in either case; mirrors are set by it.
REGISTRY_VARIABLES = ("NPM_CONFIG_REGISTRY", "npm_config_registry")


@dataclass(frozen=True, slots=True)
class PinnedPackage:
    """``integrity``: sha512 of the archive as npm's lock files write it; ``files``: path → sha256, likewise."""

    name: str
    version: str
    integrity: str
    packed_bytes: int
    files: Mapping[str, str]

    def url(self, registry: str) -> str:
        return f"{registry}/{self.name}/-/{self.name}-{self.version}.tgz"


def pinned_packages(file: Path = PINNED_FILE) -> tuple[PinnedPackage, ...]:
    """React's packages in the order of their need."""
    rows = json.loads(file.read_text("utf-8"))["packages"]
    return tuple(PinnedPackage(**row) for row in rows)


def version_of(packages: tuple[PinnedPackage, ...]) -> str:
    """React's own version; the name of the folder that keeps them all."""
    return next(package.version for package in packages if package.name == "react")


def registry_of(environ: Mapping[str, str]) -> str:
    """The registry's address without a trailing slash: npm's own, or the mirror that npm is told of too.

    Raises UsageError for what is neither https nor on this machine, and for an address with a name or password in it.
    """
    wish = next((environ[name] for name in REGISTRY_VARIABLES if environ.get(name)), REGISTRY)
    try:
        parts = urlsplit(wish)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(
            f"the registry's address cannot be read ({error}): look at {REGISTRY_VARIABLES[0]}."
        ) from error
    if not host or parts.query or parts.fragment or parts.username is not None:
        # It is shown to people, so a secret must not stand in it.
        raise UsageError(f"{REGISTRY_VARIABLES[0]} must be a plain address, without a name, password or query.")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        raise UsageError(f"{REGISTRY_VARIABLES[0]} must be https, or http on this machine: {parts.scheme}://{host}.")
    return wish.rstrip("/")
