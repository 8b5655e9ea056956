"""A registry of our own on a port of its own: what it serves and how it misbehaves is the test's wish."""

from __future__ import annotations

import base64
import gzip
import hashlib
import http.server
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar, Literal

from loader.react.module import FILES
from loader.react.pinned import PinnedPackage

How = Literal["whole", "wrong", "large", "elsewhere", "moved", "round", "torn", "missing", "stalled"]


def sri(algorithm: str, data: bytes) -> str:
    return f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


def archive(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for path, data in {**files, "../evil.js": b"never unpacked"}.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)


def packages_of(texts: Mapping[str, bytes]) -> tuple[tuple[PinnedPackage, ...], dict[str, bytes]]:
    """Packages that hold these texts (by the names of ``FILES``), and their archives by path."""
    by_package: dict[str, dict[str, bytes]] = {}
    for name, places in FILES.items():
        package, _, path = places[0].partition("/")
        by_package.setdefault(package, {})[path] = texts[name]
    packages, archives = [], {}
    for name, files in by_package.items():
        data = archive(files)
        hashes = {path: sri("sha256", text) for path, text in files.items()}
        packages.append(PinnedPackage(name, "19.0.0", sri("sha512", data), len(data), hashes))
        archives[f"/{name}/-/{name}-19.0.0.tgz"] = data
    return tuple(packages), archives


def real_texts(folder: Path) -> dict[str, bytes]:
    """React itself, as npm installed it."""
    return {name: (folder / places[0]).read_bytes() for name, places in FILES.items()}


def pinned_json(packages: tuple[PinnedPackage, ...]) -> str:
    return json.dumps({"packages": [asdict(package) for package in packages]})


class Registry(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    archives: ClassVar[dict[str, bytes]] = {}
    how: ClassVar[How] = "whole"
    asked: ClassVar[list[str]] = []
    let_go: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        data = self.archives.get(self.path.removeprefix("/moved"), b"")
        match self.how:
            case "missing":
                self._answer(404, b"")
            case "wrong":
                self._answer(200, data[:-1] + bytes([data[-1] ^ 1]))
            case "large":
                self._answer(200, data + b"\0")
            case "elsewhere":
                self._answer(302, b"", "https://registry.invalid/react.tgz")
            case "round":
                self._answer(302, b"", self.path)
            case "moved" if not self.path.startswith("/moved"):
                self._answer(302, b"", f"/moved{self.path}")
            case "torn":
                self._answer(200, data[:-10], length=len(data))
                self.close_connection = True
            case "stalled":
                self._answer(200, data[:10], length=len(data))
                self.let_go.wait(60)
                self.close_connection = True
            case _:
                self._answer(200, data)

    def _answer(self, status: int, body: bytes, location: str | None = None, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def registry(archives: dict[str, bytes]) -> Iterator[tuple[str, type[Registry]]]:
    """Its address, and the class whose ``how`` is its mood."""

    class Mood(Registry):
        pass

    Mood.archives, Mood.how, Mood.asked, Mood.let_go = archives, "whole", [], threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mood)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", Mood
    finally:
        Mood.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()
