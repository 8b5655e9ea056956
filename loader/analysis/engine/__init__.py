"""The sandbox engine: QuickJS-ng compiled to WebAssembly, run under wasmtime with limits that bind.

quickjs-rs as shipped does not hold its limits (docs/sandbox.md); this package drives the same guest through its
private names, hence the exact pins. Everything above it sees two things: `compile_module` and `Sandbox`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from loader.analysis.engine.bare import keep_bare

if TYPE_CHECKING:
    from loader.analysis.engine.compile import compile_module
    from loader.analysis.engine.hardened import prepare_engine
    from loader.analysis.engine.sandbox import Limits, Outcome, Sandbox
    from loader.analysis.engine.stack import on_big_stack

__all__ = ["Limits", "Outcome", "Sandbox", "compile_module", "on_big_stack", "prepare_engine"]

_HOMES = {
    "compile_module": "compile",
    "prepare_engine": "hardened",
    "Limits": "sandbox",
    "Outcome": "sandbox",
    "Sandbox": "sandbox",
    "on_big_stack": "stack",
}


keep_bare("quickjs_rs")


def __getattr__(name: str) -> object:
    # The pins are read also where nothing runs (cache, pool); wasmtime's bindings alone cost 80 ms of a command.
    if name not in _HOMES:
        raise AttributeError(name)
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found
