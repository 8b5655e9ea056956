"""The examples of docs/pages.md pass the check that the page is about."""

import re
from pathlib import Path

import pytest

from loader.pages.check import check_page
from loader.pages.document import Element
from loader.pages.shapes import Tagged, shape_of

PAGE = (Path(__file__).parent.parent.parent / "docs" / "pages.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json page\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_there_is_an_example_of_both_kinds() -> None:
    assert [check_page(text).kind for text in EXAMPLES] == ["document", "manifest"]


@pytest.mark.parametrize("text", EXAMPLES, ids=["document", "manifest"])
def test_an_example_has_no_finding(text: str) -> None:
    assert check_page(text).findings == ()


def test_every_element_is_named() -> None:
    shape, _ = shape_of(Element)
    assert isinstance(shape, Tagged)
    assert [name for name in shape.models if f"`{name}`" not in PAGE] == []
