import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("Array.prototype.last = function () {}", "`Array.prototype.last`"),
        ("const P = Element.prototype; P['remove'] = () => {}", "`Element.prototype.remove`"),
        ("window.String.prototype[c.source] = 1", "`String.prototype.[…]`"),
        ("Object.defineProperty(Object.prototype, 'x', { value: 1 })", "`Object.prototype.x`"),
        ("Object.assign(Map.prototype, { first() {} })", "`Map.prototype`"),
        ("delete Array.prototype.at", "`Array.prototype.at`"),
        ("const old = window.fetch; window.fetch = (...a) => old(...a)", "`fetch`"),
        ("console.log = () => {}", "`console.log`"),
        ("JSON.parse = (text) => text", "`JSON.parse`"),
        ("Object.defineProperty(window, 'WebSocket', { value: null })", "`WebSocket`"),
        ("history.pushState = () => {}", "`history.pushState`"),
    ],
)
def test_flags_changes_to_what_everybody_shares(body: str, what: str) -> None:
    (message,) = messages("HP613", body)
    assert message.startswith(f"{what} is changed")


@pytest.mark.parametrize(
    "body",
    [
        "class Board { open() {} } Board.prototype.open = () => {}",
        "function Old() {} Old.prototype = { go() {} }; Old.prototype.stop = () => {}",
        "const has = Object.prototype.hasOwnProperty; has.call(c, 'x')",
        "Array.prototype.slice.call(arguments, 1)",
        "if (!Array.prototype.at) Array.prototype.at = function () {}",
        "Array.prototype.at ??= function () {}",
        "Array.prototype.at = Array.prototype.at || function () {}",
        "if (!('at' in Array.prototype)) Object.defineProperty(Array.prototype, 'at', { value() {} })",
        "window.onresize = () => {}; document.title = 'x'; location.hash = '#a'; window.demoState = 1",
        "class Array {} Array.prototype.last = 1",
        "const list = []; list.prototype = 1; list.length = 0",
        "const own = Object.create(HTMLElement.prototype); own.x = 1",
        "Object.assign({}, Array.prototype)",
    ],
)
def test_leaves_own_classes_and_missing_pieces_alone(body: str) -> None:
    assert messages("HP613", body) == []
