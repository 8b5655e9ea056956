"""Fetches the pinned React: bounded, verified before a byte of it is unpacked, and kept whole or not at all."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import io
import secrets
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from loader.errors import LoaderError
from loader.loopback import is_loopback, is_plain_http
from loader.packages.durable import cannot_write, make_folder, remove_tree, sync_tree, write_file
from loader.react.pinned import PinnedPackage, version_of
from loader.state import ensure_state_dir

if TYPE_CHECKING:
    import httpx  # a tenth of a second of each service's start, which most never need

FETCH_TIMEOUT_S = 90.0
FILE_LIMIT_BYTES = 4 * 1024 * 1024
REDIRECTS = 3
# Of npm's archives: everything lies in one folder of this name.
TOP = "package"


class NotFetched(LoaderError):
    """Says what was refused or did not come. Nothing was kept."""


def react_folder(state_dir: Path, packages: tuple[PinnedPackage, ...]) -> Path:
    """Where these very packages are kept."""
    return state_dir / "react" / version_of(packages)


async def fetch_react(
    state_dir: Path, registry: str, packages: tuple[PinnedPackage, ...], *, timeout_s: float = FETCH_TIMEOUT_S
) -> Path:
    """Fetch and keep; the folder, which ``read_kept`` reads. ``timeout_s`` is for all of it.

    Raises NotFetched, or LoaderError when the disk does not take it.
    """
    try:
        # In a thread: it reads all certificates of the system.
        client = await asyncio.to_thread(_client, registry)
        async with asyncio.timeout(timeout_s), client as http:
            archives = {package.name: await _archive(http, package, registry) for package in packages}
    except TimeoutError:
        raise NotFetched(f"{registry} did not give React within {timeout_s:g} s. Nothing was kept.") from None
    return await asyncio.to_thread(_keep, state_dir, packages, archives)


def _client(registry: str) -> httpx.AsyncClient:
    import httpx

    # A proxy counts as it does for npm, except for a registry on this machine.
    parts = urlsplit(registry)
    on_this_machine = is_loopback(parts.hostname or "")
    headers = {"Accept": "application/octet-stream", "Accept-Encoding": "identity"}
    return httpx.AsyncClient(
        headers=headers,
        follow_redirects=False,
        trust_env=not on_this_machine,
        timeout=30.0,
        # Where nothing is encrypted there is nothing to verify with; it never goes on to another scheme.
        verify=not is_plain_http(registry),
    )


async def _archive(http: httpx.AsyncClient, package: PinnedPackage, registry: str) -> bytes:
    data = await _download(http, package, package.url(registry))
    actual = f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"
    if not hmac.compare_digest(actual, package.integrity):
        raise NotFetched(
            f"{package.url(registry)} is not {package.name} {package.version}: it is {actual}, expected was "
            f"{package.integrity}. Nothing was kept."
        )
    return data


async def _download(http: httpx.AsyncClient, package: PinnedPackage, url: str) -> bytes:
    import httpx

    home = _origin(url)
    for _ in range(REDIRECTS + 1):
        try:
            async with http.stream("GET", url) as response:
                if response.is_redirect:
                    url = urljoin(url, response.headers.get("location", ""))
                    if _origin(url) != home:
                        raise NotFetched(f"{package.name}: {home} sends elsewhere ({_origin(url)[:200]}).")
                    continue
                if response.status_code != 200:
                    raise NotFetched(f"{url} answered {response.status_code}.")
                data = bytearray()
                async for piece in response.aiter_raw():
                    data += piece
                    if len(data) > package.packed_bytes:
                        raise NotFetched(f"{url} is larger than the {package.packed_bytes} bytes it must have.")
                return bytes(data)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise NotFetched(f"{url} could not be fetched: {error or type(error).__name__}.") from error
    raise NotFetched(f"{package.name}: {home} sends from one address to the next without end.")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


# ---------------------------------------------------------------- keeping


def _keep(state_dir: Path, packages: tuple[PinnedPackage, ...], archives: Mapping[str, bytes]) -> Path:
    files = [(package, _unpacked(package, archives[package.name])) for package in packages]
    folder = react_folder(state_dir, packages)
    ensure_state_dir(state_dir)
    make_folder(folder.parent)
    staging = folder.parent / f".new-{secrets.token_hex(6)}"
    try:
        for package, texts in files:
            for path, text in texts.items():
                target = staging / package.name / path
                make_folder(target.parent)
                write_file(target, (text,))
        sync_tree(staging)
        if folder.exists():
            # Not whole, or nobody would have fetched it again.
            remove_tree(folder)
        staging.rename(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        remove_tree(staging)
    sync_tree(folder.parent)
    return folder


def _unpacked(package: PinnedPackage, archive: bytes) -> dict[str, bytes]:
    """The few files of the archive that are kept, each compared with its own hash."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as members:
            for path in package.files:
                content = members.extractfile(f"{TOP}/{path}")
                data = b"" if content is None else content.read(FILE_LIMIT_BYTES + 1)
                if not has_hash(data, package.files[path]):
                    raise NotFetched(f"{package.name} {package.version}: its {path} is another than expected.")
                found[path] = data
    except (tarfile.TarError, KeyError, EOFError, OSError, zlib.error) as error:
        raise NotFetched(f"{package.name} {package.version} cannot be unpacked: {error}.") from error
    return found


def has_hash(data: bytes, integrity: str) -> bool:
    return hmac.compare_digest(f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}", integrity)
