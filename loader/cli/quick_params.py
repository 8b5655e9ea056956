"""Starts the command line without pydantic.

Typer coerces every value through a pydantic adapter, an absent one too: importing pydantic took 160 ms of the 280 ms
of `hermes-desktop version` (typer 0.29 on two cores). What needs no coercion is answered here instead; numbers,
wrong choices and whatever else we do not know go typer's way. A test holds that a plain run imports no pydantic; should
typer rename its field, commands get slower and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar, get_args, get_origin

P = TypeVar("P")
_AS_THEY_ARE = (str, list[str])


class _QuickParam:
    """Stands in for typer's RuntimeParam of one parameter."""

    def __init__(self, make_real: Any, annotation: Any) -> None:
        self._make_real = make_real
        self._annotation = annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._annotation in _AS_THEY_ARE and _is_text(value):
            return value
        if get_origin(self._annotation) is Literal and value in get_args(self._annotation):
            return value
        return self._make_real().coerce(value, param=param, ctx=ctx)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value))


def quickened(params: Iterable[P]) -> list[P]:
    """The same parameters, coercing plain values on their own."""
    listed: list[Any] = list(params)
    for param in listed:
        if getattr(param, "_runtime_param", _QuickParam) is None:
            make_real = param.get_runtime_param

            def real(param: Any = param, make_real: Any = make_real) -> Any:
                # Typer makes the real one where none is set, and keeps it.
                param._runtime_param = None
                return make_real()

            param._runtime_param = _QuickParam(real, param.type_descriptor.annotation)
    return listed
