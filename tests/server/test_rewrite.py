import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.nouns import ImportRef, Span
from loader.server.rewrite import rewrite
from tests.server.fakes import imports_of

HERE = Span(1, 1, 1, 1)


def url_of(specifier: str) -> str | None:
    return {"react": "/sdk/c/react.js", "@hermes/plugin-sdk": "/sdk/c/plugin-sdk.js"}.get(specifier)


def test_only_the_spans_are_replaced() -> None:
    text = "import { host } from '@hermes/plugin-sdk'\nconst label = \"copy from 'react'\" // import 'react'\n"
    first = imports_of(text)[:1]
    assert rewrite(text, first, url_of) == text.replace("'@hermes/plugin-sdk'", '"/sdk/c/plugin-sdk.js"')


def test_letters_beyond_the_basic_plane_count_twice() -> None:
    text = "/* 😀🏳️‍🌈 */ import a from 'react'; const x = '😀'; import b from \"react\""
    wanted = '/* 😀🏳️‍🌈 */ import a from "/sdk/c/react.js"; const x = \'😀\'; import b from "/sdk/c/react.js"'
    assert rewrite(text, imports_of(text), url_of) == wanted


def test_computed_and_unknown_specifiers_stay() -> None:
    text = "import(name); import 'lodash'"
    computed = ImportRef(None, "dynamic", 7, 11, HERE)
    assert rewrite(text, [computed, *imports_of(text)], url_of) == text


def test_a_specifier_without_a_space_before_it_stays_valid() -> None:
    text = "import'react';export*from'react'"
    assert rewrite(text, imports_of(text), url_of) == 'import"/sdk/c/react.js";export*from"/sdk/c/react.js"'


def test_a_url_is_written_as_a_string_whatever_it_holds() -> None:
    text = "import 'react'"
    assert rewrite(text, imports_of(text), lambda _: '/a"\\\n\u2028</script>') == (
        'import "/a\\"\\\\\\n\\u2028</script>"'
    )


def test_a_lone_surrogate_in_the_text_survives() -> None:
    text = "const x = '\ud800'; import 'react'"
    spans = [ImportRef("react", "static", 22, 29, HERE)]
    assert rewrite(text, spans, url_of) == "const x = '\ud800'; import \"/sdk/c/react.js\""


@pytest.mark.parametrize(("start", "end"), [(0, 99), (8, 8), (-1, 3), (9, 8)])
def test_a_span_that_does_not_fit_is_never_guessed(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        rewrite("import 'react'", [ImportRef("react", "static", start, end, HERE)], url_of)


def test_overlapping_spans_are_never_guessed() -> None:
    twice = [ImportRef("react", "static", 7, 14, HERE), ImportRef("react", "static", 8, 14, HERE)]
    with pytest.raises(ValueError, match="does not fit"):
        rewrite("import 'react'", twice, url_of)


@given(st.lists(st.text(), min_size=1, max_size=6))
def test_whatever_stands_between_the_spans_is_kept(texts: list[str]) -> None:
    text, spans = texts[0], []
    for more in texts[1:]:
        start = len(text.encode("utf-16-le", "surrogatepass")) // 2
        spans.append(ImportRef("react", "static", start, start + 7, HERE))
        text += "'react'" + more
    assert rewrite(text, spans, url_of) == '"/sdk/c/react.js"'.join(texts)
