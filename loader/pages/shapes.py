"""What a model expects at each place, read off the models themselves: the walk through a text follows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from loader.pages import document

ScalarKind: TypeAlias = Literal["string", "integer", "number", "boolean"]
Family: TypeAlias = Literal["element", "text", "value", "condition"]

_SCALARS: dict[Any, ScalarKind] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_FAMILIES: tuple[tuple[Any, Family], ...] = (
    (document.Group, "element"),
    (document.LiteralText, "text"),
    (document.StringValue, "value"),
    (document.Truthy, "condition"),
)


@dataclass(frozen=True, slots=True)
class Scalar:
    kind: ScalarKind


@dataclass(frozen=True, slots=True)
class Choice:
    """A string out of a few."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Any

    @property
    def due(self) -> str:
        return "an array"


@dataclass(frozen=True, slots=True)
class MapOf:
    value: Any

    @property
    def due(self) -> str:
        return "an object"


@dataclass(frozen=True, slots=True)
class ObjectOf:
    model: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Tagged:
    """One of several models, told apart by ``type``."""

    family: Family
    models: Mapping[str, type[BaseModel]]


Shape: TypeAlias = Scalar | Choice | ListOf | MapOf | ObjectOf | Tagged


def shape_of(annotation: Any) -> tuple[Shape, bool]:
    """The shape that an annotation stands for, and whether null is as good as leaving it out."""
    nullable = False
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation = get_args(annotation)[0]
            continue
        if origin in (Union, UnionType):
            arguments = get_args(annotation)
            rest = tuple(one for one in arguments if one is not NoneType)
            nullable = nullable or len(rest) < len(arguments)
            if len(rest) == 1:
                annotation = rest[0]
                continue
            return _tagged(rest), nullable
        return _plain(annotation, origin), nullable


def _plain(annotation: Any, origin: Any) -> Shape:
    if origin is list:
        return ListOf(get_args(annotation)[0])
    if origin is dict:
        return MapOf(get_args(annotation)[1])
    if origin is Literal:
        return Choice(get_args(annotation))
    if annotation in _SCALARS:
        return Scalar(_SCALARS[annotation])
    return ObjectOf(annotation)


@cache
def _tagged(models: tuple[type[BaseModel], ...]) -> Tagged:
    for model in models:
        model.model_rebuild()  # one that was not used yet does not know its own annotations
    by_tag = {get_args(model.model_fields["type"].annotation)[0]: model for model in models}
    family = next(family for first, family in _FAMILIES if first in models)
    return Tagged(family, by_tag)


@dataclass(frozen=True, slots=True)
class FieldShape:
    annotation: Any
    required: bool


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, FieldShape]:
    """The keys that a model reads, as they are spelled in JSON."""
    model.model_rebuild()
    return {
        field.alias or name: FieldShape(field.annotation, field.is_required())
        for name, field in model.model_fields.items()
    }
