"""HP205: a name that is only a type."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize("name", ["PluginContext", "HermesPlugin", "StatusTone"])
def test_types_are_refused_as_values(name: str) -> None:
    assert only(f"import {{ {name} }} from '@hermes/plugin-sdk'{END}").code == "HP205"


@pytest.mark.parametrize(
    "text",
    [
        "/** @type {import('@hermes/plugin-sdk').PluginContext} */",
        "import { host } from '@hermes/plugin-sdk'",
        "const PluginContext = 1",
        "import * as sdk from '@hermes/plugin-sdk'\nsdk.PluginContext",
    ],
)
def test_near_misses(text: str) -> None:
    assert codes(text + END) == []
