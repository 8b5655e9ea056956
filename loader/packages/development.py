"""Web apps under development: a server on this machine that serves the pages itself, and its manifest beside them.

Only the manifest is ever fetched, bounded in bytes, time and reach. What the server sends to the app's frame comes
under no policy of ours, at any time: so loopback addresses alone are taken, and the consent text says what that means.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from loader.errors import UsageError
from loader.packages.durable import write_file
from loader.packages.manifest import MANIFEST_FILE
from loader.packages.refused import shown

if TYPE_CHECKING:
    import httpx

FETCH_DEADLINE_S = 10.0
MANIFEST_LIMIT_BYTES = 64 * 1024
REDIRECTS_LIMIT = 3

_PATH = re.compile(r"/(?:[A-Za-z0-9._~!$&'()*+,;=@-]+/)*", re.ASCII)
_HTTP_PORT = 80
# In the order in which a browser tries them.
_LOCALHOST = ("[::1]", "127.0.0.1")
_HOW = "A development address reads http://localhost:5173/ (localhost, 127.x.x.x or [::1]; plugin.json lies there)."


@dataclass(frozen=True, slots=True)
class DevelopmentSource:
    """``url`` ends with a slash, and its host is ``localhost`` or an address of 127.0.0.0/8."""

    url: str

    @property
    def said(self) -> str:
        return self.url

    @property
    def name(self) -> str:
        return urlsplit(self.url).netloc.replace(":", "-")

    @property
    def warning(self) -> str:
        """What saying yes to it means, which is more than for files that are looked at first."""
        return (
            f"it serves its own pages: whatever {self.url} sends at any time runs, unseen by any check. Its frame has "
            "the sandbox and no more than you approve, but no network wall: it can send what it sees anywhere."
        )


def is_loopback_host(host: str) -> bool:
    """``localhost``, 127.0.0.0/8 or ``::1``, spelled plainly."""
    if host == "localhost" or host == "::1":
        return True
    try:
        return IPv4Address(host).is_loopback
    except ValueError:
        return False


def is_development(parts: SplitResult) -> bool:
    """Whether this web address is a page under development rather than a git repository: on this machine, and it names
    neither a ``.git`` nor a folder in one."""
    segments = parts.path.split("/")
    names_git = any(part.endswith(".git") for part in segments) or (bool(parts.fragment) and any(segments))
    return parts.scheme in ("http", "https") and is_loopback_host(parts.hostname or "") and not names_git


def development_source(parts: SplitResult) -> DevelopmentSource:
    """Raises UsageError: says what is wrong with the address."""
    host, text = parts.hostname or "", shown(parts.geturl())
    if parts.scheme != "http":
        raise UsageError(f"{text}: a development server on this machine is reached over http, not {parts.scheme}.")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"{text} holds a user name, which no development address has. {_HOW}")
    if parts.query or parts.fragment:
        raise UsageError(f"{text} names more than a folder that is served ('?' or '#'). {_HOW}")
    path = parts.path if parts.path.endswith("/") else f"{parts.path}/"
    if not _PATH.fullmatch(path) or any(part in (".", "..") for part in path.split("/")):
        raise UsageError(f"{text}: its path is no folder that can be named plainly. {_HOW}")
    # A page's policy cannot name an IPv6 address, and the name leads to the same server.
    name = "localhost" if host == "::1" else host
    try:
        port = parts.port if parts.port is not None else _HTTP_PORT
    except ValueError as error:
        raise UsageError(f"{text} has no port that can be. {_HOW}") from error
    if port == 0:
        raise UsageError(f"{text} has no port that can be. {_HOW}")
    return DevelopmentSource(f"http://{name}{'' if port == _HTTP_PORT else f':{port}'}{path}")


def page_url(url: str, entry: str) -> str:
    """What the app's tab loads: the address itself, which is what a server calls its index."""
    return url if entry == "index.html" else urljoin(url, entry)


def must_be_alone(url: str, others: Iterable[tuple[str, str]]) -> None:
    """Raises UsageError where another app (id and address) comes from the same server.

    One server is one origin, whatever the paths: frames of it reach into each other, and so into each other's bridge.
    """
    for package_id, other in others:
        if _site(other) == _site(url):
            raise UsageError(
                f"{package_id} is served from {other} already, and apps from one server could speak for each other. "
                "Serve this one on another port."
            )


def fetch_manifest(
    source: DevelopmentSource,
    into: Path,
    *,
    deadline_s: float = FETCH_DEADLINE_S,
    limit_bytes: int = MANIFEST_LIMIT_BYTES,
    now_s: Callable[[], float] = time.monotonic,
    transport: httpx.BaseTransport | None = None,
) -> int:
    """Write the server's ``plugin.json`` below ``into``, an empty folder; its size in bytes. Blocking.

    A redirect is followed only on the same server; proxies are never asked.

    Raises:
        UsageError: nothing answers, or not with a manifest; says which address was asked.
    """
    import httpx

    url, ends_at_s = urljoin(source.url, MANIFEST_FILE), now_s() + deadline_s
    # Nothing of the user's settings counts: no proxy, no credentials out of a netrc.
    client = httpx.Client(trust_env=False, timeout=deadline_s / 2, transport=transport, follow_redirects=False)
    with client:
        for _ in range(REDIRECTS_LIMIT + 1):
            with _answer(client, url) as response:
                onward = _redirect_of(response, url)
                if onward is None:
                    data = _body(response, url, limit_bytes, ends_at_s, now_s)
                    write_file(into / MANIFEST_FILE, iter((data,)))
                    return len(data)
            if now_s() > ends_at_s:
                raise _late(url)
            url = onward
    raise UsageError(f"{shown(url)}: it redirects more than {REDIRECTS_LIMIT} times.")


@contextmanager
def _answer(client: httpx.Client, url: str) -> Iterator[httpx.Response]:
    """The name is asked at this machine's own addresses, as browsers do, whatever a hosts file makes of it."""
    import httpx

    parts = urlsplit(url)
    port = parts.port or _HTTP_PORT
    hosts = _LOCALHOST if parts.hostname == "localhost" else (str(parts.hostname),)
    for host in hosts:
        there = urlunsplit(parts._replace(netloc=f"{host}:{port}"))
        try:
            with client.stream("GET", there, headers={"Accept-Encoding": "identity", "Host": parts.netloc}) as response:
                yield response
            return
        except httpx.ConnectError as error:
            if host == hosts[-1]:
                raise UsageError(f"nothing answers at {url}. Is the development server running?") from error
        except httpx.TimeoutException as error:
            raise _late(url) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UsageError(f"{url} does not answer as a server does ({shown(str(error) or 'no reason')}).") from error


def _redirect_of(response: httpx.Response, url: str) -> str | None:
    """The address that it leads on to; None where it answers by itself."""
    if not response.is_redirect:
        return None
    onward = urljoin(url, response.headers["location"])
    if _site(onward) != _site(url):
        raise UsageError(f"{url} leads to another server ({shown(onward)}). Name that one if you mean it.")
    return onward


def _site(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.netloc.casefold()
    except ValueError:
        return "", ""


def _body(response: httpx.Response, url: str, limit_bytes: int, ends_at_s: float, now_s: Callable[[], float]) -> bytes:
    if response.status_code != 200:
        raise UsageError(f"{url} answers {response.status_code}: a web app's manifest has to lie there.")
    if response.headers.get("content-type", "").startswith("text/html"):
        # Servers of single pages answer every address with their index.
        raise UsageError(f"{url} is answered with a page, so there is no manifest (Vite serves what lies in public/).")
    data = bytearray()
    for piece in response.iter_raw():
        data += piece
        if len(data) > limit_bytes:
            raise UsageError(f"{url} has more than {limit_bytes} bytes: that is no manifest.")
        if now_s() > ends_at_s:
            raise _late(url)
    return bytes(data)


def _late(url: str) -> UsageError:
    return UsageError(f"{url} did not answer within {FETCH_DEADLINE_S:g} s.")
