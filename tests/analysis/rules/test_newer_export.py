"""HP206: a name that only some builds export."""

from __future__ import annotations

import pytest

from loader.settings import AnalysisSettings
from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    ("name", "module", "build"),
    [
        ("ListRow", "@hermes/plugin-sdk", "8b6db103"),
        ("McpTab", "@hermes/plugin-sdk", "00075f36"),
        ("act", "react", "development"),
    ],
)
def test_names_of_some_builds_warn(name: str, module: str, build: str) -> None:
    found = only(f"import {{ {name} }} from '{module}'{END}")
    assert (found.code, found.severity) == ("HP206", "warning")
    assert build in found.message


@pytest.mark.parametrize(
    "text",
    [
        "import { Button } from '@hermes/plugin-sdk'",
        "import * as sdk from '@hermes/plugin-sdk'\nif (sdk.ListRow) sdk.ListRow",
        "import { useState } from 'react'",
        "const ListRow = 1",
    ],
)
def test_near_misses(text: str) -> None:
    assert codes(text + END) == []


def test_an_announcement_ends_the_doubt() -> None:
    announced = AnalysisSettings(sdk_exports=(("@hermes/plugin-sdk", ("ListRow",)),))
    assert codes(f"import {{ ListRow }} from '@hermes/plugin-sdk'{END}", announced) == []
