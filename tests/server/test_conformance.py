"""Whatever is asked, the answer is one that the OpenAPI document describes, and never a failure of ours."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from loader.server.app import create_app, host_policy
from tests.server.fakes import TOKEN, make

HEADERS = {"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1"}


def app() -> object:
    parts, pipeline = make(make_policy=host_policy)
    # The name that the document gives as its example.
    pipeline.save("clock", "import 'react'")
    return create_app(parts)


schema = schemathesis.openapi.from_asgi("/openapi.json", app(), headers=HEADERS)


@schema.parametrize()
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case: schemathesis.Case[Any]) -> None:
    response = case.call(headers=HEADERS)
    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_headers_conformance,
            response_schema_conformance,
        ],
    )
