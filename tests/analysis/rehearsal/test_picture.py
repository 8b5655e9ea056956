"""Drawings as HTML that cannot hurt and as wireframes that a person recognises."""

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.analysis.rehearsal.picture import to_html, to_wireframe


def node(tag: str, *children: Any, **props: Any) -> dict[str, Any]:
    return {
        "type": tag,
        "ref": 1,
        "props": {name.replace("_", "-"): value for name, value in props.items()},
        "handlers": [],
        "children": list(children),
    }


def test_keeps_structure_text_and_harmless_attributes() -> None:
    tree = node("div", node("h1", "A & B"), node("input", placeholder="x", disabled=True), **{"class": "box"})
    assert to_html(tree) == '<div class="box"><h1>A &amp; B</h1><input placeholder="x" disabled=""></div>'


@pytest.mark.parametrize(
    "tree",
    [
        node("script", "alert(1)"),
        node("style", "*{}"),
        node("iframe", src="https://evil.example"),
        node("object", data="x"),
        node("a", "x", href="javascript:alert(1)"),
        node("a", "x", href="https://evil.example"),
        node("img", src="https://evil.example/pixel", onerror="alert(1)"),
        node("div", onclick="alert(1)", onmouseover="x"),
        node("div", style="background:url(https://evil.example)"),
        node("div", style="position: fixed; inset: 0"),
        node("form", action="https://evil.example"),
        node("div", **{"data-x": '"><script>alert(1)</script>'}),
        node("div", **{'x"><script>': "y"}),
        node("DIV><script>", "x"),
        node("svg", node("use", href="https://evil.example"), node("foreignObject", node("script", "x"))),
        node("meta", content="0;url=https://evil.example"),
        node("base", href="https://evil.example"),
        node("div", id="location", name="cookie"),
        node("div", "</div><script>alert(1)</script>"),
    ],
)
def test_nothing_that_runs_loads_or_leads_away_comes_through(tree: dict[str, Any]) -> None:
    found = Elements.of(to_html(tree))
    assert not found.tags & {"script", "style", "iframe", "object", "form", "meta", "base", "use", "link"}
    assert not {name for name in found.attributes if name.startswith("on")}
    assert not found.attributes & {"href", "src", "action", "id", "name", "data", "content"}
    assert "url(" not in to_html(tree)
    assert "fixed" not in to_html(tree)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.depth = 0

    @classmethod
    def of(cls, markup: str) -> "Elements":
        parser = cls()
        parser.feed(markup)
        parser.close()
        return parser

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.depth += tag not in ("br", "hr", "img", "input", "col")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


names = st.text(max_size=12) | st.sampled_from(["div", "script", "svg", "button", "onclick", "style", "href", "data-x"])
values = st.text(max_size=30) | st.booleans() | st.integers()
trees = st.recursive(
    st.text(max_size=20) | st.none() | st.integers(),
    lambda inner: st.fixed_dictionaries(
        {"type": names, "props": st.dictionaries(names, values, max_size=4), "children": st.lists(inner, max_size=4)}
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(trees)
def test_any_tree_gives_balanced_harmless_markup_and_a_wireframe(tree: Any) -> None:
    markup = to_html(tree)
    found = Elements.of(markup)
    assert found.depth == 0
    assert "script" not in found.tags
    assert not {name for name in found.attributes if name.startswith("on") or name in ("href", "src")}
    assert isinstance(to_wireframe(tree), str)


def test_too_much_is_cut_and_still_closed() -> None:
    found = Elements.of(to_html(node("div", *(node("p", "x" * 1000) for _ in range(500)))))
    assert found.depth == 0
    lines = to_wireframe(node("div", *(node("p", str(n)) for n in range(1000)))).splitlines()
    assert len(lines) <= 201
    assert "more lines" in lines[-1]


def test_a_form_is_recognised() -> None:
    tree = node(
        "section",
        node("h2", "Settings"),
        node("label", "Name ", node("input", value="Ada")),
        node("div", node("input", type="checkbox", checked=True), " Remember me", style="display:flex"),
        node("select", node("option", "One"), node("option", "Two")),
        node("ul", node("li", "first"), node("li", node("b", "second"))),
        node("table", node("tbody", node("tr", node("td", "a"), node("td", "b")))),
        node("hr"),
        node("div", node("button", "Save"), node("button", aria_label="Close"), style="display:flex; gap:8px"),
        node("button", role="switch", aria_checked="true", aria_label="Dark"),
        node("i", data_codicon="beaker"),
        node("p", "Read ", node("a", "the guide"), "."),
        aria_label="Form",
    )
    assert to_wireframe(tree) == (
        "section 'Form':\n"
        "  ## Settings\n"
        "  Name [Ada____]\n"
        "  [x]  Remember me\n"
        "  [One v]\n"
        "  - first\n"
        "  - second\n"
        "  table:\n"
        "    a | b\n"
        "  ----\n"
        "  [ Save ]  [ Close ]\n"
        "  (on) Dark :beaker:\n"
        "  Read <the guide>."
    )


def test_a_column_gives_each_child_its_line() -> None:
    tree = node("div", node("button", "A"), node("button", "B"), style="display:flex;flex-direction:column")
    assert to_wireframe(tree) == "[ A ]\n[ B ]"


def test_control_and_direction_characters_do_not_reach_the_terminal() -> None:
    assert to_wireframe(node("p", "a\x1b[31mb\u202ec\x07d")) == "a [31mb c d"


def test_what_a_page_is_made_of_beside_forms_is_recognised_too() -> None:
    tree = node(
        "div",
        node("div", node("button", "One", role="tab"), node("button", "Two", role="tab"), **{"class": "inline-flex"}),
        node("div", "a ", "b", node("button", "Go"), **{"class": "flex"}),
        node("div", node("p", "x"), node("p", "y"), **{"class": "flex flex-col"}),
        node("ul", node("li", node("div", node("p", "a heading"), node("p", "its text")))),
        node("img", alt="a cat"),
        node("hr"),
        node("img"),
        node("p", "one", node("br"), "two"),
        node("progress", value=3),
        {"type": "#html"},
        {"type": "#cut"},
    )
    assert to_wireframe(tree).splitlines() == [
        "/ One \\  / Two \\",
        "a b  [ Go ]",
        "x",
        "y",
        "-",
        "  a heading",
        "  its text",
        "(image: a cat)",
        "----",
        "(image)",
        "one two",
        "[=== 3] (markup) …",
    ]


def test_what_was_left_out_and_tags_of_no_standard_keep_their_place() -> None:
    tree = node("div", {"type": "#html"}, {"type": "#cut"}, node("b", "x", className="big"), node("my-tag", "y"))
    assert to_html(tree) == (
        '<div><span data-left-out="html">…</span><span data-left-out="cut">…</span>'
        '<b class="big">x</b><div data-tag="my-tag">y</div></div>'
    )
    assert to_html({"type": "div", "props": None, "children": None}) == "<div></div>"
