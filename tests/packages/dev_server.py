"""A development server as an author runs one, on a port of its own: what it sends is changed by the test."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_TYPES = {"html": "text/html; charset=utf-8", "js": "text/javascript", "css": "text/css", "json": "application/json"}


@dataclass
class DevServer:
    """``files`` by path without the leading slash. ``answers``: other answers, as status, headers and body."""

    host: str
    port: int = 0
    files: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def answer(self, target: str) -> tuple[int, dict[str, str], bytes]:
        name = target.partition("?")[0].removeprefix("/")
        if name in self.answers:
            return self.answers[name]
        name = name if name and not name.endswith("/") else f"{name}index.html"
        if name not in self.files:
            return 404, {"Content-Type": "text/plain"}, b"no such file"
        kind = _TYPES.get(name.rpartition(".")[2], "text/plain")
        return 200, {"Content-Type": kind, "Cache-Control": "no-store"}, self.files[name].encode()


@contextmanager
def dev_server(files: dict[str, str], host: str = "localhost") -> Iterator[DevServer]:
    """``host`` is how it is called; ``[::1]`` listens there alone, every other name at IPv4 addresses."""
    server = DevServer(host, files=dict(files))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.path, self.headers.get("Host", "")))
            status, headers, body = server.answer(self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    class Listening(ThreadingHTTPServer):
        address_family = socket.AF_INET6 if host == "[::1]" else socket.AF_INET
        daemon_threads = True

    with Listening(("::1" if host == "[::1]" else "127.0.0.1" if host == "localhost" else host, 0), Handler) as found:
        server.port = found.server_port
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            found.shutdown()
            thread.join(10)
