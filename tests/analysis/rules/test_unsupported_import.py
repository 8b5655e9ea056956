"""HP201: only the three modules, letter by letter, and a way out for what was probably meant."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import check, codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    ("specifier", "hint"),
    [
        ("lodash", "Bundle"),
        ("React", "upper and lower case"),
        ("react ", "spaces"),
        (" react", "spaces"),
        ("react?v=19", "query"),
        ("react#a", "query"),
        ("react/", "slash"),
        ("react@19", "version"),
        ("@hermes/plugin-sdk@latest", "version"),
        ("react/jsx-dev-runtime", "react/jsx-runtime"),
        ("react/jsx-runtime.js", "Write `react/jsx-runtime` alone"),
        ("react/index.js", "Write `react` alone"),
        ("npm:react@18.2.0", "Write `react` alone"),
        ("./node_modules/@hermes/plugin-sdk/index.mjs", "Write `@hermes/plugin-sdk` alone"),
        ("https://esm.sh/react@18.2.0", "its own `react`"),
        ("https://unpkg.com/react@18/umd/react.production.min.js", "its own `react`"),
        ("https://esm.sh/react@18/jsx-runtime", "its own `react`"),
        ("https://esm.sh/react-dom@18", "run time"),
        ("https://esm.sh/preact", "run time"),
        ("./react.js", "single file"),
        ("react-dom", "portals"),
        ("react-dom/client", "portals"),
        ("react/compiler-runtime", "Of React's modules"),
        ("@hermes/plugin-sdk/internal", "itself"),
        ("@hermes/sdk", "itself"),
        ("fs", "ctx.rest"),
        ("node:fs", "ctx.rest"),
        ("fs/promises", "ctx.rest"),
        ("./helper.js", "single file"),
        ("../x", "single file"),
        ("/abs.js", "single file"),
        ("C:\\\\plugins\\\\a.js", "single file"),
        ("https://cdn.example/x.js", "run time"),
        ("//cdn.example/x.js", "run time"),
        ("data:text/javascript,1", "run time"),
        ("blob:null/1", "run time"),
        ("file:///x.js", "run time"),
        ("recat", "react"),
        ("", "three"),
    ],
)
def test_names_outside_the_three_are_refused_with_a_hint(specifier: str, hint: str) -> None:
    found = only(f"import '{specifier}'{END}")
    assert (found.code, found.severity) == ("HP201", "error")
    assert hint.lower() in f"{found.message} {found.hint}".lower()


@pytest.mark.parametrize(
    "text",
    [
        "import { useState } from 'react'",
        'import { jsx } from "react/jsx-runtime"',
        "import { host } from '@hermes/plugin-s\\u{64}k'",
        "import * as r from 'rea\\\nct'",
        "export * as ui from 'react'",
        "const s = \"import x from 'lodash'\"",
        "// import x from 'lodash'\n/* import 'lodash' */",
        "const o = { import(x) { return x }, from: 'lodash' }\no.import('lodash')",
    ],
)
def test_near_misses(text: str) -> None:
    assert "HP201" not in codes(text + END)


@pytest.mark.parametrize(
    "form",
    ["import '{}'", "import a from '{}'", "export * from '{}'", "export {{ a }} from '{}'", "export * as n from '{}'"],
)
def test_every_form_of_import_and_reexport_counts(form: str) -> None:
    assert "HP201" in codes(form.format("lodash") + END)


def test_the_first_message_names_them_all() -> None:
    first, second = (one for one in check(f"import 'a'\nexport * from 'b'{END}").findings if one.code == "HP201")
    assert "`a`" in first.message
    assert "`b`" in first.message
    assert "`a`" not in second.message


def test_a_wrong_spelling_is_mended_inside_the_quotes() -> None:
    text = f"const f = '😀'; import a from \"React\"{END}"
    (edit,) = only(text).fix.edits  # type: ignore[union-attr]
    units = text.encode("utf-16-le")
    mended = (units[: edit.start * 2] + edit.text.encode("utf-16-le") + units[edit.end * 2 :]).decode("utf-16-le")
    assert mended == text.replace("React", "react")


def test_a_guess_is_no_fix() -> None:
    assert only(f"import 'recat'{END}").fix is None
