"""All backends of one home: who may run, which worker answers, and what the rows and the log say of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from loader.backends.catalog import Catalog, CatalogReader, Manifest
from loader.backends.config import CONFIG_FILE, ConfigReader, Lists
from loader.backends.control import ControlServer
from loader.backends.events import EventGate
from loader.backends.failures import Failure, Unavailable
from loader.backends.freshness import Print, fingerprint
from loader.backends.gate import Refused, judge
from loader.backends.interpreter import choose_interpreter
from loader.backends.launch import Launch, Places, environment, find_bwrap, parse_dotenv, plan
from loader.backends.log_file import LogFile
from loader.backends.process import WorkerProcess
from loader.backends.supervisor import Seat
from loader.errors import LoaderError
from loader.home import Home
from loader.nouns import BackendEvent, Json, Logged
from loader.regular_file import opened_regular
from loader.settings import BackendSettings
from loader.state import ensure_state_dir

log = logging.getLogger(__name__)

FOLDER = "backends"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
# A Unix socket's path has room for 104 bytes on some systems.
SOCKET_FOLDER_LIMIT = 80
RELOAD_WAIT_S = 10.0
QUIET_TIMES = 4
DOTENV_LIMIT_BYTES = 256 * 1024

NoteRow = Callable[[str, Mapping[str, Json] | None], None]


class Backends:
    """``note(folder, value)``: what the row of that package's folder says. ``publish``: on the event loop.

    Everything is called on one event loop. ``run`` keeps looking at code and switches; without it both are looked at
    with each request only.
    """

    def __init__(
        self,
        home: Home,
        settings: BackendSettings | None = None,
        *,
        publish: Callable[[Logged | BackendEvent], None] = lambda _: None,
        note: NoteRow = lambda _, __: None,
        environ: Mapping[str, str] | None = None,
        which: Callable[[str], str | None] = shutil.which,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self.settings = settings or BackendSettings()
        self._publish = publish
        self._note = note
        self._environ = os.environ if environ is None else environ
        self._which = which
        self._now_s = now_s
        self._catalog = CatalogReader(home)
        self._config = ConfigReader(home.home / CONFIG_FILE)
        self._reading = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._gates: dict[str, EventGate] = {}
        self._opening = asyncio.Lock()
        self._control: ControlServer | None = None
        self._run_folder: Path | None = None
        self._bwrap: str | None = None
        self._closed = False
        self._complained: set[str] = set()
        self._noted: set[str] = set()
        self._rows_changed = asyncio.Event()

    # ------------------------------------------------------------ requests

    async def reach(self, name: str, wait_s: float | None = None) -> WorkerProcess:
        """A worker for ``/api/plugins/<name>/``. Raises Unavailable with the reason why there is none."""
        manifest, code = await self._allowed(name)
        wait_s = self.settings.starting_wait_s if wait_s is None else wait_s
        worker = await self._seat(name).reach(manifest, code, wait_s)
        if worker.open >= self.settings.connections:
            raise Unavailable("busy", f"{name} has {self.settings.connections} requests open already", retry_after_s=1)
        return worker

    async def restart(self, name: str) -> None:
        """A new worker, whatever became of the old. Raises Unavailable."""
        manifest, code = await self._allowed(name)
        await self._seat(name).restart(manifest, code, RELOAD_WAIT_S)

    async def reload(self) -> None:
        """Look at the code of all that run, now, and wait until what changed is switched. Never raises."""

        async def one(name: str, seat: Seat) -> None:
            with contextlib.suppress(Unavailable):
                await seat.refresh(*await self._allowed(name), RELOAD_WAIT_S)

        await asyncio.gather(*(one(name, seat) for name, seat in list(self._seats.items())))

    async def rows(self) -> list[dict[str, Json]]:
        """Each backend of the home, sorted by name: ``{name, folder, state, detail, …}``."""
        catalog, lists = await asyncio.to_thread(self._read)
        return [self._row(name, catalog, lists) for name in sorted(catalog.by_name)]

    async def row(self, name: str) -> dict[str, Json]:
        catalog, lists = await asyncio.to_thread(self._read)
        return self._row(name, catalog, lists)

    def log_of(self, name: str) -> Path:
        return log_path(self._home, name)

    # ------------------------------------------------------------ life

    async def run(self) -> None:
        """Keep looking until cancelled; end every worker then. Raises LoaderError where a wished sandbox is missing."""
        if self.settings.sandbox == "bwrap":
            _, why = await asyncio.to_thread(find_bwrap, "bwrap", which=self._which)
            if why is not None:
                raise LoaderError(f"--backend-sandbox bwrap: {why}.")
        try:
            while True:
                try:
                    await self._look()
                except Exception as error:  # one look that fails must not end the service with all its plugins
                    self._complain(error)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pause_s()):
                        await self._rows_changed.wait()
                self._rows_changed.clear()
        finally:
            await self.close()

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(seat.close(at_once=True) for seat in self._seats.values()), return_exceptions=True)
        if self._control is not None:
            self._control.close()
        if self._run_folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._run_folder, ignore_errors=True)

    def _pause_s(self) -> float:
        """A home without backends is looked at less often: half of what its quiet service did was this."""
        return self.settings.look_every_s * (1 if self._seats or self._noted else QUIET_TIMES)

    def _complain(self, error: Exception) -> None:
        if repr(error) not in self._complained:
            self._complained.add(repr(error))
            log.error("backends could not be looked at", exc_info=error)

    async def _look(self) -> None:
        """Switches, code and rows, for all backends at once."""
        catalog, lists = await asyncio.to_thread(self._read)
        for name, seat in list(self._seats.items()):
            if isinstance(judge(name, catalog, lists), Refused):
                del self._seats[name]
                await seat.close()
                log.info("the backend %s was switched off", name)
            elif seat.worker is not None or seat.failure is not None:
                with contextlib.suppress(Unavailable):
                    manifest, code = await self._allowed(name)
                    seat.renew(manifest, code)
        if self.settings.at_once:
            for name in catalog.by_name:
                if name not in self._seats and isinstance(judge(name, catalog, lists), Manifest):
                    with contextlib.suppress(Unavailable):
                        self._seat(name).renew(*await self._allowed(name))
        for folder, manifest in catalog.by_folder.items():
            self._note(folder, self._row(manifest.name, catalog, lists))
        for folder in self._noted - set(catalog.by_folder):
            self._note(folder, None)
        self._noted = set(catalog.by_folder)

    # ------------------------------------------------------------ inside

    def _read(self) -> tuple[Catalog, Lists]:
        with self._reading:
            return self._catalog.read(), self._config.read()

    async def _allowed(self, name: str) -> tuple[Manifest, Print]:
        found, code = await asyncio.to_thread(self._judge, name)
        if isinstance(found, Refused):
            seat = self._seats.pop(name, None)
            if seat is not None:
                await seat.close()
                self._rows_changed.set()
            raise Unavailable(found.why, found.detail)
        return found, code

    def _judge(self, name: str) -> tuple[Manifest | Refused, Print]:
        found = judge(name, *self._read())
        if isinstance(found, Refused):
            return found, frozenset()
        assert found.api is not None  # noqa: S101 - the gate let it through
        if not os.path.isfile(found.api):  # noqa: PTH113 - which never raises
            return Refused("no-api", f"{name}: {found.api} does not exist"), frozenset()
        return found, fingerprint(found.folder, found.api.parent, found.folder / "plugin.yaml")

    def _seat(self, name: str) -> Seat:
        seat = self._seats.get(name)
        if seat is None:
            seat = self._seats[name] = Seat(
                name,
                self.settings,
                self._start,
                tell=lambda failure, kept: self._tell(name, failure, kept),
                changed=self._rows_changed.set,
                now_s=self._now_s,
            )
        return seat

    def _tell(self, name: str, failure: Failure, kept: bool) -> None:
        said = f"Failed to load plugin {name} API routes: {failure.text} [{failure.why}]"
        if failure.why == "crashed":
            said = f"The backend of plugin {name} crashed: {failure.text}"
        if kept:
            said += "; the last good one keeps answering"
        # Whoever listens prints the line; the trace stands in the row and in the backend's own log.
        log.info("%s%s", said, f"\n{failure.trace}" if failure.trace else "")
        self._publish(Logged("error", name, said))

    def _row(self, name: str, catalog: Catalog, lists: Lists) -> dict[str, Json]:
        seat = self._seats.get(name)
        row = row_at_rest(name, catalog, lists)
        if seat is None or row["state"] != "idle":
            return row
        row["state"] = seat.state
        if seat.failure is not None:
            row |= {"detail": seat.failure.text, "failure": seat.failure.as_json()}
        if seat.worker is not None and seat.worker.facts is not None:
            facts = seat.worker.facts
            kept = "" if seat.failure is None else f"the last good one keeps answering: {seat.failure.text}"
            row |= {"detail": kept, "pid": facts.pid, "python": facts.python, "sandboxed": facts.sandboxed}
        return row

    # ------------------------------------------------------------ starting one

    async def _start(
        self, manifest: Manifest, code: Print, on_gone: Callable[[WorkerProcess, Failure], None]
    ) -> WorkerProcess:
        control = await self._opened()
        assert self._run_folder is not None  # noqa: S101 - opened
        launch, log_file = await asyncio.to_thread(self._plan, manifest, self._run_folder)
        gate = self._gates.setdefault(manifest.name, EventGate(manifest.name, self.settings.events_per_s, self._now_s))

        def on_event(said: bytes) -> None:
            event = gate.judge(said)
            if event is not None:
                self._publish(event)

        worker = WorkerProcess(launch, code, log_file, self.settings, on_event=on_event, on_gone=on_gone)
        await worker.start(control)
        return worker

    def _plan(self, manifest: Manifest, run_folder: Path) -> tuple[Launch, LogFile]:
        state = self._home.state_dir
        own = folder_of(self._home, manifest.name)
        places = Places(self._home.home, state, own / "data", run_folder / secrets.token_hex(4), own / "log")
        (places.data / "tmp").mkdir(parents=True, exist_ok=True)
        places.run.mkdir(mode=0o700)
        dotenv: dict[str, str] = {}
        if manifest.requires_env:
            with contextlib.suppress(OSError), opened_regular(self._home.home / ".env") as file:
                dotenv = parse_dotenv(file.read(DOTENV_LIMIT_BYTES).decode("utf-8", "replace"))
        assert manifest.api is not None  # noqa: S101 - the gate let it through
        interpreter = choose_interpreter(
            manifest.api.parent, hermes_python=self.settings.hermes_python, which=self._which
        )
        env = environment(manifest, places, self._environ, dotenv)
        launch = plan(manifest, places, interpreter, self.settings, env=env, bwrap=self._bwrap)
        log_file = LogFile(
            places.log, limit_bytes=self.settings.log_limit_bytes, bytes_per_s=self.settings.log_bytes_per_s
        )
        return launch, log_file

    async def _opened(self) -> ControlServer:
        async with self._opening:
            if self._closed:
                raise Unavailable("starting", "the service ends", retry_after_s=2)
            if self._control is None:
                self._run_folder = await asyncio.to_thread(self._make_run_folder)
                self._bwrap, why = await asyncio.to_thread(find_bwrap, self.settings.sandbox, which=self._which)
                if why is not None:
                    if self.settings.sandbox == "bwrap":
                        raise LoaderError(f"--backend-sandbox bwrap: {why}")
                    log.warning("backends run without a sandbox: %s", why)
                control = ControlServer(self._run_folder)
                await control.open()
                self._control = control
            return self._control

    def _make_run_folder(self) -> Path:
        ensure_state_dir(self._home.state_dir)
        folder = self._home.state_dir / FOLDER / ".run"
        if len(os.fsencode(folder)) <= SOCKET_FOLDER_LIMIT:
            # Only one service has this home: what lies there is what a killed one left.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700, parents=True)
            return folder
        return Path(tempfile.mkdtemp(prefix="hermes-backends-"))


def row_at_rest(name: str, catalog: Catalog, lists: Lists) -> dict[str, Json]:
    """What is known of a backend without a worker: whether it may run, and if not, why."""
    found = judge(name, catalog, lists)
    manifest = catalog.by_name.get(name)
    row: dict[str, Json] = {
        "name": name,
        "folder": manifest.folder.name if manifest else None,
        "state": "idle",
        "detail": "starts with the first request",
        "failure": None,
        "pid": None,
        "python": None,
        "sandboxed": None,
    }
    if isinstance(found, Refused):
        return row | {"state": found.why, "detail": found.detail}
    if found.api is not None and not os.path.isfile(found.api):  # noqa: PTH113 - which never raises
        return row | {"state": "no-api", "detail": f"{found.api} does not exist"}
    return row


def rows_at_rest(home: Home) -> list[dict[str, Json]]:
    """Each backend of a home that no service runs for, sorted by name. Blocks."""
    catalog, lists = CatalogReader(home).read(), ConfigReader(home.home / CONFIG_FILE).read()
    return [row_at_rest(name, catalog, lists) for name in sorted(catalog.by_name)]


def folder_of(home: Home, name: str) -> Path:
    """The backend's own folder in our state: ``log`` and ``data``. What is no plain lower-case word gets a hash."""
    spelled = name
    if _PLAIN.fullmatch(name) is None:
        spelled = f"~{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return home.state_dir / FOLDER / (home.profile or "default") / spelled


def log_path(home: Home, name: str) -> Path:
    return folder_of(home, name) / "log"
