import json
from pathlib import Path
from typing import Any

import pytest

from loader.server.app import bare_app
from loader.server.describing import OPEN_PATHS
from loader.server.openapi import openapi_text

KEPT = Path(__file__).parent.parent.parent / "docs" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(openapi_text())
OPERATIONS = [
    (method, path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]


def ids(value: object) -> str:
    return value if isinstance(value, str) else ""


def test_the_kept_document_is_that_of_the_app() -> None:
    hint = "run: python -m loader.server.openapi > docs/openapi.json"
    assert KEPT.read_text("utf-8") == openapi_text(), hint


def test_the_document_is_the_same_each_time() -> None:
    assert json.dumps(bare_app().openapi(), sort_keys=True) == json.dumps(bare_app().openapi(), sort_keys=True)


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=ids)
def test_every_route_says_what_it_does_and_who_may(method: str, path: str, operation: dict[str, Any]) -> None:
    assert operation["description"]
    is_open = (method, path) in OPEN_PATHS or path == "/"
    assert ("security" in operation) is not is_open
    assert ("401" in operation["responses"]) is not is_open
    assert "application/problem+json" in operation["responses"]["default"]["content"]


def examples_missing(schema: dict[str, Any]) -> list[str]:
    """Plain fields without an example, followed through references."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    missing = []
    for name, field in schema.get("properties", {}).items():
        nested = field.get("items", field)
        if "$ref" in nested:
            missing += examples_missing(nested)
        elif "examples" not in field and "example" not in field and "call" not in name:
            missing.append(f"{schema.get('title')}.{name}")
    return missing


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=ids)
def test_every_field_that_is_sent_or_answered_has_an_example(method: str, path: str, operation: dict[str, Any]) -> None:
    contents = [operation.get("requestBody", {}), *operation["responses"].values()]
    for content in contents:
        for media_type, shown in content.get("content", {}).items():
            if media_type == "application/json":
                assert examples_missing(shown.get("schema", {})) == []


def test_the_routes_of_the_protocol_are_all_there() -> None:
    found = {(method.upper(), path) for method, path, _ in OPERATIONS}
    assert found >= {
        ("GET", "/v1/health"),
        ("POST", "/v1/session"),
        ("POST", "/v1/session/code"),
        ("GET", "/v1/plugins"),
        ("GET", "/v1/plugins/{id}"),
        ("GET", "/v1/plugins/{id}/source"),
        ("GET", "/modules/{capability}/plugin.js"),
        ("GET", "/sdk/{capability}/{module}.js"),
        ("POST", "/v1/reload"),
        ("PUT", "/v1/plugins/{id}/enabled"),
        ("PUT", "/v1/plugins/{id}/integrity"),
        ("DELETE", "/v1/plugins/{id}/integrity"),
    }
