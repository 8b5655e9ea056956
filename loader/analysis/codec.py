"""Frozen dataclasses as JSON and back, checked against their annotations.

pydantic stops at the recursive ``Json`` alias of the nouns, and pickle would run what it reads; this reads data only.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Decoder = Callable[[Any], Any]


class NotOfType(ValueError):
    """The data does not have the shape that the type asks for."""


def to_plain(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists, all the way down; what `json.dumps` takes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def from_plain(kind: type[T], data: Any) -> T:
    """The dataclass that `to_plain` made this of. Raises NotOfType for any other shape."""
    wanted: Any = kind
    result: T = _decoder(wanted)(data)
    return result


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> Decoder:
    if dataclasses.is_dataclass(kind):
        return _record(kind)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _union(get_args(kind))
    if origin is tuple:
        return _tuple(get_args(kind))
    if origin is Literal:
        allowed = get_args(kind)
        return lambda data: data if data in allowed else _refuse(data, kind)
    if origin is not None and issubclass(origin, Mapping):
        # The values of a payload: JSON by construction, as they come out of a JSON parser.
        return lambda data: data if isinstance(data, dict) else _refuse(data, kind)
    if kind is float:
        return lambda data: float(data) if _is_number(data) else _refuse(data, kind)
    if kind is int:
        return lambda data: data if type(data) is int else _refuse(data, kind)
    if kind in (str, bool):
        return lambda data: data if isinstance(data, kind) else _refuse(data, kind)
    if kind is type(None):
        return lambda data: None if data is None else _refuse(data, kind)
    raise TypeError(f"no decoder for {kind!r}")


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}

    def decode(data: Any) -> Any:
        if not isinstance(data, dict) or data.keys() != fields.keys():
            return _refuse(data, kind)
        return kind(**{name: _decoder(hint)(data[name]) for name, hint in fields.items()})

    return decode


def _union(members: tuple[Any, ...]) -> Decoder:
    def decode(data: Any) -> Any:
        for member in members:
            try:
                return _decoder(member)(data)
            except NotOfType:
                continue
        return _refuse(data, members)

    return decode


def _tuple(members: tuple[Any, ...]) -> Decoder:
    if len(members) == 2 and members[1] is Ellipsis:
        inner = _decoder(members[0])
        return lambda data: tuple(inner(item) for item in data) if isinstance(data, list) else _refuse(data, members)

    def decode(data: Any) -> Any:
        if not isinstance(data, list) or len(data) != len(members):
            return _refuse(data, members)
        return tuple(_decoder(member)(item) for member, item in zip(members, data, strict=True))

    return decode


def _is_number(data: Any) -> bool:
    return isinstance(data, int | float) and not isinstance(data, bool)


def _refuse(data: Any, kind: Any) -> Any:
    raise NotOfType(f"{type(data).__name__} where {kind!r} belongs")
