"""The page document, version 1: models with every limit that one element can be held to.

What only the whole shows (unique ids, 500 elements, 16 levels, a page for its contribution) stands in ``whole.py``.
Unknown keys are let be here, since the phone lets them be; ``check.py`` warns of them.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from loader.pages.limits import (
    ASPECT_MAX,
    ASPECT_MIN,
    CHILDREN_LIMIT,
    INPUT_LIMIT_UNITS,
    INT_MAX,
    INT_MIN,
    METHODS,
    PAGES_LIMIT,
    STATE_LIMIT,
    TEXT_LIMIT_UNITS,
    as_float32,
    is_identifier,
    units,
)
from loader.pages.paths import PATH_PATTERN, PathFault, path_segments

IDENTIFIER_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$(?!\n)"
_METHOD_PATTERN = "^(?:" + "|".join("".join(f"[{c}{c.lower()}]" for c in m) for m in METHODS) + r")$(?!\n)"


def _identifier(text: str) -> str:
    if not is_identifier(text):
        raise PydanticCustomError("page_identifier", "no identifier")
    return text


def _text(text: str) -> str:
    length = units(text)
    if length > TEXT_LIMIT_UNITS:
        raise PydanticCustomError("page_text", "{length} UTF-16 units", {"length": length, "limit": TEXT_LIMIT_UNITS})
    return text


def _path(path: str) -> str:
    fault = path_segments(path)
    if isinstance(fault, PathFault):
        raise PydanticCustomError("page_path", "{text}", {"text": fault.text, "hint": fault.hint})
    return path


def _method(method: str) -> str:
    if method.upper() not in METHODS:
        raise PydanticCustomError("page_method", "no method that is sent")
    return method


def _aspect(ratio: float) -> float:
    if not ASPECT_MIN <= as_float32(ratio) <= ASPECT_MAX:
        raise PydanticCustomError("page_range", "outside", {"least": ASPECT_MIN, "most": ASPECT_MAX})
    return ratio


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise PydanticCustomError("page_finite", "not finite")
    return number


Identifier: TypeAlias = Annotated[
    StrictStr, AfterValidator(_identifier), Field(json_schema_extra={"pattern": IDENTIFIER_PATTERN})
]
BoundedText: TypeAlias = Annotated[
    StrictStr, AfterValidator(_text), Field(json_schema_extra={"maxLength": TEXT_LIMIT_UNITS})
]
Number: TypeAlias = Annotated[StrictFloat, AfterValidator(_finite)]
Int32: TypeAlias = Annotated[StrictInt, Field(ge=INT_MIN, le=INT_MAX)]
Version: TypeAlias = Annotated[StrictInt, Field(ge=1, le=1)]
# The bounds stand before the validator: behind one, pydantic's schema would not say them.
Portion: TypeAlias = Annotated[StrictFloat, Field(ge=0, le=1), AfterValidator(_finite)]
Ratio: TypeAlias = Annotated[
    Number, AfterValidator(_aspect), Field(json_schema_extra={"minimum": ASPECT_MIN, "maximum": ASPECT_MAX})
]


class Part(BaseModel):
    """Anything in a document: camelCase keys, unknown ones ignored, nothing coerced.

    Built when the first document is checked: that takes longer than the rest of a service's start.
    """

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, alias_generator=to_camel, defer_build=True)


# ---------------------------------------------------------------- values, texts, conditions


class StringValue(Part):
    type: Literal["string"]
    value: StrictStr


class BooleanValue(Part):
    type: Literal["boolean"]
    value: StrictBool


class NumberValue(Part):
    type: Literal["number"]
    value: Number


class NullValue(Part):
    type: Literal["null"]


Value: TypeAlias = Annotated[StringValue | BooleanValue | NumberValue | NullValue, Field(discriminator="type")]


class LiteralText(Part):
    type: Literal["literal"]
    value: BoundedText


class BindingText(Part):
    type: Literal["binding"]
    key: Identifier
    fallback: BoundedText = ""


Text: TypeAlias = Annotated[LiteralText | BindingText, Field(discriminator="type")]


class Truthy(Part):
    type: Literal["truthy"]
    key: Identifier


class Equals(Part):
    type: Literal["equals"]
    key: Identifier
    value: Value


class Not(Part):
    type: Literal["not"]
    condition: Condition


class AllOf(Part):
    type: Literal["all"]
    conditions: list[Condition]


class AnyOf(Part):
    type: Literal["any"]
    conditions: list[Condition]


Condition: TypeAlias = Annotated[Truthy | Equals | Not | AllOf | AnyOf, Field(discriminator="type")]


# ---------------------------------------------------------------- actions


class ActionRequest(Part):
    """Method and path are judged here, though the phone looks at them only when the button is pressed."""

    path: Annotated[StrictStr, AfterValidator(_path), Field(json_schema_extra={"pattern": PATH_PATTERN})]
    method: Annotated[StrictStr, AfterValidator(_method), Field(json_schema_extra={"pattern": _METHOD_PATTERN})] = (
        "POST"
    )


class Action(Part):
    id: Identifier
    arguments: dict[Identifier, Value] = {}
    confirmation: Text | None = None
    request: ActionRequest | None = None


# ---------------------------------------------------------------- elements

Motion: TypeAlias = Literal["NONE", "FADE", "SCALE", "SLIDE_VERTICAL", "HIGHLIGHT"]
Spacing: TypeAlias = Literal["NONE", "SMALL", "MEDIUM", "LARGE"]


class Animation(Part):
    enter: Motion = "NONE"
    change: Motion = "NONE"
    speed: Literal["FAST", "NORMAL", "SLOW"] = "NORMAL"


class ElementBase(Part):
    id: Identifier
    visible_when: Condition | None = None
    animation: Animation = Animation()


class Group(ElementBase):
    type: Literal["group"]
    children: Annotated[list[Element], Field(max_length=CHILDREN_LIMIT)]
    direction: Literal["ROW", "COLUMN"] = "COLUMN"
    spacing: Spacing = "MEDIUM"


class Card(ElementBase):
    type: Literal["card"]
    child: Element


class TextElement(ElementBase):
    type: Literal["text"]
    text: Text
    style: Literal["BODY", "LABEL", "TITLE", "HEADLINE"] = "BODY"


class Badge(ElementBase):
    type: Literal["badge"]
    text: Text
    tone: Literal["NEUTRAL", "INFO", "SUCCESS", "WARNING", "DANGER"] = "NEUTRAL"


class Button(ElementBase):
    type: Literal["button"]
    label: Text
    action: Action
    style: Literal["PRIMARY", "SECONDARY", "TEXT"] = "PRIMARY"
    enabled_when: Condition | None = None


class TextInput(ElementBase):
    type: Literal["text_input"]
    label: Text
    binding: Identifier
    placeholder: Text | None = None
    max_length: Annotated[StrictInt, Field(ge=1, le=INPUT_LIMIT_UNITS)] = INPUT_LIMIT_UNITS


class Toggle(ElementBase):
    type: Literal["toggle"]
    label: Text
    binding: Identifier
    enabled_when: Condition | None = None


_ONE_SOURCE: dict[str, Any] = {
    "anyOf": [
        {"required": ["value"], "properties": {"value": {"type": "number"}}},
        {"required": ["valueBinding"], "properties": {"valueBinding": {"type": "string"}}},
    ]
}


class Progress(ElementBase):
    """At least one of ``value`` and ``value_binding``; that rule stands in the schema and in ``whole.py``."""

    model_config = ConfigDict(json_schema_extra=_ONE_SOURCE)

    type: Literal["progress"]
    value: Portion | None = None
    value_binding: Identifier | None = None
    label: Text | None = None


class Asset(Part):
    id: Identifier


class Image(ElementBase):
    type: Literal["image"]
    asset: Asset
    content_description: Text
    aspect_ratio: Ratio = 16 / 9


class Divider(ElementBase):
    type: Literal["divider"]


class Spacer(ElementBase):
    type: Literal["spacer"]
    size: Spacing = "MEDIUM"


Element: TypeAlias = Annotated[
    Group | Card | TextElement | Badge | Button | TextInput | Toggle | Progress | Image | Divider | Spacer,
    Field(discriminator="type"),
]


# ---------------------------------------------------------------- the whole


class Page(Part):
    id: Identifier
    title: Text
    content: Element


class PageDocument(Part):
    schema_version: Version = 1
    pages: Annotated[list[Page], Field(min_length=1, max_length=PAGES_LIMIT)]
    initial_state: Annotated[dict[Identifier, Value], Field(max_length=STATE_LIMIT)] = {}
    host_revision: Annotated[Int32 | None, Field(alias="host_revision")] = None
