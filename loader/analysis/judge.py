"""esprima as judge: what is wrong with a text, in words, and which modules it asks for.

It is consulted only where the engine or the model stumbled, so its speed does not matter, but its bounds do: it is
written in Python, recursive, and takes a second for each 300 KB. It runs in a thread with a deep stack that is
stopped from outside when its time is over.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from loader.analysis.syntax.literals import without_lone_surrogates
from loader.analysis.syntax.tree import collector_paused
from loader.nouns import ImportKind

# 15 Python frames for each level of brackets; Python-to-Python calls take no C stack since 3.11, what is left
# (`getattr` hooks, regular expressions) fits in the thread's stack many times over.
_RECURSION_LIMIT = 60_000
_STACK_BYTES = 256 * 1024 * 1024
_STOP_STEP_S = 0.5
_STOP_TRIES = 20


@dataclass(frozen=True, slots=True)
class JudgedImport:
    """One import as esprima read it; ``start`` and ``end`` are code point indices of the specifier expression."""

    kind: ImportKind
    specifier: str | None
    start: int
    end: int
    has_attributes: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """``accepted`` is None when it could not tell; ``gave_up`` then says why.

    ``index`` is the code point at which it stumbled, ``line`` counts from 1.
    """

    accepted: bool | None
    message: str = ""
    line: int | None = None
    index: int | None = None
    imports: tuple[JudgedImport, ...] = ()
    gave_up: str | None = None


class _Stopped(BaseException):
    """Raised inside the judging thread from outside; no parser may catch it by accident."""


def judge(text: str, *, limit_bytes: int, deadline_s: float) -> Judgement:
    """Parse a module's text. Never raises for it; blocks at most a little longer than ``deadline_s``."""
    if len(text) > limit_bytes:
        return Judgement(None, gave_up="size")
    # Without the collector a fifth faster; and its callbacks would swallow the exception that ends the thread.
    with collector_paused():
        return _Bounded(text).run(deadline_s)


class _Bounded:
    """One parse in a thread of its own that can be ended."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lock = threading.Lock()
        self._done = False
        self._found = Judgement(None, gave_up="time")

    def run(self, deadline_s: float) -> Judgement:
        old_stack = threading.stack_size(_STACK_BYTES)
        old_limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(old_limit, _RECURSION_LIMIT))
        thread = threading.Thread(target=self._work, name="esprima", daemon=True)
        try:
            thread.start()
            thread.join(deadline_s)
            for _ in range(_STOP_TRIES):
                if not thread.is_alive():
                    break
                # Repeated: raised inside a callback of the interpreter's own the exception is lost.
                self._stop(thread)
                thread.join(_STOP_STEP_S)
        finally:
            threading.stack_size(old_stack)
            sys.setrecursionlimit(old_limit)
        return self._found

    def _work(self) -> None:
        try:
            found = _judge(self._text)
            # Behind this point nobody may raise here any more; the lock makes the step whole.
            with self._lock:
                self._done = True
            self._found = found
        except _Stopped:
            self._done = True

    def _stop(self, thread: threading.Thread) -> None:
        with self._lock:
            if not self._done and thread.ident is not None:
                # The only way to end Python code from outside.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Stopped))


def _judge(text: str) -> Judgement:
    import esprima  # most texts never need a judge, and a worker's start would wait for it

    points = _CodePoints(text)
    try:
        program = esprima.parseModule(text, {"range": True})
    except esprima.Error as error:
        message = str(error.message).partition(": ")[2] or str(error.message)
        return Judgement(False, message, error.lineNumber, None if error.index is None else points.at(error.index))
    except RecursionError:
        return Judgement(None, gave_up="depth")
    except Exception as error:  # a bug of the parser on hostile text says nothing of the text
        return Judgement(None, gave_up=f"{type(error).__name__} inside esprima")
    return Judgement(True, imports=tuple(_imports(program, points)))


class _CodePoints:
    """esprima reads JavaScript's UTF-16 units and counts them: behind an emoji every index is one too high."""

    def __init__(self, text: str) -> None:
        wide = (index for index, letter in enumerate(text) if letter > "\uffff") if not text.isascii() else ()
        self._second_units = [index + before + 1 for before, index in enumerate(wide)]

    def at(self, unit: int) -> int:
        return unit - bisect_right(self._second_units, unit)


def _imports(program: Any, points: _CodePoints) -> list[JudgedImport]:
    """Every import in reading order, without recursion."""
    found: list[JudgedImport] = []
    waiting: list[Any] = [program]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
            continue
        kind = getattr(node, "type", None)
        if not isinstance(kind, str):
            continue
        source = getattr(node, "source", None)
        if source is not None and kind in _SOURCES:
            found.append(_read(kind, node, source, points))
        waiting += [value for key, value in vars(node).items() if key not in ("range", "loc", "type")]
    return sorted(found, key=lambda one: one.start)


_SOURCES: dict[str, ImportKind] = {
    "ImportDeclaration": "static",
    "ExportAllDeclaration": "reexport",
    "ExportNamedDeclaration": "reexport",
    "ImportExpression": "dynamic",
}


def _read(kind: str, node: Any, source: Any, points: _CodePoints) -> JudgedImport:
    start, end = (points.at(unit) for unit in source.range)
    specifier: str | None = None
    if source.type == "Literal" and isinstance(source.value, str):
        specifier = source.value
    elif source.type == "TemplateLiteral" and not source.expressions:
        specifier = source.quasis[0].value.cooked
    if specifier is not None:
        specifier = without_lone_surrogates(specifier)
    attributes = getattr(node, "attributes", None) or getattr(node, "options", None)
    return JudgedImport(_SOURCES[kind], specifier, start, end, bool(attributes))
