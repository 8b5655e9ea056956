"""The process of one backend: imports the plugin's file and serves it to the host, and to nobody else.

This one file is run by path, by whatever interpreter the plugin needs (its own ``.venv``, that of Hermes, ours), so
it uses the standard library only, and of that interpreter FastAPI. It speaks frames with the host instead of HTTP:
``kind`` (one letter), length (4 bytes), payload. What a frame carries is one ASGI message, so nothing is parsed twice,
no header can be smuggled, and no web server is needed in the plugin's interpreter. One connection is one request.

The host is told over a second connection (``control``): ready, failed and why, alive, events.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    # The folder of this file must not lend its modules to the plugin.
    del sys.path[0]

import asyncio
import contextlib
import hmac
import importlib.machinery
import importlib.util
import json
import os
import queue
import signal
import socket
import struct
import threading
import traceback
import types
from collections.abc import Callable
from typing import Any

SCOPE, BODY, END, GONE = b"S", b"B", b"E", b"D"
TEXT, BYTES, ACCEPT, CLOSE = b"T", b"Y", b"A", b"C"
RESPONSE, BROKEN = b"R", b"X"
# On the control connection.
HELLO, READY, FAILED, PING, PONG, EVENT, QUIT = b"h", b"r", b"f", b"p", b"o", b"e", b"q"

HEAD = struct.Struct(">cI")
FRAME_LIMIT_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 256 * 1024
EVENTS_WAITING = 256
LIFESPAN_S = 30.0
SHUTDOWN_S = 2.0
FINISH_S = 30.0
TRACE_LINES = 12
PR_SET_PDEATHSIG = 1
GUARDED_FOLDERS = (".venv", "venv", "site-packages")

Frame = tuple[bytes, bytes]
Message = dict[str, Any]
Scope = dict[str, Any]


# ---------------------------------------------------------------- frames


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    return HEAD.pack(kind, len(payload)) + payload


def said(kind: bytes, value: object) -> bytes:
    return frame(kind, json.dumps(value).encode("ascii"))


class Stream:
    """Frames over an asyncio connection. ``read`` may be cancelled at any point without losing a byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._head: tuple[bytes, int] | None = None
        self._reading = asyncio.Lock()

    async def read(self) -> Frame | None:
        """The next frame; None when the other side is gone, or sends what is no frame."""
        async with self._reading:
            try:
                if self._head is None:
                    self._head = HEAD.unpack(await self._reader.readexactly(HEAD.size))
                kind, size = self._head
                if size > FRAME_LIMIT_BYTES:
                    self.close()
                    return None
                payload = await self._reader.readexactly(size)
            except (asyncio.IncompleteReadError, OSError):
                return None
            self._head = None
            return kind, payload

    async def write(self, kind: bytes, payload: bytes = b"") -> None:
        """Raises OSError when the other side is gone."""
        if self._writer.is_closing():
            raise ConnectionResetError
        self._writer.write(HEAD.pack(kind, len(payload)))
        if payload:
            self._writer.write(payload)
        # Only when there is something to wait for: a handler that is cancelled inside of our send, and not at an await
        # of its own, leaves its generators unfinished.
        if self._writer.transport.get_write_buffer_size() > CHUNK_BYTES // 2:
            await self._writer.drain()

    async def tell(self, kind: bytes, value: object) -> None:
        await self.write(kind, json.dumps(value).encode("ascii"))

    async def write_body(self, body: bytes, last: bool) -> None:
        """A body in pieces that no frame refuses."""
        view = memoryview(body)
        while len(view) > CHUNK_BYTES:
            await self.write(BODY, bytes(view[:CHUNK_BYTES]))
            view = view[CHUNK_BYTES:]
        await self.write(END if last else BODY, bytes(view))

    def close(self) -> None:
        self._writer.close()

    async def finish(self) -> None:
        """Close, once the host has: a socket closed over bytes that nobody read takes with it what was sent last."""
        with contextlib.suppress(Exception):  # the host has left: there is nobody to finish for
            self._writer.write_eof()
            await asyncio.wait_for(self._discard(), FINISH_S)
        self._writer.close()

    async def _discard(self) -> None:
        while await self._reader.read(CHUNK_BYTES):
            pass


def plain_headers(headers: Any) -> list[list[str]]:
    return [[bytes(name).decode("latin-1"), bytes(value).decode("latin-1")] for name, value in headers]


def raw_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


# ---------------------------------------------------------------- requests


class Serving:
    """Plays an ASGI app to the host, one connection for each request."""

    def __init__(self, app: Any, secret: str) -> None:
        self._app = app
        self._secret = secret

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = Stream(reader, writer)
        try:
            first = await asyncio.wait_for(stream.read(), 10)
            if first is None or first[0] != SCOPE:
                return
            head = json.loads(first[1])
            if not hmac.compare_digest(str(head.pop("secret", "")), self._secret):
                return
            scope = self._scope_of(head)
            if scope["type"] == "websocket":
                await WebSocket(self._app, scope, stream).run()
            else:
                await Http(self._app, scope, stream).run()
        except Exception:  # of older interpreters too, where a timeout has another name; the connection ends alone
            traceback.print_exc()
        finally:
            await stream.finish()

    def _scope_of(self, head: dict[str, Any]) -> Scope:
        scope: Scope = dict(head)
        scope["headers"] = raw_headers(head["headers"])
        scope["raw_path"] = head["raw_path"].encode("latin-1")
        scope["query_string"] = head["query_string"].encode("latin-1")
        for end in ("client", "server"):
            scope[end] = tuple(head[end]) if head.get(end) else None
        # 2.3: Starlette then listens for the disconnect itself.
        scope["asgi"] = {"version": "3.0", "spec_version": "2.3"}
        scope["root_path"] = ""
        scope["state"] = {}
        if scope["type"] == "websocket":
            scope["extensions"] = {"websocket.http.response": {}}
        return scope


class Http:
    def __init__(self, app: Any, scope: Scope, stream: Stream) -> None:
        self._app, self._scope, self._stream = app, scope, stream
        self._body_read = self._started = self._ended = self._gone = False

    async def run(self) -> None:
        try:
            await self._app(self._scope, self._receive, self._send)
        except Exception:
            if not self._gone:
                traceback.print_exc()
        if not self._ended and not self._gone:
            with contextlib.suppress(OSError):
                await self._stream.write(BROKEN)

    async def _receive(self) -> Message:
        got = await self._stream.read()
        if got is not None and not self._body_read and got[0] in (BODY, END):
            self._body_read = got[0] == END
            return {"type": "http.request", "body": got[1], "more_body": not self._body_read}
        self._gone = True
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if self._gone or self._ended:
            return
        try:
            if message["type"] == "http.response.start":
                self._started = True
                head = {"status": int(message["status"]), "headers": plain_headers(message.get("headers", ()))}
                await self._stream.tell(RESPONSE, head)
            elif message["type"] == "http.response.body":
                self._ended = not message.get("more_body", False)
                await self._stream.write_body(message.get("body", b""), self._ended)
        except OSError:
            self._gone = True


class WebSocket:
    def __init__(self, app: Any, scope: Scope, stream: Stream) -> None:
        self._app, self._scope, self._stream = app, scope, stream
        self._greeted = self._accepted = self._ended = False

    async def run(self) -> None:
        code = 1000
        try:
            await self._app(self._scope, self._receive, self._send)
        except Exception:
            traceback.print_exc()
            code = 1011
        if self._ended:
            return
        with contextlib.suppress(OSError):
            if self._accepted:
                await self._stream.tell(CLOSE, {"code": code, "reason": ""})
            else:
                await self._stream.write(BROKEN)

    async def _receive(self) -> Message:
        if not self._greeted:
            self._greeted = True
            return {"type": "websocket.connect"}
        got = await self._stream.read()
        if got is not None and got[0] == TEXT:
            return {"type": "websocket.receive", "text": got[1].decode("utf-8", "surrogatepass")}
        if got is not None and got[0] == BYTES:
            return {"type": "websocket.receive", "bytes": got[1]}
        self._ended = True
        left = json.loads(got[1]) if got is not None and got[0] == GONE else {"code": 1006, "reason": ""}
        return {"type": "websocket.disconnect", "code": left["code"], "reason": left["reason"]}

    async def _send(self, message: Message) -> None:
        kind = message["type"]
        if self._ended:
            raise ConnectionResetError("the WebSocket is closed")
        if kind == "websocket.accept":
            self._accepted = True
            accepted = {
                "subprotocol": message.get("subprotocol"),
                "headers": plain_headers(message.get("headers", ())),
            }
            await self._stream.tell(ACCEPT, accepted)
        elif kind == "websocket.send":
            text = message.get("text")
            if text is not None:
                await self._stream.write(TEXT, text.encode("utf-8", "surrogatepass"))
            else:
                await self._stream.write(BYTES, bytes(message["bytes"]))
        elif kind == "websocket.close":
            self._ended = True
            closing = {"code": int(message.get("code", 1000)), "reason": message.get("reason") or ""}
            await self._stream.tell(CLOSE, closing)
        elif kind == "websocket.http.response.start":
            head = {"status": int(message["status"]), "headers": plain_headers(message.get("headers", ()))}
            await self._stream.tell(RESPONSE, head)
        elif kind == "websocket.http.response.body":
            self._ended = not message.get("more_body", False)
            await self._stream.write_body(message.get("body", b""), self._ended)


class Lifespan:
    """The app's startup and shutdown. An app that knows no lifespan is ready at once."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._to_app: asyncio.Queue[str] = asyncio.Queue()
        self._from_app: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def startup(self) -> str | None:
        """None, or what the plugin said when its startup failed."""
        self._task = asyncio.ensure_future(self._run())
        return await self._ask("startup", LIFESPAN_S)

    async def shutdown(self) -> None:
        if self._task is not None and not self._task.done():
            await self._ask("shutdown", SHUTDOWN_S)

    async def _run(self) -> None:
        async def receive() -> Message:
            return {"type": "lifespan." + await self._to_app.get()}

        await self._app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, self._from_app.put)

    async def _ask(self, what: str, within_s: float) -> str | None:
        assert self._task is not None  # noqa: S101 - startup comes first
        self._to_app.put_nowait(what)
        answer = asyncio.ensure_future(self._from_app.get())
        await asyncio.wait({answer, self._task}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            message = answer.result()
            return str(message.get("message") or "startup failed") if message["type"].endswith(".failed") else None
        answer.cancel()
        if not self._task.done():
            return f"its {what} did not end within {within_s:g} s"
        error = self._task.exception()
        return None if error is None else f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------- the host's word, and words to it


class Control:
    """A connection of its own with threads of its own: it works while the plugin is being imported."""

    def __init__(self, address: dict[str, Any], secret: str) -> None:
        self._socket = connect(address)
        self._sending = threading.Lock()
        self._events: queue.Queue[bytes] = queue.Queue(EVENTS_WAITING)
        self.tell(HELLO, {"secret": secret, "pid": os.getpid()})
        threading.Thread(target=self._pass_events_on, name="events", daemon=True).start()

    def tell(self, kind: bytes, value: object) -> None:
        self._write(said(kind, value))

    def event(self, payload: bytes) -> bool:
        try:
            self._events.put_nowait(payload)
        except queue.Full:
            return False
        return True

    def listen(self, loop: asyncio.AbstractEventLoop, leave: Callable[[], None]) -> None:
        """Answer pings from the loop (one that hangs does not), leave when told to."""

        def run() -> None:
            while True:
                kind = self._read()
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    if kind == PING:
                        loop.call_soon_threadsafe(self._pong)
                    elif kind == QUIT:
                        loop.call_soon_threadsafe(leave)

        threading.Thread(target=run, name="control", daemon=True).start()

    def _pong(self) -> None:
        self._write(frame(PONG))

    def _read(self) -> bytes:
        head = b""
        while len(head) < HEAD.size:
            with contextlib.suppress(OSError):
                got = self._socket.recv(HEAD.size - len(head))
                if got:
                    head += got
                    continue
            os._exit(0)  # the service is gone
        kind: bytes = HEAD.unpack(head)[0]  # the host's frames here carry nothing
        return kind

    def _pass_events_on(self) -> None:
        while True:
            self._write(frame(EVENT, self._events.get()))

    def _write(self, data: bytes) -> None:
        with self._sending:
            try:
                self._socket.sendall(data)
            except OSError:
                os._exit(0)


def connect(address: dict[str, Any]) -> socket.socket:
    if "unix" in address:
        made = socket.socket(socket.AF_UNIX)
        made.connect(address["unix"])
        return made
    return socket.create_connection(("127.0.0.1", address["port"]))


# ---------------------------------------------------------------- limits


def end_with_the_host() -> None:
    """Whatever becomes of the host, this process and its children in its session end too.

    Standard input is a pipe that only the host holds: its end is the host's. A small process forked before anything
    else watches it, because this one may hang in native code, and kills the whole group.
    """
    guarded = os.dup(0)
    os.set_inheritable(guarded, False)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    if hasattr(os, "fork") and os.getpid() == os.getpgid(0) and os.fork() == 0:
        for number in (1, 2):
            os.dup2(nothing, number)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _wait_for_end(guarded)
        os.killpg(0, signal.SIGKILL)
        os._exit(0)
    os.close(nothing)

    def wait() -> None:
        _wait_for_end(guarded)
        os._exit(0)

    threading.Thread(target=wait, name="host-watch", daemon=True).start()
    if sys.platform == "linux":
        with contextlib.suppress(Exception):  # without it the pipe still does it
            import ctypes

            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for_end(number: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(number, 64):
            pass


def limit_resources(limits: dict[str, Any]) -> None:
    """Where the system has such limits. A hard limit that is lower already stays."""
    try:
        import resource
    except ImportError:
        return
    wanted = [(resource.RLIMIT_CORE, 0)]
    # What is written to, where the system counts that: mere reservations (CUDA, Go) cost nothing.
    memory = "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"
    names = {"memory_bytes": memory, "files": "RLIMIT_NOFILE", "cpu_s": "RLIMIT_CPU", "processes": "RLIMIT_NPROC"}
    for key, name in names.items():
        if limits.get(key) and hasattr(resource, name):
            wanted.append((getattr(resource, name), int(limits[key])))
    for kind, value in wanted:
        with contextlib.suppress(ValueError, OSError):
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))


# ---------------------------------------------------------------- the plugin's file


class FromSource(importlib.machinery.SourceFileLoader):
    """Compiles what stands in the file: byte code of an older save of the same second and size is never used."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class Failure(Exception):
    def __init__(self, kind: str, error: str, **where: Any) -> None:
        super().__init__(error)
        self.report = {"kind": kind, "error": error, "file": None, "line": None, "trace": "", **where}


def read_plugins_from_source(folder: str) -> None:
    """Modules below the plugin's folder come from source; what is installed there in an environment does not."""
    real = os.path.realpath(folder)
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    make = importlib.machinery.FileFinder.path_hook(
        (FromSource, importlib.machinery.SOURCE_SUFFIXES),
        (importlib.machinery.ExtensionFileLoader, suffixes),
    )

    def hook(path: str) -> Any:
        inside = os.path.realpath(path)
        if inside != real and not inside.startswith(real + os.sep):
            raise ImportError("not of the plugin")
        if any(part in GUARDED_FOLDERS for part in inside[len(real) :].split(os.sep)):  # noqa: PTH206
            raise ImportError("an environment")
        return make(path)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()


def module_name(text: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in text)


def import_plugin(options: dict[str, Any]) -> Any:
    """The module of the plugin's file, in a package of its own made of the plugin's folder.

    ``from . import x`` finds the file's neighbours, ``from ..y import z`` the plugin's folder, and a plain
    ``import x`` finds a neighbour only where nothing installed goes by that name.
    """
    name, folder, api = options["name"], options["folder"], options["api"]
    read_plugins_from_source(folder)
    package = "hermes_plugin_" + module_name(name)
    root = types.ModuleType(package)
    root.__path__ = [folder]
    sys.modules[package] = root
    here = package
    inner = os.path.relpath(os.path.dirname(api), folder)  # noqa: PTH120 - plain strings throughout
    place = folder
    for part in inner.split(os.sep):  # noqa: PTH206
        place = os.path.join(place, part)  # noqa: PTH118
        here += "." + module_name(part)
        beginning = os.path.join(place, "__init__.py")  # noqa: PTH118
        if os.path.isfile(beginning):  # noqa: PTH113
            _run_file(here, beginning, [place])
        else:
            sys.modules[here] = types.ModuleType(here)
            sys.modules[here].__path__ = [place]
    sys.path.append(os.path.dirname(api))  # noqa: PTH120
    stem = os.path.splitext(os.path.basename(api))[0]  # noqa: PTH119, PTH122
    module = _run_file(here + "." + module_name(stem), api, None)
    # The name under which Hermes itself keeps it.
    sys.modules["hermes_dashboard_plugin_" + name] = module
    return module


def _run_file(name: str, path: str, search: list[str] | None) -> Any:
    loader = FromSource(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader, submodule_search_locations=search)
    assert spec is not None  # noqa: S101 - there is a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def failure_of(error: BaseException, folder: str) -> Failure:
    """What the author needs: the error in one line, its place in the plugin's own files, the end of the trace."""
    first = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, SystemExit):
        first = f"it called sys.exit({error.code!r})"
    file: str | None = None
    line: int | None = None
    frames = [
        entry
        for entry in traceback.extract_tb(error.__traceback__)
        if entry.filename != __file__ and not entry.filename.startswith("<frozen importlib")
    ]
    for entry in frames:
        if os.path.realpath(entry.filename).startswith(os.path.realpath(folder) + os.sep):
            file, line = entry.filename, entry.lineno
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno
    lines = "".join(traceback.format_list(frames) + traceback.format_exception_only(type(error), error)).splitlines()
    return Failure("import-failed", first, file=file, line=line, trace="\n".join(lines[-TRACE_LINES:]))


def make_app(options: dict[str, Any]) -> Any:
    """The plugin's routes under their prefix, as Hermes mounts them. Raises Failure."""
    try:
        from fastapi import APIRouter, FastAPI
    except Exception as error:
        where = f"{sys.executable}: {type(error).__name__}: {error}"
        raise Failure("import-failed", f"FastAPI cannot be imported by {where}") from error
    try:
        module = import_plugin(options)
    except BaseException as error:  # sys.exit() and KeyboardInterrupt are failures like any other
        raise failure_of(error, options["folder"]) from error
    router = getattr(module, "router", None)
    if not isinstance(router, APIRouter):
        what = "no 'router'" if router is None else f"a 'router' that is a {type(router).__name__}"
        raise Failure("no-router", f"it has {what}; it needs: router = APIRouter()", file=options["api"])
    try:
        app = FastAPI(title=options["name"], openapi_url=None, docs_url=None, redoc_url=None)
        app.include_router(router, prefix=options["prefix"])
        # After the plugin's own routes, which may have the same name.
        app.openapi_url = options["prefix"] + "/openapi.json"
        app.setup()
    except Exception as error:
        raise failure_of(error, options["folder"]) from error
    return app


def lend_client(path: str, control: Control) -> None:
    """``from loader.backend import publish`` works in every interpreter, installed or not."""
    package = types.ModuleType("loader")
    package.__path__ = []
    sys.modules["loader"] = package
    client = _run_file("loader.backend", path, None)
    client._send = control.event
    package.backend = client  # type: ignore[attr-defined]


# ---------------------------------------------------------------- all together


async def serve(app: Any, options: dict[str, Any], control: Control) -> None:
    loop = asyncio.get_running_loop()
    leave = asyncio.Event()
    control.listen(loop, leave.set)
    lifespan = Lifespan(app)
    refused = await lifespan.startup()
    if refused is not None:
        raise Failure("import-failed", f"its startup failed: {refused}", file=options["api"])
    serving = Serving(app, options["secret"])
    address = options["listen"]
    if "unix" in address:
        server: Any = await asyncio.start_unix_server(
            serving.connected, address["unix"], limit=2 * CHUNK_BYTES, backlog=256
        )
    else:
        server = await asyncio.start_server(serving.connected, "127.0.0.1", 0, limit=2 * CHUNK_BYTES, backlog=256)
        address = {"port": server.sockets[0].getsockname()[1]}
    control.tell(READY, {"address": address, "python": sys.executable, "version": sys.version.split()[0]})
    await leave.wait()
    server.close()
    await lifespan.shutdown()


def main() -> None:
    options = json.loads(sys.stdin.buffer.readline())
    end_with_the_host()
    limit_resources(options["limits"])
    sys.dont_write_bytecode = True
    control = Control(options["control"], options["secret"])
    code = 0
    try:
        lend_client(options["client"], control)
        app = make_app(options)
        asyncio.run(serve(app, options, control))
    except Failure as failure:
        print(f"{failure.report['error']}\n{failure.report['trace']}", file=sys.stderr, flush=True)
        control.tell(FAILED, failure.report)
        code = 3
    except BaseException:  # the last stop: the log is where anybody would look
        traceback.print_exc()
        code = 4
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        # Threads of the plugin must not keep it.
        os._exit(code)


if __name__ == "__main__":
    main()
