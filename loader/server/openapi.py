"""The OpenAPI document of all routes: ``python -m loader.server.openapi > docs/openapi.json`` writes the kept copy."""

from __future__ import annotations

import json
import sys

from loader.server.app import bare_app


def openapi_text() -> str:
    """The document of the app as it is, in the form that is kept in the docs."""
    return json.dumps(bare_app().openapi(), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(openapi_text())
