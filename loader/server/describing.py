"""What the OpenAPI document says beside what FastAPI finds in the routes."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from loader.server.problems import MEDIA_TYPE, ProblemDocument

DESCRIPTION = """\
Watches, checks and serves the desktop plugins of one Hermes root, on loopback only. Take `url` and `token` from
`endpoint.json` in the root's `desktop-loader` folder, and trust them only while its lock is held. Events, and what
shells say, go over the WebSocket `/v1/events` (subprotocols `hermes-plugins.v1` and `bearer.<token>`), which OpenAPI
cannot describe: see the protocol page of the documentation. What answers GET answers HEAD. Every error is an RFC 9457
problem document."""

OPEN_PATHS = {
    ("get", "/v1/health"),
    ("post", "/v1/session"),
    ("get", "/modules/{capability}/plugin.js"),
    ("get", "/sdk/{capability}/{module}.js"),
}


def document(app: FastAPI) -> dict[str, Any]:
    """What FastAPI finds in the routes, plus what holds for all of them: the token, and errors as problems."""
    if app.openapi_schema is not None:
        return app.openapi_schema
    found: dict[str, Any] = get_openapi(
        title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes
    )
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "the endpoint's, a person's or a plugin's token"}
    }
    found["paths"]["/"] = _page()
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _complete(operation, is_open=(method, path) in OPEN_PATHS or path == "/")
    app.openapi_schema = found
    return found


def _complete(operation: dict[str, Any], *, is_open: bool) -> None:
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}
    responses = operation["responses"]
    if "422" in responses and MEDIA_TYPE not in responses["422"].get("content", {}):
        responses["422"] = {"description": "A field does not fit", **problem}
    if not is_open:
        operation["security"] = [{"bearer": []}]
        responses["401"] = {"description": "No valid token", **problem}
    responses["default"] = {"description": "A problem document", **problem}


def _page() -> dict[str, Any]:
    page = {"text/html": {"schema": {"type": "string"}}}
    return {
        "get": {
            "tags": ["service"],
            "summary": "Page",
            "description": "The page for people: static, without secrets.",
            "operationId": "page",
            "responses": {"200": {"description": "HTML", "content": page}},
        }
    }
