"""Elements are found once for all rules, and go when their text goes."""

import gc
import weakref

from loader.analysis.syntax import parse
from loader.analysis.syntax.elements import elements

TEXT = "import { jsx } from 'react/jsx-runtime'\njsx('p', { title: 'a' }); jsx(View, {}); other('p', {})\n"


def test_elements_are_found_once() -> None:
    module = parse(TEXT)
    found = elements(module)
    assert [(one.tag, one.component) for one in found] == [("p", None), (None, "global.View")]
    assert elements(module) is found
    assert elements(parse(TEXT)) is not found


def test_elements_do_not_keep_their_text() -> None:
    module = parse(TEXT)
    assert elements(module)[0].prop("title") is not None
    gone = weakref.ref(module)
    del module
    gc.collect()
    assert gone() is None
