"""The sandbox engine: QuickJS-ng compiled to WebAssembly, run under wasmtime with limits that bind.

quickjs-rs as shipped does not hold its limits (docs/sandbox.md); this package drives the same guest through its
private names, hence the exact pins. Everything above it sees two things: `compile_module` and `Sandbox`.
"""

from loader.analysis.engine.compile import compile_module
from loader.analysis.engine.hardened import prepare_engine
from loader.analysis.engine.pins import check_pins
from loader.analysis.engine.sandbox import Limits, Outcome, Sandbox
from loader.analysis.engine.stack import on_big_stack

__all__ = ["Limits", "Outcome", "Sandbox", "check_pins", "compile_module", "on_big_stack", "prepare_engine"]
