"""HP208: letters that print like others."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    ("specifier", "point"),
    [
        ("re\u0430ct", "U+0430"),
        ("r\u0435act", "U+0435"),
        ("\uff52eact", "U+FF52"),
        ("react\u200b", "U+200B"),
        ("re\u00adact", "U+00AD"),
        ("react\u2215jsx-runtime", "U+2215"),
        ("@hermes/plugin\u2010sdk", "U+2010"),
        ("@h\u0435rmes/plugin-sdk", "U+0435"),
    ],
)
def test_lookalikes_are_refused_with_their_code_point(specifier: str, point: str) -> None:
    found = only(f"import '{specifier}'{END}")
    assert (found.code, found.severity) == ("HP208", "error")
    assert point in found.message


def test_an_escape_is_no_hiding_place() -> None:
    assert codes(f"import 're\\u0430ct'{END}") == ["HP208"]
    assert codes(f"export const a = import('re\\u0430ct'){END}") == ["HP208"]


@pytest.mark.parametrize("specifier", ["réact", "реакт", "react-\u0430", "左", "lodash"])
def test_near_misses_are_plain_unsupported_imports(specifier: str) -> None:
    assert codes(f"import '{specifier}'{END}") == ["HP201"]
