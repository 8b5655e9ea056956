"""Look-ups of what a file makes itself, and of what it does not."""

import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.selectors import foreign_selectors


def foreign(text: str) -> list[str]:
    return [selector for _, selector in foreign_selectors(parse(text))]


def test_names_that_the_file_gives_to_nothing_are_foreign() -> None:
    assert foreign("document.querySelector('.titlebar > [data-slot=\"x\"] button')") == [
        '.titlebar > [data-slot="x"] button'
    ]
    assert foreign("document.getElementsByClassName('side bar')") == [".side.bar"]


@pytest.mark.parametrize(
    "text",
    [
        "el.className = 'board'; document.querySelector('.board .titlebar')",
        "el.dataset.boardRoot = ''; document.querySelector('[data-board-root]')",
        "document.body.innerHTML = `<i class=\"spark line\">`; document.querySelector('.spark')",
        "const SELECTOR = '.titlebar'; document.querySelector(SELECTOR)",
        "document.querySelector('#anything .titlebar')",
        "document.querySelector('.titlebar, body')",
        "document.querySelector(':focus')",
        "document.querySelector('head link[rel=stylesheet]')",
        "document.querySelector('meta[name=\"viewport\"]')",
        "document.querySelector('')",
        "document.querySelector('.' + name)",
    ],
)
def test_own_names_ids_and_constants_are_not(text: str) -> None:
    assert foreign(text) == []
