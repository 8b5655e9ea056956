"""Elements and contributions, however they are written."""

from __future__ import annotations

from loader.analysis.syntax import Module, parse
from loader.analysis.syntax.elements import contributions, elements

AREAS = {"TITLEBAR_AREAS.right": "titleBar.right", "PALETTE_AREA": "palette"}
HEAD = (
    "import * as all from '@hermes/plugin-sdk'\n"
    "import { Contribute as C, PALETTE_AREA as P } from '@hermes/plugin-sdk'\n"
    "import React, { createElement as h } from 'react'\nimport { jsx as e, jsxs } from 'react/jsx-runtime'\n"
)


def module(body: str) -> Module:
    return parse(f"{HEAD}export default {{ id: 'demo', register(c) {{\n{body}\n}} }}\n")


def test_elements_are_seen_under_any_name_of_their_maker() -> None:
    found = module("e('a', { href: 1 }); jsxs(C, {}); h('b', null, x); React.createElement(all.Button); other('c', {})")
    assert [(one.tag, one.component) for one in elements(found)] == [
        ("a", None),
        (None, "sdk.Contribute"),
        ("b", None),
        (None, "sdk.Button"),
    ]


def test_properties_are_read_through_constants_and_spreads() -> None:
    found = module("const base = { src: 'a' }; e('img', { ...base, alt: 'b' }); e('img', props)")
    first, second = elements(found)
    assert [found.tree.raw(node) for node in (first.prop("src"), first.prop("alt")) if node is not None] == [
        "'a'",
        "'b'",
    ]
    assert second.prop("src") is None


def test_children_of_create_element_are_arguments() -> None:
    (found,) = elements(module("h('p', null, 'a', 'b')"))
    assert len(found.children) == 2


def test_contributions_are_found_in_every_form() -> None:
    found = module(
        "const { register } = c; register({ id: 'a', area: P }); c.registerMany([{ id: 'b', area: 'x' }, rest])\n"
        "e(C, { id: 'c', area: all.TITLEBAR_AREAS.right }); c.register(unknown); other.register({ id: 'd' })"
    )
    assert [(one.area, one.mounted) for one in contributions(found, AREAS)] == [
        ("palette", False),
        ("x", False),
        ("titleBar.right", True),
    ]
    assert all(one.field("id") is not None for one in contributions(found, AREAS))
