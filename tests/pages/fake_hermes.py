"""A Hermes elsewhere on a port of its own: a catalogue, manifests, pages, and ill manners if the test wishes them."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.pages.building import LABEL, document, group

TOKEN = "s3cret-of-the-office"


def button(name: str, **action: Any) -> dict[str, Any]:
    return {"type": "button", "id": name, "label": {**LABEL, "value": name}, "action": {"id": name, **action}}


def manifest(plugin: str, **more: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "id": plugin,
        "display_name": plugin.title(),
        "requested_capabilities": [{"id": "plugin.api.write", "reason": "saves"}],
        "contributions": [{"id": "home", "title": "Home", "document": {"path": "pages/home"}}],
        **more,
    }


def words(text: str, **more: Any) -> Any:
    """A page that says something, and has two buttons."""
    line = {"type": "text", "id": "t", "text": {**LABEL, "value": text}}
    save = button("save", request={"path": "save"}, confirmation={**LABEL, "value": "Really save?"})
    return document(group(line, save, button("look", request={"path": "look", "method": "GET"})), **more)


@dataclass
class FakeHermes:
    """``answers``: path → JSON value, bytes, a number (a status), or one of stall, huge, moved, packed, token."""

    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, str, str | None, Any]] = field(default_factory=list)
    let_go: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def offer(self, plugin: str, text: str = "hello from afar", **more: Any) -> None:
        rows = self.answers.setdefault("/api/dashboard/plugins", [])
        if all(row["name"] != plugin for row in rows):
            rows.append({"name": plugin, "has_api": True})
        self.answers[f"/api/plugins/{plugin}/mobile/manifest"] = manifest(plugin, **more)
        self.answers[f"/api/plugins/{plugin}/pages/home"] = words(text)
        self.answers[f"/api/plugins/{plugin}/save"] = {"ok": True}
        self.answers[f"/api/plugins/{plugin}/look"] = {}

    def paths(self, method: str = "GET") -> list[str]:
        return [path for how, path, _, _ in self.asked if how == method]


@contextmanager
def fake_hermes() -> Iterator[FakeHermes]:
    fake = FakeHermes()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            fake.asked.append((self.command, self.path, self.headers.get("Authorization"), body))
            found = fake.answers.get(self.path, 404)
            status, extra, data = 200, {}, b""
            match found:
                case "stall":
                    fake.let_go.wait(60)
                    self.close_connection = True
                    return
                case "huge":
                    data = b" " * (5 * 1024 * 1024)
                case "moved":
                    status, extra = 302, {"Location": "/elsewhere"}
                case "packed":
                    data, extra = b"\x1f\x8b", {"Content-Encoding": "gzip"}
                case "token":
                    data = json.dumps({"said": self.headers.get("Authorization")}).encode()
                case int():
                    status = found
                case bytes():
                    data = found
                case _:
                    data = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Set-Cookie", "sticky=1")
            for name, value in extra.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            """Quiet."""

    class Quiet(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Whoever asked has hung up."""

    server = Quiet(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()
