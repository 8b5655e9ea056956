import pytest

from loader.nouns import Fix
from tests.analysis.finding import findings

REST = "export default { id: 'demo', register() { used() } }\n"


def unused(text: str) -> list[str]:
    return [one.message.split("`")[1] for one in findings("HP509", text)]


def applied(text: str, fixes: list[Fix | None]) -> str:
    edits = {edit for fix in fixes if fix is not None for edit in fix.edits}
    ends = len(text)
    for edit in sorted(edits, key=lambda edit: -edit.start):
        assert edit.end <= ends, "two edits overlap"
        ends = edit.start
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import { host } from '@hermes/plugin-sdk'", ["host"]),
        ("import { host as h } from '@hermes/plugin-sdk'", ["h"]),
        ("import * as sdk from '@hermes/plugin-sdk'", ["sdk"]),
        ("import React from 'react'", ["React"]),
        ("import React, { useState, useRef } from 'react'", ["React", "useState", "useRef"]),
        ("import { jsx } from 'react/jsx-runtime'\nconst f = (jsx) => jsx; used(f)", ["jsx"]),
    ],
)
def test_flags_names_that_nothing_uses(line: str, names: list[str]) -> None:
    assert unused(f"{line}\n{REST}") == names


@pytest.mark.parametrize(
    "line",
    [
        "import { host } from '@hermes/plugin-sdk'\nhost.status()",
        "import { host } from '@hermes/plugin-sdk'\nexport { host }",
        "export { host } from '@hermes/plugin-sdk'",
        "import 'react'",
        "import { atom } from '@hermes/plugin-sdk'\nconst o = { atom }; used(o)",
        "import { atom } from '@hermes/plugin-sdk'\nconst k = `${atom}`; used(typeof k)",
        "import { atom } from '@hermes/plugin-sdk'\nused(typeof atom)",
        "import * as sdk from '@hermes/plugin-sdk'\nused(sdk.host)",
        "import { Fragment } from 'react'\nclass A extends Fragment {} used(A)",
        "const used2 = 1",
        "import _ from 'lodash'",
    ],
)
def test_leaves_alone_what_is_used_or_handed_on(line: str) -> None:
    assert unused(f"{line}\n{REST}") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import { a } from 'react'\n", ""),
        ("import { a, used } from 'react'\n", "import { used } from 'react'\n"),
        ("import { used, a } from 'react'\n", "import { used } from 'react'\n"),
        ("import { a, used, b } from 'react'\n", "import { used } from 'react'\n"),
        ("import { a, b, used, d, e } from 'react'\n", "import { used } from 'react'\n"),
        ("import { a, b, used, d, keep, e } from 'react'; keep()\n", "import { used, keep } from 'react'; keep()\n"),
        ("import { a, b } from 'react'; used()\n", " used()\n"),
        ("import X, { used } from 'react'\n", "import { used } from 'react'\n"),
        ("import used, { a, b } from 'react'\n", "import used from 'react'\n"),
        ("import used, * as N from 'react'\n", "import used from 'react'\n"),
        ("import N, * as used from 'react'\n", "import * as used from 'react'\n"),
        ("import X, { a } from 'react'\r\n", ""),
        ("import {\n  a,\n  used,\n  b,\n} from 'react'\n", "import {\n  used,\n} from 'react'\n"),
        ("import { x as a, y as used } from 'react' // both\n", "import { y as used } from 'react' // both\n"),
        ("import { default as a, used } from 'react'\n", "import { used } from 'react'\n"),
    ],
)
def test_all_fixes_of_a_file_can_be_applied_together(before: str, after: str) -> None:
    text = before + REST
    found = findings("HP509", text)
    mended = applied(text, [one.fix for one in found])
    assert mended == after + REST
    assert findings("HP509", mended) == []


def test_it_is_only_worth_knowing() -> None:
    (found,) = findings("HP509", "import { host } from '@hermes/plugin-sdk'\n" + REST)
    assert found.under("HP509").severity == "info"
