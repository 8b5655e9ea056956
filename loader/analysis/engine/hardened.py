"""One wasmtime engine for the process, configured so that its limits bind, and the guest compiled for it."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

import quickjs_rs._engine as guest
import quickjs_rs._wasmtime as shared
import wasmtime
from wasmtime import _bindings

from loader.analysis.engine.artifact import load_module
from loader.analysis.engine.pins import PINNED, check_pins

MIB = 1024 * 1024

# With the default 512 KiB a plugin gets 534 JS frames; with 4 MiB 4,276 (the app's own engine: about 10,000).
# At 8 MiB the guest's own stack breaks first.
WASM_STACK_BYTES = 4 * MIB
# Must be larger than the wasm stack and be set before it, else Engine() aborts the process.
ASYNC_STACK_BYTES = 5 * MIB
# The default reserves 4 GiB of address space for each context, which fails under an address-space limit.
MEMORY_RESERVATION_BYTES = 128 * MIB

_lock = threading.Lock()
_prepared: Prepared | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The engine, the guest's artifact, and how the guest came to be compiled ("cache" or "compiled")."""

    engine: wasmtime.Engine
    artifact: shared.SharedWasmArtifact
    origin: str
    cache_dir: Path | None

    @property
    def build_id(self) -> bytes:
        return bytes(self.artifact.build_id)


def default_cache_dir() -> Path:
    import platformdirs  # not where somebody names a folder

    return Path(platformdirs.user_cache_dir("hermes-desktop-loader", appauthor=False)) / "engine"


def prepare_engine(cache_dir: Path | None = None) -> Prepared:
    """The process's engine, made at the first call; later calls give the same one whatever they ask for.

    The first call costs about 500 ms without a cached guest, 5 ms with one. Raises EngineMismatch.
    """
    global _prepared
    with _lock:
        if _prepared is None:
            check_pins()
            engine = wasmtime.Engine(_config())
            wasm = guest._read_guest_wasm()
            build_id = hashlib.sha256(wasm).digest()
            folder = cache_dir or default_cache_dir()
            module, origin = load_module(engine, wasm, folder, key=_cache_key(build_id))
            artifact = shared.SharedWasmArtifact(
                module=module, linker=guest._build_shared_linker(engine), build_id=build_id
            )
            # quickjs-rs takes whatever stands here for its own; nothing of it may ever run with its stock engine.
            shared._SHARED_ENGINE = engine
            shared._SHARED_ARTIFACTS["quickjs"] = artifact
            _prepared = Prepared(engine, artifact, origin, folder)
        return _prepared


def _config() -> wasmtime.Config:
    config = wasmtime.Config()
    config.epoch_interruption = True
    _bindings.wasmtime_config_async_stack_size_set(config.ptr(), ASYNC_STACK_BYTES)
    config.max_wasm_stack = WASM_STACK_BYTES
    # With signals, `faulthandler.enable()` after the first engine turns every stack overflow into a dead process.
    _bindings.wasmtime_config_signals_based_traps_set(config.ptr(), False)
    _bindings.wasmtime_config_memory_reservation_set(config.ptr(), MEMORY_RESERVATION_BYTES)
    return config


def _cache_key(build_id: bytes) -> str:
    settings = f"epoch;stack={WASM_STACK_BYTES};async={ASYNC_STACK_BYTES};nosignals;mem={MEMORY_RESERVATION_BYTES}"
    return hashlib.sha256(build_id + f"|{PINNED['wasmtime']}|{settings}".encode()).hexdigest()
