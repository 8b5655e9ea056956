"""How a worker is started: its command line, environment and, where wished, its sandbox."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loader import backend as client
from loader.backends import worker
from loader.backends.catalog import Manifest
from loader.backends.control import SOCKET_NAME
from loader.backends.interpreter import Interpreter
from loader.backends.paths import PREFIX
from loader.settings import BackendSettings, SandboxMode

# What programs need to work at all; nothing that opens anything.
ALLOWED_ENV = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM"),
        *("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
        *("PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"),
    )
)
# Not even when a plugin asks for them: they change what is run, or open the app's own server.
NEVER_ENV = re.compile(r"(?:LD_|DYLD_|PYTHON).*|HERMES_DASHBOARD_SESSION_TOKEN|HERMES_DESKTOP_.*", re.ASCII)
ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}", re.ASCII)
BWRAP_TRIAL_S = 10


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one backend's worker. ``run`` holds its socket and is made anew for each worker; the socket that
    it reports to lies beside it."""

    home: Path
    state: Path
    data: Path
    run: Path
    log: Path


@dataclass(frozen=True, slots=True)
class Launch:
    """``options`` is what the worker reads first, but for its secret and the host's address."""

    command: tuple[str, ...]
    env: Mapping[str, str]
    options: Mapping[str, Any]
    cwd: str
    sandboxed: bool


def environment(
    manifest: Manifest, places: Places, environ: Mapping[str, str], dotenv: Mapping[str, str]
) -> dict[str, str]:
    """``dotenv``: the home's .env, which Hermes reads into its own environment; only names asked for are taken."""
    made = {name: value for name, value in environ.items() if name in ALLOWED_ENV or name.startswith("LC_")}
    for name in manifest.requires_env:
        value = environ.get(name, dotenv.get(name))
        if value is not None and ENV_NAME.fullmatch(name) and not NEVER_ENV.fullmatch(name):
            made[name] = value
    made["HERMES_HOME"] = str(places.home)
    made["TMPDIR"] = made["TMP"] = made["TEMP"] = str(places.data / "tmp")
    made["PYTHONDONTWRITEBYTECODE"] = "1"
    made["PYTHONUNBUFFERED"] = "1"
    return made


def parse_dotenv(text: str) -> dict[str, str]:
    """``NAME=value`` lines, ``export`` and one pair of quotes taken off; anything else is passed over."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not ENV_NAME.fullmatch(name):
            continue
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        found[name] = value
    return found


def plan(
    manifest: Manifest,
    places: Places,
    interpreter: Interpreter,
    settings: BackendSettings,
    *,
    env: Mapping[str, str],
    bwrap: str | None,
) -> Launch:
    """``bwrap``: the program that makes the sandbox, None for no sandbox."""
    assert manifest.api is not None  # noqa: S101 - the gate let it through
    folder = real_folder(manifest)
    command: tuple[str, ...] = (interpreter.path, "-B", worker.__file__)
    if bwrap is not None:
        command = (*sandbox(bwrap, folder, places, settings), *command)
    has_unix = sys.platform != "win32"
    options = {
        "name": manifest.name,
        "folder": str(folder),
        "api": str(manifest.api),
        "prefix": f"{PREFIX}{manifest.name}",
        "listen": {"unix": str(places.run / "s")} if has_unix else {"port": 0},
        "client": client.__file__,
        "limits": {
            "memory_bytes": settings.memory_bytes,
            "files": settings.open_files,
            "cpu_s": settings.cpu_s,
            # Counted for each user outside of a name space of users: it would count the user's other programs.
            "processes": settings.processes if bwrap is not None else None,
        },
    }
    return Launch(command, env, options, str(places.data), sandboxed=bwrap is not None)


def real_folder(manifest: Manifest) -> Path:
    """The package's folder as the file's own path sees it: authors link packages into a home."""
    dashboard = (manifest.folder / "dashboard").resolve()
    return dashboard.parent


def sandbox(bwrap: str, folder: Path, places: Places, settings: BackendSettings) -> Sequence[str]:
    """Everything is read-only but the backend's own data and its socket; our state folder is not to be seen."""
    seen = [
        *("--ro-bind", "/", "/"),
        *("--dev", "/dev"),
        *("--proc", "/proc"),
        # Holds the endpoint's token; what is bound after it shows through.
        *("--tmpfs", str(places.state)),
        *("--ro-bind", str(folder), str(folder)),
        *("--bind", str(places.data), str(places.data)),
        *("--bind", str(places.run), str(places.run)),
        *("--bind", str(places.run.parent / SOCKET_NAME), str(places.run.parent / SOCKET_NAME)),
    ]
    apart = ["--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if not settings.network:
        apart.append("--unshare-net")
    return (bwrap, *seen, *apart, "--die-with-parent", "--chdir", str(places.data), "--")


def find_bwrap(
    mode: SandboxMode, *, which: Callable[[str], str | None] = shutil.which
) -> tuple[str | None, str | None]:
    """The program to use (None: no sandbox), and what to say when it was wished for and is not there. Blocks."""
    if mode == "none":
        return None, None
    program = which("bwrap") if sys.platform == "linux" else None
    why = "bubblewrap (bwrap) is not installed" if program is None else _trial(program)
    if why is None:
        return program, None
    return None, why


def _trial(program: str) -> str | None:
    """Whether it may make name spaces here: many containers and some distributions forbid it."""
    trial = (program, "--ro-bind", "/", "/", "--unshare-user-try", "--unshare-pid", "--die-with-parent", "--", "true")
    try:
        done = subprocess.run(trial, capture_output=True, timeout=BWRAP_TRIAL_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be run: {error}"
    if done.returncode == 0:
        return None
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"bubblewrap does not work here: {lines[-1] if lines else f'exit code {done.returncode}'}"
