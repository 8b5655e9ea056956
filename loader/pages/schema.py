"""The published JSON schema, made from the models: `python -m loader.pages.schema > loader/pages/page.schema.json`.

What it cannot say (unique ids, 500 elements, 16 levels, UTF-16 lengths, a page for each contribution) only the check
says. Where the models take more than one spelling, the schema knows the plain one.
"""

from __future__ import annotations

import json
import sys
from importlib import resources
from typing import Any

from pydantic.json_schema import models_json_schema

from loader.pages.document import PageDocument
from loader.pages.manifest import DraftArguments, Manifest

SCHEMA_ID = "urn:hermes-desktop:pages:v1"
_ABOUT = (
    "An object with pages is a page document, any other a manifest. $defs/DraftArguments is what an agent drafts with. "
    "Beyond this: element ids are unique in the document, at most 500 elements stand at most 16 levels deep, lengths "
    "count UTF-16 units, and a page's id is its contribution's."
)


def make_schema() -> dict[str, Any]:
    """The schema of documents and manifests, each model a definition of its own."""
    _, schema = models_json_schema(
        [(model, "validation") for model in (PageDocument, Manifest, DraftArguments)], by_alias=True
    )
    families: dict[str, Any] = {}
    definitions = {name: _told(part, families) for name, part in schema["$defs"].items()} | families
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Hermes page documents and mobile manifests, version 1",
        "description": _ABOUT,
        "type": "object",
        "if": {"required": ["pages"]},
        "then": {"$ref": "#/$defs/PageDocument"},
        "else": {"$ref": "#/$defs/Manifest"},
        "$defs": definitions,
    }


def page_schema() -> dict[str, Any]:
    """The schema as published."""
    text = resources.files("loader.pages").joinpath("page.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _told(part: Any, families: dict[str, Any]) -> Any:
    """Without titles that repeat names, and with unions and keys as every validator understands them.

    ``families`` collects the unions, which become definitions of their own.
    """
    if isinstance(part, list):
        return [_told(one, families) for one in part]
    if not isinstance(part, dict):
        return part
    if "discriminator" in part:
        return _family(part["discriminator"]["mapping"], families)
    kept = {key: _told(value, families) for key, value in part.items() if not _is_title(key, value)}
    patterns = kept.pop("patternProperties", None)
    if patterns:
        # Models bound the keys; a pattern's properties alone would let other keys hold anything.
        ((pattern, value),) = patterns.items()
        kept |= {"propertyNames": {"pattern": pattern}, "additionalProperties": value}
    if kept.get("minimum") == kept.get("maximum") == 1:
        kept = {key: value for key, value in kept.items() if key not in ("minimum", "maximum")} | {"const": 1}
    return kept


_FAMILY_OF = {"group": "Element", "literal": "Text", "string": "Value", "truthy": "Condition"}


def _family(mapping: dict[str, str], families: dict[str, Any]) -> dict[str, Any]:
    """One branch for each ``type``: a plain oneOf tries them all at every level, and says nothing of use."""
    name = next(family for tag, family in _FAMILY_OF.items() if tag in mapping)
    families[name] = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": sorted(mapping)}},
        "allOf": [
            {"if": {"required": ["type"], "properties": {"type": {"const": tag}}}, "then": {"$ref": reference}}
            for tag, reference in sorted(mapping.items())
        ],
    }
    return {"$ref": f"#/$defs/{name}"}


def _is_title(key: str, value: object) -> bool:
    return key == "title" and isinstance(value, str)


def schema_text() -> str:
    return json.dumps(make_schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
