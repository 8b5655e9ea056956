"""The plugin's file, imported as Hermes does it, and the app made of its routes; or why that failed."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

TRACE_LINES = 12
GUARDED_FOLDERS = (".venv", "venv", "site-packages")


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
            run_file(here, beginning, [place])
        else:
            sys.modules[here] = types.ModuleType(here)
            sys.modules[here].__path__ = [place]
    sys.path.append(os.path.dirname(api))  # noqa: PTH120
    stem = os.path.splitext(os.path.basename(api))[0]  # noqa: PTH119, PTH122
    module = run_file(here + "." + module_name(stem), api, None)
    # The name under which Hermes itself keeps it.
    sys.modules["hermes_dashboard_plugin_" + name] = module
    return module


def run_file(name: str, path: str, search: list[str] | None) -> Any:
    loader = FromSource(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader, submodule_search_locations=search)
    assert spec is not None  # noqa: S101 - there is a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def _is_ours(filename: str) -> bool:
    here = os.path.dirname(__file__)  # noqa: PTH120 - plain strings throughout
    return filename.startswith(here + os.sep)


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
        if not _is_ours(entry.filename) and not entry.filename.startswith("<frozen importlib")
    ]
    for entry in frames:
        if os.path.realpath(entry.filename).startswith(os.path.realpath(folder) + os.sep):
            file, line = entry.filename, entry.lineno
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno
    lines = "".join(traceback.format_list(frames) + traceback.format_exception_only(type(error), error)).splitlines()
    return Failure("import-failed", first, file=file, line=line, trace="\n".join(lines[-TRACE_LINES:]))


def startup_failure(said: str, api: str) -> Failure:
    """As `failure_of`, where only text is left of the error: Starlette hands on the whole trace as the message."""
    lines = [line for line in said.splitlines() if line.strip()] or [said]
    places = re.findall(r'File "([^"]*)", line (\d+)', said)
    line = next((int(number) for file, number in reversed(places) if file == api), None)
    trace = "\n".join(lines[-TRACE_LINES:]) if len(lines) > 1 else ""
    return Failure("import-failed", f"its startup failed: {lines[-1].strip()}", file=api, line=line, trace=trace)


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


def lend_client(path: str, send: Callable[[bytes], bool]) -> None:
    """``from loader.backend import publish`` works in every interpreter, installed or not."""
    client = run_file("loader.backend", path, None)
    client._send = send
    sys.modules["loader"].backend = client  # type: ignore[attr-defined]
