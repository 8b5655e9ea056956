"""The tree of indices and the parser's own: each node of the one is found again in the other, without a width too."""

import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.tree import KIND_NAMES

TEXTS = [
    "export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }",
    "label:",
    "({a:})",
    "x = `${}`",
    "for (;;) ;",
    "let {a = } = b",
    "class A { x = ; get }",
    "import {} from",
    "f(/* */)",
    "'🙂'; ({ '🙂': [,,] })",
]


@pytest.mark.parametrize("text", TEXTS)
def test_each_node_is_found_again_by_its_place(text: str) -> None:
    tree = parse(text, deadline_s=60.0).tree
    for index, code in enumerate(tree.kinds):
        found = tree.raw_node(index)
        assert (found.start_byte, found.end_byte) == (tree.starts[index], tree.stops[index])
        assert found.type == KIND_NAMES[code]
        assert tree.raw_node(index) is found
