"""One service for each Hermes root, and how clients find it: a lock, and ``endpoint.json`` beside it.

The lock is the truth, the file only an address: after a crash the file may name a port that by now belongs to
somebody else, so it is believed only while the lock is held. The system frees the lock whatever ends the service.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from loader.errors import LoaderError
from loader.state import ensure_state_dir, write_new

ENDPOINT_FILE = "endpoint.json"
LOCK_FILE = "service.lock"
DEFAULT_PORT = 8787
PORTS_TRIED = 100
LOOPBACK = "127.0.0.1"
LOOPBACK_6 = "::1"

_FILE_LIMIT_BYTES = 64 * 1024
# Clients take the lock for a moment to see whether anybody holds it; a starting service waits that moment out.
_PROBE_PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """``url`` has no trailing slash; ``started_at`` is UTC, RFC 3339. ``repr`` keeps the token to itself."""

    url: str
    token: str
    pid: int
    version: str
    instance: str
    started_at: str

    def __repr__(self) -> str:
        return f"Endpoint(url={self.url!r}, pid={self.pid}, instance={self.instance!r})"


class AlreadyRunning(LoaderError):
    """Another service holds the root (exit 3)."""


class PortTaken(LoaderError):
    """The port that was asked for is busy (exit 3)."""


# ---------------------------------------------------------------- the service's side


@contextmanager
def claim(state_dir: Path) -> Iterator[None]:
    """Hold the root for as long as the block runs; makes the state folder (0700) in an existing root.

    Raises AlreadyRunning with the first one's address, LoaderError when the folder or the lock cannot be made.
    """
    ensure_state_dir(state_dir)
    lock = _lock(state_dir, _PROBE_PATIENCE_S)
    try:
        lock.acquire()
    except Timeout:
        raise AlreadyRunning(_first_one(state_dir)) from None
    except OSError as error:
        raise LoaderError(f"{state_dir / LOCK_FILE} cannot be locked: {error.strerror or error}.") from error
    try:
        # What a crashed predecessor left names a stranger's port.
        _remove(state_dir)
        yield
    finally:
        lock.release()


def _first_one(state_dir: Path) -> str:
    found = _read(state_dir)
    if found is None:
        return f"another service for {state_dir.parent} is just starting or stopping. Try again."
    return f"a service for {state_dir.parent} runs already: {found.url} (process {found.pid}). Stop it first."


@contextmanager
def announced(state_dir: Path, endpoint: Endpoint) -> Iterator[None]:
    """``endpoint.json`` stands there, readable for its owner alone, while the block runs."""
    _write(state_dir, endpoint)
    try:
        yield
    finally:
        withdraw(state_dir, endpoint.instance)


def withdraw(state_dir: Path, instance: str) -> None:
    """Remove endpoint.json if it is that instance's. May be called twice."""
    found = _read(state_dir)
    if found is not None and found.instance == instance:
        _remove(state_dir)


def bind(port: int | None) -> socket.socket:
    """A listening socket on loopback. None: 8787 or the next free one; 0: the system chooses; else that one or none.

    Raises PortTaken.
    """
    if port:
        try:
            return _listen(port)
        except OSError as error:
            raise PortTaken(f"port {port} cannot be used: {error.strerror or error}. Take another --port.") from error
    usual = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED)
    for candidate in usual if port is None else (0,) * PORTS_TRIED:
        with contextlib.suppress(OSError, PortTaken):
            return _listen_where_both_are_free(candidate)
    raise PortTaken(f"no free port from {usual[0]} to {usual[-1]}. Name one with --port.")


def _listen_where_both_are_free(port: int) -> socket.socket:
    found = _listen(port)
    try:
        six = beside(found)
    except PortTaken:
        found.close()
        raise
    if six is not None:
        six.close()
    return found


def beside(listening: socket.socket) -> socket.socket | None:
    """The same port on the other loopback address; None where this machine has no such address.

    A browser looks for ``localhost``, and for every plugin's own host below it, at ``::1`` first. Whoever had our port
    there would answer in a plugin's name, and be handed what was approved for it.

    Raises PortTaken when somebody has.
    """
    port: int = listening.getsockname()[1]
    if not socket.has_ipv6:
        return None
    try:
        return _listen(port, LOOPBACK_6)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return None
        raise PortTaken(f"port {port} at [{LOOPBACK_6}] is another program's. Take another --port.") from error


def _listen(port: int, host: str = LOOPBACK) -> socket.socket:
    # The protocol is named because asyncio sets TCP_NODELAY only where it is: without it each answer waits 40 ms.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if sys.platform == "win32":
            # There SO_REUSEADDR would let a second process steal the port, and this forbids it.
            found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(2048)
    except OSError:
        found.close()
        raise
    found.setblocking(False)
    return found


def _write(state_dir: Path, endpoint: Endpoint) -> None:
    temporary = state_dir / f".{ENDPOINT_FILE}.tmp-{os.getpid()}.{secrets.token_hex(4)}"
    data = (json.dumps(asdict(endpoint), indent=2) + "\n").encode()
    try:
        write_new(temporary, data)
        temporary.replace(state_dir / ENDPOINT_FILE)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise LoaderError(f"{state_dir / ENDPOINT_FILE} cannot be written: {error.strerror or error}.") from error


def _remove(state_dir: Path) -> None:
    with contextlib.suppress(OSError):
        (state_dir / ENDPOINT_FILE).unlink()


# ---------------------------------------------------------------- the clients' side


def find_endpoint(state_dir: Path) -> Endpoint | None:
    """The running service's address; None when none runs (whatever lies in the file). Creates nothing."""
    found = _read(state_dir)
    if found is None or not is_held(state_dir):
        return None
    return found


def is_held(state_dir: Path) -> bool:
    """Whether a service holds the root: one that runs, starts or stops."""
    if not (state_dir / LOCK_FILE).is_file():
        return False
    lock = _lock(state_dir, 0)
    try:
        lock.acquire()
    except (Timeout, PermissionError):
        # No permission: somebody else's service, as far as can be seen.
        return True
    except OSError:
        return False
    lock.release()
    return False


def _read(state_dir: Path) -> Endpoint | None:
    """What the file says; None when there is none, or it is none of ours."""
    try:
        with (state_dir / ENDPOINT_FILE).open("rb") as file:
            fields = json.loads(file.read(_FILE_LIMIT_BYTES))
        endpoint = Endpoint(**{name: fields[name] for name in Endpoint.__dataclass_fields__})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = (endpoint.url, endpoint.token, endpoint.version, endpoint.instance, endpoint.started_at)
    return endpoint if all(isinstance(text, str) for text in texts) and isinstance(endpoint.pid, int) else None


def _lock(state_dir: Path, timeout_s: float) -> FileLock:
    # Kept after release: a name that vanishes could be locked twice, once under each of its two files.
    return FileLock(state_dir / LOCK_FILE, timeout=timeout_s, mode=0o600, preserve_lock_file=True)
