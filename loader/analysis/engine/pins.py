"""The exact versions and private names that the hardening leans on, checked before anything runs.

A changed private name must end in one clear sentence at start, not in a sandbox whose limits silently stopped binding.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

from loader.errors import LoaderError

PINNED = {"quickjs-rs": "0.2.6", "wasmtime": "50.0.1"}

_ENGINE_NAMES = ("_Instance", "_CUR", "_build_shared_linker", "_read_guest_wasm", "_SNAP_HEADER")
_INSTANCE_NAMES = ("c", "read", "alloc_write", "alloc_out", "free", "read_i32", "take_result", "snapshot", "restore")
_WASMTIME_NAMES = ("_SHARED_ENGINE", "_SHARED_ARTIFACTS", "SharedWasmArtifact", "instantiate_wasm_artifact")
_BINDINGS = (
    "wasmtime_config_async_stack_size_set",
    "wasmtime_config_signals_based_traps_set",
    "wasmtime_config_memory_reservation_set",
    "wasmtime_config_max_wasm_stack_set",
    "wasmtime_config_epoch_interruption_set",
    "wasmtime_func_call",
    "wasmtime_val_t",
)


class EngineMismatch(LoaderError):
    """The installed sandbox engine is not the one that this version was hardened against."""


def check_versions() -> None:
    """The part of `check_pins` that imports nothing of the engine. Raises EngineMismatch."""
    for package, wanted in PINNED.items():
        if _installed_as(package) == {wanted}:
            continue
        from importlib.metadata import version  # the last word, and slow to import: it brings the parser of e-mails

        found = version(package)
        if found != wanted:
            raise EngineMismatch(
                f"the sandbox needs {package} {wanted} exactly, but {found} is installed: "
                f"its limits are set through private names; run `pip install {package}=={wanted}`"
            )


def _installed_as(package: str) -> set[str]:
    """The versions that the first folder of Python's path with that package names; none where it is installed oddly."""
    head, tail = package.replace("-", "_") + "-", ".dist-info"
    for folder in sys.path:
        try:
            with os.scandir(folder or ".") as entries:
                names = [entry.name for entry in entries]
        except OSError:  # not there, or an archive
            continue
        found = {name[len(head) : -len(tail)] for name in names if name.startswith(head) and name.endswith(tail)}
        if found:
            return found
    return set()


def check_pins() -> None:
    """Raises EngineMismatch when a version or a private name differs from what the hardening was written for."""
    check_versions()
    import quickjs_rs._engine as engine
    import quickjs_rs._wasmtime as shared
    from wasmtime import _bindings
    from wasmtime import _func as calls

    missing = [
        *_missing(engine, _ENGINE_NAMES),
        *_missing(shared, _WASMTIME_NAMES),
        *_missing(_bindings, _BINDINGS),
        *_missing(calls, ("enter_wasm",)),
        *(f"_Instance.{name}" for name in _INSTANCE_NAMES if not hasattr(engine._Instance, name)),
    ]
    if missing:
        raise EngineMismatch(
            f"the sandbox engine lacks what its limits are set through ({', '.join(missing)}): "
            "reinstall quickjs-rs and wasmtime in the pinned versions"
        )


def _missing(module: ModuleType, names: tuple[str, ...]) -> list[str]:
    return [f"{module.__name__}.{name}" for name in names if not hasattr(module, name)]
