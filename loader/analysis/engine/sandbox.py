"""One guest: a QuickJS realm in its own wasm memory, for one plugin, thrown away afterwards.

It is driven one level below quickjs-rs' own Context: no event loop, no value ever read back except strings that our
own script hands over, every call under the same soft and hard limits (docs/sandbox.md).
Whatever the guest does, `run` returns an Outcome.
"""

from __future__ import annotations

import ctypes
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, cast

import quickjs_rs._engine as guest
import quickjs_rs._wasmtime as shared
import wasmtime
from wasmtime import _bindings
from wasmtime._func import enter_wasm

from loader.analysis.engine.fence import Fence
from loader.analysis.engine.hardened import Prepared, prepare_engine

Normalize: TypeAlias = Callable[[str, str], str | None]
"""(name of the importing module, specifier as written and decoded) -> canonical name, None to refuse."""
Load: TypeAlias = Callable[[str], str | None]
"""canonical name -> source text, None to refuse."""
OnEvent: TypeAlias = Callable[[str], None]
OutcomeKind: TypeAlias = Literal["done", "threw", "pending", "cpu", "memory", "stack", "broken", "starved"]

ENTRY = "<module>"
HOST_FUNCTION = "__rehearsal_host__"

# Between the guest's own 1 MiB native stack and the frames that the wasm stack allows.
_JS_STACK_BYTES = 1024 * 1024
# An error's name, message and stack are the guest's to choose.
_ERROR_TEXT_LIMIT_BYTES = 64 * 1024
_PENDING, _FULFILLED, _REJECTED = 0, 1, 2
_NOTHING = guest.NULL_HANDLE
_PAGE_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Limits:
    cpu_s: float = 10.0
    memory_bytes: int = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class GuestError:
    """What was thrown, as far as it is text; a plugin can forge any of it."""

    name: str = ""
    message: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one run ended.

    ``done``; ``threw`` (see ``error``); ``pending``: the module waits for something that nothing will settle;
    ``cpu``, ``memory``, ``stack``: that limit; ``starved``: it got too little of the machine to tell; ``broken``: the
    guest trapped in another way. ``alive`` is false when
    the guest cannot be used further. Measured, never concluded from an error's name, which a plugin can forge.
    """

    kind: OutcomeKind
    error: GuestError | None = None
    alive: bool = True
    cpu_s: float = 0.0


class Sandbox:
    """A fresh realm. Call it on a thread of `on_big_stack` only; close it when done.

    ``image`` is one that `image` gave for the same script: the realm then begins where that one stood.
    """

    def __init__(
        self,
        *,
        normalize: Normalize,
        load: Load,
        limits: Limits | None = None,
        on_event: OnEvent | None = None,
        image: bytes | None = None,
    ) -> None:
        self.limits = limits or Limits()
        prepared = prepare_engine()
        self._fence = _fence_of(prepared)
        self._guest = _Guest(prepared, self.limits, normalize, load, on_event)
        try:
            if image is not None:
                self._guest.begin_from(image)
            else:
                self._guest.c("set_max_stack_size", _JS_STACK_BYTES)
            self._guest.c("set_memory_limit", self.limits.memory_bytes)
            if image is None and on_event is not None:
                self._guest.install_host_function()
        except BaseException:
            self._guest.close()
            raise

    def run(self, entry: str, *, cpu_s: float | None = None) -> Outcome:
        """Evaluate one small module of ours and everything it imports, until it settles or a limit ends it."""
        limit_s = self.limits.cpu_s if cpu_s is None else cpu_s
        inner = self._guest
        inner.begin(limit_s)
        with self._fence.around(inner.store, limit_s) as used_s:
            try:
                kind, error = inner.evaluate(entry)
                alive = True
            except wasmtime.Trap as trap:
                kind, error, alive = _kind_of_trap(trap, inner.near_memory_limit()), None, False
            except (wasmtime.WasmtimeError, guest.QuickJSError, UnicodeError, ValueError) as failure:
                # quickjs-rs reports an allocation that failed, a pointer out of range and the like in these.
                near = inner.near_memory_limit()
                kind, error, alive = "memory" if near else "broken", GuestError("Error", str(failure)), False
            cpu_used_s = used_s()
            if inner.interrupted:
                kind = "cpu"
            elif kind == "cpu" and cpu_used_s < limit_s / 2:
                kind = "starved"  # stopped by the clock on the wall: no fault of what ran
            return Outcome(kind, error, alive, cpu_used_s)

    def image(self) -> bytes:
        """The whole memory of the guest, to begin others with. Trusted input: take it only before a plugin ran."""
        return self._guest.snapshot()

    @property
    def memory_bytes(self) -> int:
        return int(self._guest.mem.data_len(self._guest.store))

    def close(self) -> None:
        self._guest.close()
        self._guest.interrupt_handler = None  # its own method: together they would wait for Python's collector


def _kind_of_trap(trap: wasmtime.Trap, near_memory_limit: bool) -> OutcomeKind:
    code = trap.trap_code
    if code is wasmtime.TrapCode.INTERRUPT:
        return "cpu"
    # A guest whose native stack runs over writes below its memory: the second face of the same cause.
    if code in (wasmtime.TrapCode.STACK_OVERFLOW, wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS):
        return "stack"
    return "memory" if near_memory_limit else "broken"


@lru_cache(maxsize=1)
def _fence_of(prepared: Prepared) -> Fence:
    return Fence(prepared.engine)


class _NoTransforms:
    """Stands where quickjs-rs keeps its TypeScript transformer: a second store without any of our limits."""

    def close(self) -> None:
        return None


class _Guest(guest._Instance):
    """quickjs-rs' instance with a store that has limits and with two host calls cut down to what we need."""

    def __init__(
        self, prepared: Prepared, limits: Limits, normalize: Normalize, load: Load, on_event: OnEvent | None
    ) -> None:
        self.build_id = prepared.artifact.build_id
        self.store = wasmtime.Store(prepared.engine)
        self.store.set_limits(memory_size=limits.memory_bytes, instances=1, tables=4, memories=1)
        self.store.set_epoch_deadline(1)
        self.store.set_wasi(wasmtime.WasiConfig())  # no stdio, no arguments, no environment, no files
        self.inst = shared.instantiate_wasm_artifact(prepared.artifact, self.store)
        exports = self.inst.exports(self.store)
        self.mem = cast("wasmtime.Memory", exports["memory"])
        self.sp = cast("wasmtime.Global", exports["__stack_pointer"])
        self._exports = exports
        self.module_touched = False
        self.sync_dispatch = None
        self.async_dispatch = None
        self.name_to_fn_id: dict[str, int] = {}
        self.async_names: set[str] = set()
        self.in_sync_eval = False
        self.sync_eval_hit_async = False
        self.module_normalize = normalize
        self._load = load
        self._functions: dict[str, tuple[Any, int, int]] = {}
        self.source_transformer = cast("Any", _NoTransforms())
        self._closed = False
        self.interrupt_handler = self._over_budget
        self.interrupted = False
        self._memory_bytes = limits.memory_bytes
        self._on_event = on_event
        self._ends_at_s = 0.0

    def c(self, name: str, *args: int) -> int:
        # The stock call asks for the signature and converts every value anew: 30 us of each 35, 150 times a rehearsal.
        known = self._functions.get(name)
        if known is None:
            function = cast("wasmtime.Func", self._exports[name])
            signature = function.type(self.store)
            known = self._functions[name] = (function._func, len(signature.params), len(signature.results))
        function_struct, many, results = known
        if len(args) != many:
            raise guest.QuickJSError(f"{name} takes {many} values, got {len(args)}")
        given = (_bindings.wasmtime_val_t * many)()
        for at, value in enumerate(args):
            given[at].of.i32 = value  # kind 0 is i32, the only kind that the calls used here take
        got = (_bindings.wasmtime_val_t * results)()
        before = getattr(guest._CUR, "inst", None)
        guest._CUR.inst = self
        try:
            with enter_wasm(self.store) as trap:
                failed = _bindings.wasmtime_func_call(
                    self.store._context(), ctypes.byref(function_struct), given, many, got, results, trap
                )
                if failed:
                    raise wasmtime.WasmtimeError._from_ptr(failed)
        finally:
            guest._CUR.inst = before
        return int(got[0].of.i32) if results else 0

    def begin_from(self, image: bytes) -> None:
        """As `restore`, without its two copies of the image."""
        self.restore(image, write=False)
        head = guest._SNAP_HEADER.size
        size = len(image) - head
        here = self.mem.data_len(self.store)
        if size > here:
            self.mem.grow(self.store, (size - here + _PAGE_BYTES - 1) // _PAGE_BYTES)
        source = ctypes.cast(ctypes.c_char_p(image), ctypes.c_void_p).value or 0
        target = ctypes.addressof(self.mem.data_ptr(self.store).contents)
        ctypes.memmove(target, source + head, size)
        self.sp.set_value(self.store, guest._SNAP_HEADER.unpack_from(image, 0)[4])

    # -- limits

    def begin(self, limit_s: float) -> None:
        self.interrupted = False
        self._ends_at_s = time.thread_time() + limit_s

    def _over_budget(self) -> bool:
        # Once true it stays true: code that catches and tries again is stopped again at its next step.
        if time.thread_time() >= self._ends_at_s:
            self.interrupted = True
        return self.interrupted

    def near_memory_limit(self) -> bool:
        return bool(self.mem.data_len(self.store) * 10 >= self._memory_bytes * 9)

    # -- running

    def evaluate(self, entry: str) -> tuple[OutcomeKind, GuestError | None]:
        promise = self._start(entry)
        if isinstance(promise, GuestError):
            return self._judge(promise), promise
        try:
            while True:
                ran = int(self.c("execute_pending_jobs"))
                if self._over_budget():
                    return "cpu", None
                state = self._promise_state(promise)
                if state == _FULFILLED:
                    # What the plugin queued in its last step still belongs to it.
                    if ran:
                        continue
                    return "done", None
                if state == _REJECTED:
                    error = self._reason(promise)
                    return self._judge(error), error
                if not ran:
                    return "pending", None
        finally:
            if not self.interrupted:
                self.c("free_value", promise)

    def _judge(self, error: GuestError) -> OutcomeKind:
        # An allocation that failed throws "out of memory", and null where not even that could be made.
        # V8 has no InternalError, so a plugin that throws one by itself meant to be mistaken for this.
        failed = error.name == "InternalError" and error.message == "out of memory"
        lost = error.message in ("null", "unknown", "") and self.near_memory_limit()
        return "memory" if failed or lost else "threw"

    def _start(self, entry: str) -> int | GuestError:
        data, name = entry.encode(), ENTRY.encode()
        code, at = self.alloc_write(data), self.alloc_write(name)
        out = self.alloc_out()
        status = self.c("eval_module_async", code, len(data), at, len(name), out)
        handle = self.read_i32(out)
        self.free(code, len(data))
        self.free(at, len(name))
        self.free(out, 4)
        if status == guest.STATUS_OK:
            return handle
        return self._pending_exception()

    def _pending_exception(self) -> GuestError:
        out = self.alloc_out()
        status = self.c("last_exception", out)
        handle = self.read_i32(out)
        self.free(out, 4)
        return self._describe(handle) if status == guest.STATUS_OK else GuestError("Error", "unknown")

    def _promise_state(self, promise: int) -> int:
        out = self.alloc_out()
        status = self.c("promise_state", promise, out)
        state = self.read_i32(out)
        self.free(out, 4)
        return state if status == guest.STATUS_OK else _REJECTED

    def _reason(self, promise: int) -> GuestError:
        out = self.alloc_out()
        self.c("promise_result", promise, out)
        handle = self.read_i32(out)
        self.free(out, 4)
        return self._describe(handle)

    def _describe(self, handle: int) -> GuestError:
        if handle == _NOTHING:
            return GuestError("Error", "unknown")
        kind = self._type_name(handle)
        if kind == "string":
            return GuestError("", self._text(handle))
        if kind != "object":
            return GuestError("", kind if kind == "null" else "")
        return GuestError(*(self._field(handle, field) for field in ("name", "message", "stack")))

    def _field(self, handle: int, field: str) -> str:
        """A property of a thrown object when it is a string. A getter may run here: under the same limits."""
        try:
            value = self._get_prop(handle, field)
        except guest.QuickJSError:
            return ""
        return self._text(value) if self._type_name(value) == "string" else ""

    def _text(self, handle: int) -> str:
        if self.c("get_string", handle) != guest.STATUS_OK:
            return ""  # a lone surrogate, which cannot cross
        length = min(int(self.c("qjs_last_len")), _ERROR_TEXT_LIMIT_BYTES)
        data = self.read(int(self.c("qjs_last_ptr")), length) if length else b""
        self.c("qjs_result_free")
        return data.decode("utf-8", "replace")

    # -- what the guest may call

    def install_host_function(self) -> None:
        name = HOST_FUNCTION.encode()
        at = self.alloc_write(name)
        function = self.c("new_function", at, len(name))
        self.free(at, len(name))
        world = self.c("global_object")
        self._set_prop(world, HOST_FUNCTION, function)
        self.c("free_value", world)
        self.c("free_value", function)

    def _host_call(self, name_ptr: int, name_len: int, this: int, argc: int, argv_ptr: int) -> int:
        # One string in, nothing out. Only our own script holds the function, and only before a plugin could take it.
        try:
            if argc != 1 or self._on_event is None:
                return int(guest.HOST_CALL_ERROR)
            handle = struct.unpack("<i", self.read(argv_ptr, 4))[0]
            if self.c("get_string", handle) != guest.STATUS_OK:
                return int(guest.HOST_CALL_ERROR)
            data = self.take_result()
            self._on_event(data.decode("utf-8", "replace"))
            return int(self.c("new_undefined"))
        except wasmtime.Trap:
            raise
        except Exception:
            # The contract of this callback: an exception of ours must not unwind through wasm frames.
            return int(guest.HOST_CALL_ERROR)

    def _host_module_load(self, name_ptr: int, name_len: int, out_len_ptr: int) -> int:
        try:
            source = self._load(self.read(name_ptr, name_len).decode())
            if source is None:
                return 0
            data = source.encode() or b"\n"  # an allocation of nothing reads as "not found"
            at = self.alloc_write(data)
            self.mem.write(self.store, struct.pack("<I", len(data)), out_len_ptr)
            return int(at)
        except wasmtime.Trap:
            raise
        except Exception:
            return 0  # as above; a text that UTF-8 cannot hold ends here too
