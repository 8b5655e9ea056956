"""Shows a file in the desktop's own file manager: a program with an argument list, never a shell.

Only a folder is opened, or a file selected in it; nothing of a plugin is run or opened by its kind.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

# A file manager that was not running yet may stay in the foreground: by then it has been shown.
WAIT_S = 4.0
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def reveal_command(path: Path, *, platform: str, environ: Mapping[str, str]) -> tuple[str, ...] | str:
    """The program and its arguments for an absolute path; a line that says why there is none."""
    if platform == "darwin":
        return ("/usr/bin/open", "-R", str(path))
    if platform in ("win32", "cygwin"):
        return (str(Path(environ.get("SystemRoot", r"C:\Windows")) / "explorer.exe"), "/select,", str(path))
    if not any(environ.get(name) for name in SCREENS):
        return "the service runs without a desktop: neither DISPLAY nor WAYLAND_DISPLAY is set"
    found = shutil.which("xdg-open", path=environ.get("PATH"))
    if found is None:
        return "there is no xdg-open, which asks the desktop's file manager"
    # xdg-open knows no selecting, and a file would be opened by its kind.
    return (found, str(path.parent))


async def reveal(
    path: Path, *, platform: str = sys.platform, environ: Mapping[str, str] | None = None, wait_s: float = WAIT_S
) -> str | None:
    """Show it; None when it was shown, else why not, in one line. Never raises for what the desktop does."""
    environ = os.environ if environ is None else environ
    if not path.is_absolute() or not await asyncio.to_thread(path.is_file):
        return "the file is not there"
    command = reveal_command(path, platform=platform, environ=environ)
    if isinstance(command, str):
        return command
    code = await asyncio.to_thread(_run, command, environ, wait_s)
    if isinstance(code, str):
        return code
    # Windows' explorer answers 1 also when all is well.
    fine = code == 0 or platform in ("win32", "cygwin")
    return None if fine else f"{Path(command[0]).name} ended with {code}"


def _run(command: tuple[str, ...], environ: Mapping[str, str], wait_s: float) -> int | str:
    nothing = subprocess.DEVNULL
    try:
        # Not asyncio's own: it kills what still runs once its transport is collected.
        process = subprocess.Popen(
            command, stdin=nothing, stdout=nothing, stderr=nothing, env=dict(environ), start_new_session=True
        )
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror or error}"
    try:
        return process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return 0
