"""page check of a dashboard: every plugin of its catalogue, the faults that a phone hides among them."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.pages.building import LABEL, document, line

ANSWERS: dict[str, Any] = {
    "/api/dashboard/plugins": [
        {"name": "good", "has_api": True},
        {"name": "climate", "has_api": True},
        {"name": "silent", "has_api": True},
        {"name": "bare"},
        {"name": "moved", "has_api": True},
    ],
    "/api/plugins/good/mobile/manifest": {
        "id": "good",
        "contributions": [
            {"id": "home", "title": "Home", "document": {"path": "pages"}},
            {"id": "other", "title": "Other", "document": {"path": "pages"}},
            {"id": "gone", "title": "Gone", "document": {"path": "gone"}},
        ],
    },
    "/api/plugins/good/pages": document(line(), more=[{"id": "third", "title": LABEL, "content": line("l")}]),
    "/api/plugins/climate/mobile/manifest": {"id": "weather"},
}


class Dashboard(http.server.BaseHTTPRequestHandler):
    seen: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        type(self).seen.append((self.path, self.headers.get("Authorization")))
        found = ANSWERS.get(self.path)
        if "/moved/" in self.path:
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        body = json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def dashboard() -> Iterator[str]:
    Dashboard.seen = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dashboard)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_every_plugin_is_asked_and_every_fault_is_said(
    cli: Cli, dashboard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_DASHBOARD_TOKEN", "secret")
    outcome = cli("page", "check", dashboard, "--format", "concise")
    assert outcome.code == 1
    found = [
        (line.split(": ")[0].removeprefix(dashboard).split(":")[0], line.split()[2])
        for line in outcome.out.splitlines()
    ]
    assert sorted(found) == [
        ("/api/plugins/climate/mobile/manifest", "HP716"),
        ("/api/plugins/good/pages", "HP733"),
        ("/api/plugins/good/pages", "HP733"),
    ]
    assert "bare: it has no backend" in outcome.err
    assert "silent: no pages (the backend answered 404)" in outcome.err
    assert "good: /api/plugins/good/gone cannot be read" in outcome.err
    assert {token for _, token in Dashboard.seen} == {"Bearer secret"}
    assert "/elsewhere" not in [path for path, _ in Dashboard.seen]
    assert [path for path, _ in Dashboard.seen].count("/api/plugins/good/pages") == 1


def test_without_a_catalogue_there_is_nothing_to_check(
    cli: Cli, dashboard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ANSWERS, "/api/dashboard/plugins", {})
    outcome = cli("page", "check", dashboard)
    assert outcome.code == 3
    assert "no array" in outcome.err


def test_an_address_that_nobody_answers_is_said(cli: Cli) -> None:
    outcome = cli("page", "check", "http://127.0.0.1:9")
    assert (outcome.code, outcome.out) == (3, "")
    assert "no answer" in outcome.err
