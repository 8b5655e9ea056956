"""HP204: a name that the module does not export."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("import { usestate } from 'react'", "useState"),
        ("import { Buton } from '@hermes/plugin-sdk'", "Button"),
        ("import { useState } from '@hermes/plugin-sdk'", "exported by `react`"),
        ("import { host } from 'react'", "exported by `@hermes/plugin-sdk`"),
        ("import { jsxDEV } from 'react/jsx-runtime'", "jsx"),
        ("import { definePlugin } from '@hermes/plugin-sdk'", "export the object itself"),
        ("import { createHermesPlugin } from '@hermes/plugin-sdk'", "export the object itself"),
        ("import { Plugin } from '@hermes/plugin-sdk'", "export the object itself"),
        ("import { SomethingNew } from '@hermes/plugin-sdk'", "import * as"),
        ("export { nothing } from 'react'", "import * as"),
        ("import { 'a b' as c } from 'react'", "import * as"),
    ],
)
def test_missing_names_are_said_with_a_way_out(text: str, hint: str) -> None:
    found = only(text + END)
    assert (found.code, found.severity) == ("HP204", "error")
    assert hint in (found.hint or "")


@pytest.mark.parametrize(
    "text",
    [
        "import React, { useState } from 'react'",
        "import sdk from '@hermes/plugin-sdk'",
        "import { default as sdk } from '@hermes/plugin-sdk'",
        "import * as sdk from '@hermes/plugin-sdk'\nsdk.SomethingNew",
        "export * from 'react'",
        "import 'react'",
        "const { SomethingNew } = await import('@hermes/plugin-sdk')",
    ],
)
def test_near_misses(text: str) -> None:
    assert "HP204" not in codes(text + END)


def test_the_message_says_which_build_was_looked_at() -> None:
    assert "8b6db103" in only(f"import {{ SomethingNew }} from '@hermes/plugin-sdk'{END}").message
