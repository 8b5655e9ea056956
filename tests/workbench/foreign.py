"""Web pages of somebody else, served from origins of their own."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def foreign_site(
    pages: Mapping[str, str], headers: Mapping[str, str] | None = None, arrived: list[str] | None = None
) -> Iterator[str]:
    """The origin of a site with these pages: path → HTML, or a script where the path ends in ``.js``.

    ``arrived`` gets a line, method and path, for each request that really came."""

    class Handler(BaseHTTPRequestHandler):
        def parse_request(self) -> bool:
            understood = super().parse_request()
            if arrived is not None:
                arrived.append(f"{self.command} {self.path}")
            return understood

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            text = pages.get(path)
            if text is None:
                self.send_error(404)
                return
            body = text.encode()
            self.send_response(200)
            kind = "text/javascript" if path.endswith(".js") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the standard library
            """Silent: what matters is what the browser says."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
