"""quickjs-rs without its public face, which imports asyncio and half of its own classes: 25 ms of every worker's start.

We drive its private modules only. Whoever asks the package for anything else gets all of it after all.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from types import ModuleType


def keep_bare(name: str) -> None:
    """Let a package's submodules be imported without running the package itself."""
    if name in sys.modules:
        return
    spec = PathFinder.find_spec(name)
    if spec is None or spec.loader is None or spec.submodule_search_locations is None:
        return  # installed in a way of its own, or not at all: the usual import says so
    loader = spec.loader
    package = ModuleType(name)
    package.__spec__, package.__loader__, package.__file__ = spec, loader, spec.origin
    package.__path__ = spec.submodule_search_locations

    def whole(wanted: str) -> object:
        del package.__dict__["__getattr__"]
        loader.exec_module(package)
        found: object = getattr(package, wanted)
        return found

    package.__dict__["__getattr__"] = whole
    sys.modules[name] = package
