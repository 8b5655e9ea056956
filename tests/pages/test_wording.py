"""A value of another kind is told with what it is and what is due, at its place."""

import json
from typing import Any

import pytest

from loader.pages.check import check_page
from tests.pages.building import LABEL, document, line

TEXT = {"type": "text", "id": "t", "text": LABEL}
BUTTON = {"type": "button", "id": "b", "label": LABEL}


def first(value: Any) -> tuple[str, str]:
    found = check_page(json.dumps(value)).findings[0]
    return found.diagnostic.code, found.diagnostic.message


@pytest.mark.parametrize(
    ("version", "code", "said"),
    [
        (2, "HP708", "schemaVersion is 2; only 1 is known"),
        (-1, "HP708", "schemaVersion is -1; only 1 is known"),
        (True, "HP705", "schemaVersion is a boolean, a whole number is due"),
        (1.5, "HP705", "schemaVersion is 1.5, a whole number is due"),
        (None, "HP705", "schemaVersion is null, a whole number is due"),
        ([], "HP705", "schemaVersion is an array, a whole number is due"),
        ({}, "HP705", "schemaVersion is an object, a whole number is due"),
        ("1", "HP734", "a quoted number: '1'"),
    ],
)
def test_a_version_that_is_none(version: Any, code: str, said: str) -> None:
    assert first(document(line()) | {"schemaVersion": version}) == (code, f"/schemaVersion: {said}")


@pytest.mark.parametrize(
    ("element", "place", "said"),
    [
        ({**TEXT, "style": 7}, "style", "style is a number, a string is due"),
        ({**TEXT, "style": True}, "style", "style is a boolean, a string is due"),
        ({**TEXT, "id": 7}, "id", "id is a number, a string is due"),
        ({**TEXT, "text": "plain"}, "text", "text is a string, a text object is due"),
        ({"type": "progress", "id": "p", "value": "half"}, "value", "value is a string, a number is due"),
        ({"type": "group", "id": "g", "children": {}}, "children", "children is an object, an array is due"),
        (
            {**BUTTON, "action": {"id": "x", "request": {"path": "a", "method": 7}}},
            "action/request/method",
            "method is a number, a string is due",
        ),
        ({**BUTTON, "action": []}, "action", "action is an array, an object is due"),
    ],
)
def test_a_field_of_another_kind(element: Any, place: str, said: str) -> None:
    assert first(document(element)) == ("HP705", f"/pages/0/content/{place}: {said}")
