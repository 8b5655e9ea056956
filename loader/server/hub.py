"""Fan-out: one event in, one text, one bounded queue for each client. Nobody waits for a slow one.

Everything here is synchronous and runs on the event loop, so a client that connects between two events gets a snapshot
that holds the first and the second as a message: nothing twice, nothing lost, nothing out of order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from itertools import count

from loader.nouns import BackendEvent, Event, Json, PolicyEvent
from loader.server.announcer import Announcer
from loader.server.protocol import Answer, CallShell, Failure, Sent, encode
from loader.server.ring import Ring
from loader.server.send_queue import QUEUE_LIMIT_BYTES, QUEUE_LIMIT_MESSAGES, SendQueue
from loader.server.sessions import Caller

CLIENTS_LIMIT = 256
OVERFLOW_GRACE_S = 5.0
CALLS_LIMIT = 256

CLOSE_GOING_AWAY = 1001
CLOSE_TEXT_ONLY = 1003
CLOSE_TOO_SLOW = 4008


class Client:
    """One connection. ``credential`` is who opened it, as the gate judged. ``closed`` is done once the hub wants it to
    end: its result is (close code, reason)."""

    def __init__(self, hub: Hub, queue_limit_messages: int, queue_limit_bytes: int) -> None:
        loop = asyncio.get_running_loop()
        self.closed: asyncio.Future[tuple[int, str]] = loop.create_future()
        self.shell: str | None = None
        self.credential: Caller | None = None
        self.calls: dict[str, asyncio.Future[Json]] = {}
        self._hub = hub
        self._overflows = 0
        self._timers: set[asyncio.TimerHandle] = set()
        self.queue = SendQueue(self._on_overflow, limit_messages=queue_limit_messages, limit_bytes=queue_limit_bytes)

    def send(self, message: Sent) -> None:
        """An answer or a call: in order with the events, never waiting."""
        self.queue.put_answer(encode(message))

    async def next_text(self) -> str:
        """What the connection's one sender task sends next; a snapshot is made at the moment it is sent."""
        taken = await self.queue.take()
        return self._hub.snapshot() if taken is None else taken

    def close(self, code: int, reason: str) -> None:
        if not self.closed.done():
            self.closed.set_result((code, reason))

    def end_calls(self, why: str) -> None:
        """The shell is gone: whoever waits for it learns so now."""
        for waiting in self.calls.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError(why))
        self.calls.clear()

    def stop(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self.end_calls("the shell has left")

    def settle(self, answer: Answer | Failure) -> None:
        """The shell's answer to one of our calls; one that comes too late finds nobody waiting and is dropped."""
        waiting = self.calls.pop(str(answer.id), None)
        if waiting is None or waiting.done():
            return
        if isinstance(answer, Answer):
            waiting.set_result(answer.result)
        else:
            waiting.set_result({"ok": False, "error": answer.message})

    def _on_overflow(self) -> None:
        self._overflows += 1
        seen = self._overflows
        loop = asyncio.get_running_loop()

        def judge() -> None:
            self._timers.discard(timer)
            if self.queue.owes_snapshot and self._overflows == seen:
                self.close(CLOSE_TOO_SLOW, "too slow")

        timer = loop.call_later(self._hub.overflow_grace_s, judge)
        self._timers.add(timer)


class Hub:
    def __init__(
        self,
        announcer: Announcer,
        *,
        ring: Ring | None = None,
        queue_limit_messages: int = QUEUE_LIMIT_MESSAGES,
        queue_limit_bytes: int = QUEUE_LIMIT_BYTES,
        overflow_grace_s: float = OVERFLOW_GRACE_S,
        clients_limit: int = CLIENTS_LIMIT,
    ) -> None:
        self.seq = 0
        self.overflow_grace_s = overflow_grace_s
        self._announcer = announcer
        self._ring = ring or Ring()
        self._queue_limit_messages = queue_limit_messages
        self._queue_limit_bytes = queue_limit_bytes
        self._clients_limit = clients_limit
        self._clients: set[Client] = set()
        self._to_publish: deque[Event | PolicyEvent | BackendEvent] = deque()
        self._publishing = False
        self._call_ids = count(1)
        self._shell_ids = count(1)

    # ------------------------------------------------------------ events

    def publish(self, event: Event | PolicyEvent | BackendEvent) -> None:
        """Number it, write it once, queue it for everybody. An event published meanwhile comes behind it."""
        self._to_publish.append(event)
        if self._publishing:
            return
        self._publishing = True
        try:
            while self._to_publish:
                self._publish_one(self._to_publish.popleft())
        finally:
            self._publishing = False

    def _publish_one(self, event: Event | PolicyEvent | BackendEvent) -> None:
        text = encode(self._announcer.message(event, self.seq + 1))
        self.seq += 1
        self._ring.append(self.seq, text)
        for client in self._clients:
            client.queue.put_event(text)

    def snapshot(self) -> str:
        return encode(self._announcer.hello(self.seq))

    # ------------------------------------------------------------ clients

    @property
    def clients(self) -> frozenset[Client]:
        return frozenset(self._clients)

    @property
    def ring_bytes(self) -> int:
        return self._ring.size_bytes

    @property
    def is_full(self) -> bool:
        return len(self._clients) >= self._clients_limit

    def connect(self, since: str | None = None) -> Client:
        """A new client with its first frames queued. ``since``: ``<instance>:<seq>`` as the client last saw it."""
        client = Client(self, self._queue_limit_messages, self._queue_limit_bytes)
        seq = self._seq_of(since)
        missed = None if seq is None else self._ring.after(seq)
        if seq is None or missed is None:
            client.queue.preload([self.snapshot()])
        else:
            client.queue.preload([encode(self._announcer.resumed(seq)), *missed])
        self._clients.add(client)
        return client

    def _seq_of(self, since: str | None) -> int | None:
        instance, _, seq = (since or "").rpartition(":")
        if instance != self._announcer.about.instance or not (seq.isascii() and seq.isdigit() and len(seq) < 16):
            return None
        return int(seq)

    def disconnect(self, client: Client) -> None:
        self._clients.discard(client)
        client.stop()

    def close_all(self, code: int, reason: str) -> None:
        for client in list(self._clients):
            client.close(code, reason)

    # ------------------------------------------------------------ shells

    def new_shell_id(self) -> str:
        return f"shell-{next(self._shell_ids)}"

    async def call_shell(self, shell: str, method: str, params: Mapping[str, Json], timeout_s: float) -> Json:
        """Ask one shell (see ``ports.CallShell`` for what is raised when)."""
        client = next((client for client in self._clients if client.shell == shell), None)
        if client is None:
            raise ConnectionError(f"{shell} is not mounted")
        if len(client.calls) >= CALLS_LIMIT or client.queue.is_crowded:
            raise ConnectionError(f"{shell} has too many calls open")
        call_id = f"call-{next(self._call_ids)}"
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        client.calls[call_id] = waiting
        client.send(CallShell(call_id, method, dict(params)))
        try:
            async with asyncio.timeout(timeout_s):
                return await waiting
        finally:
            client.calls.pop(call_id, None)
