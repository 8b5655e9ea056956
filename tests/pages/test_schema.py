"""The published schema is the models' own, and says of generated documents what the phone's rules say.

``phone.schema.json`` is the contract as it was written down from the phone's code, by other hands than the models'.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loader.pages.check import check_value
from loader.pages.schema import make_schema, page_schema
from tests.pages.building import DOCUMENTS, MANIFESTS, mutated

PHONE = json.loads(Path(__file__).with_name("phone.schema.json").read_text("utf-8"))
OURS = jsonschema.Draft202012Validator(page_schema())
THEIRS = jsonschema.Draft202012Validator(PHONE)
MANY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))

BROKEN_FROM_EACH = 8

# What the schema cannot say, so that only the check refuses it.
ONLY_THE_CHECK = {"HP703", "HP710", "HP713"}


def test_the_published_schema_is_made_from_the_models() -> None:
    assert page_schema() == make_schema(), "make it anew: python -m loader.pages.schema > loader/pages/page.schema.json"


def test_both_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(page_schema())


def compare(value: dict[str, Any]) -> None:
    ours, theirs = OURS.is_valid(value), THEIRS.is_valid(value)
    assert ours == theirs, [
        (error.json_path, error.message) for error in (*OURS.iter_errors(value), *THEIRS.iter_errors(value))
    ]
    checked = check_value(value, "document" if "pages" in value else "manifest")
    errors = {found.code for found in checked.diagnostics if found.severity == "error"}
    if ours:
        assert errors <= ONLY_THE_CHECK | _whole_numbers(value), checked.findings
    else:
        assert errors or _looser(checked.diagnostics), checked.findings


def _whole_numbers(value: dict[str, Any]) -> set[str]:
    # 1.0 is an integer to JSON Schema; the phone's decoder wants none with a fraction.
    return {"HP705"} if ".0" in json.dumps(value) else set()


def _looser(diagnostics: Any) -> bool:
    """Quoted numbers and booleans, which the phone takes and the schema does not."""
    return any(found.code == "HP734" for found in diagnostics)


@MANY
@given(DOCUMENTS)
def test_what_a_phone_shows_passes_everywhere(value: dict[str, Any]) -> None:
    assert THEIRS.is_valid(value)
    assert OURS.is_valid(value)
    checked = check_value(value, "document")
    assert checked.ok, checked.findings
    assert checked.canonical is not None
    assert OURS.is_valid(checked.canonical)


@MANY
@given(DOCUMENTS, st.integers(0, 2**32))
def test_both_schemas_and_the_check_agree_on_broken_documents(value: dict[str, Any], seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(BROKEN_FROM_EACH):
        broken = mutated(value, chance)
        if "pages" in broken:
            compare(broken)


@MANY
@given(MANIFESTS, st.integers(0, 2**32))
def test_both_schemas_and_the_check_agree_on_manifests(value: dict[str, Any], seed: int) -> None:
    chance = random.Random(seed)
    compare(value)
    for _ in range(BROKEN_FROM_EACH):
        compare(mutated(value, chance))


@pytest.mark.parametrize(
    ("name", "said"),
    [("padded", True), ("float32", True)],
)
def test_where_the_check_takes_more_than_the_schema(name: str, said: bool) -> None:
    """The phone trims paths and keeps ratios in 32 bits; a schema cannot say either."""
    path = {"type": "button", "id": "b", "label": _TEXT, "action": {"id": "a", "request": {"path": " go "}}}
    ratio = {"type": "image", "id": "i", "asset": {"id": "x"}, "contentDescription": _TEXT, "aspectRatio": 4.00000001}
    value = {"pages": [{"id": "p", "title": _TEXT, "content": path if name == "padded" else ratio}]}
    assert not OURS.is_valid(value)
    assert check_value(value, "document").ok is said


_TEXT = {"type": "literal", "value": "T"}


def test_the_schema_says_every_bound_in_its_own_words() -> None:
    text = json.dumps(page_schema())
    assert '"ge"' not in text
    assert '"le"' not in text
    bar = {"type": "progress", "id": "p", "value": 2, "valueBinding": "k"}
    assert not OURS.is_valid({"pages": [{"id": "p", "title": _TEXT, "content": bar}]})
