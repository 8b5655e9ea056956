"""The service as a soak keeps it: real, in a process of its own, with a channel to what `ill` can do to it."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench.service import Running, serving

ANSWER_WITHIN_S = 60.0


@dataclass(frozen=True)
class Standing:
    """``struck``: how often an injected fault was met so far; ``tasks`` of the event loop."""

    struck: int
    tasks: int


class Patient:
    """``http`` speaks to the service with its token; ``make`` changes what is wrong with the process."""

    def __init__(self, service: Running, http: httpx.AsyncClient, channel: socket.socket) -> None:
        self.service = service
        self.http = http
        self._channel = channel
        self._rest = b""

    @property
    def pid(self) -> int:
        return self.service.process.pid

    async def make(self, **illness: str | float) -> Standing:
        """Names and values as ``ill.Illness`` has them. Without any: only ask. Raises ConnectionError once it ended."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await loop.sock_sendall(self._channel, json.dumps(illness).encode() + b"\n")
            while b"\n" not in self._rest:
                piece = await loop.sock_recv(self._channel, 4096)
                if not piece:
                    raise ConnectionError("the service ended")
                self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return Standing(**json.loads(line))


@asynccontextmanager
async def patient(root: Path) -> AsyncIterator[Patient]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    number = theirs.fileno()
    command = [sys.executable, "-m", "bench.soaking.ill", str(number)]
    with ours, theirs:
        async with serving(root, command=command, pass_fds=(number,)) as service:
            theirs.close()  # so that its end is heard
            endpoint = service.endpoint
            headers = {"Authorization": f"Bearer {endpoint.token}"}
            async with httpx.AsyncClient(base_url=endpoint.url, headers=headers, timeout=60, trust_env=False) as http:
                yield Patient(service, http, ours)
