"""Props of local components: what `jsx(View, { ctx })` makes of `ctx` inside `View`."""

import pytest

from loader.analysis.syntax import parse

HEAD = """import * as React from 'react'
import { createElement as h, memo } from 'react'
import { jsx, jsxs as _jsxs } from 'react/jsx-runtime'
"""


def called(components: str, body: str) -> list[str | None]:
    text = f"{HEAD}{components}\nexport default {{ id: 'demo', register(ctx) {{ {body} }} }}\n"
    module = parse(text)
    assert not module.has_error
    return [call.path for call in module.calls if module.tree.raw(call.callee).endswith(("rest", "it"))]


@pytest.mark.parametrize(
    ("components", "body"),
    [
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx })"),
        ("function View({ ctx: c }) { c.rest() }", "_jsxs(View, { ctx: ctx, title: 'x' }, 'key')"),
        ("function View(props) { props.ctx.rest() }", "h(View, { ctx })"),
        ("const View = ({ rest: it }) => { it() }", "React.createElement(View, { rest: ctx.rest })"),
        ("const View = memo(({ ctx }) => { ctx.rest() })", "jsx(View, { ctx })"),
        ("const View = React.memo(Inner); function Inner({ ctx }) { ctx.rest() }", "jsx(View, { ctx })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx }); jsx(View, { ctx })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ...ctx.storage, ctx })"),
        (
            "function Outer({ ctx }) { return jsx(View, { ctx }) } function View({ ctx }) { ctx.rest() }",
            "jsx(Outer, { ctx })",
        ),
        ("function Tree({ ctx }) { ctx.rest(); return jsx(Tree, { ctx }) }", "jsx(Tree, { ctx })"),
        ("const make = (c) => function View({ n }) { c.rest(n) }", "jsx(make(ctx), { n: 1 })"),
        ("const create = React.createElement; function View({ ctx }) { ctx.rest() }", "create(View, { ctx })"),
    ],
)
def test_follows_props_into_a_component(components: str, body: str) -> None:
    assert called(components, body) == ["ctx.rest"]


@pytest.mark.parametrize(
    ("components", "body"),
    [
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx: make(ctx) })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx, ...ctx.storage })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx, ['ct' + 'x']: 1 })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, { ctx }); jsx(View, { ctx: window })"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, ctx.storage.get('props'))"),
        ("function View({ ctx }) { ctx.rest() }", "jsx(View, {})"),
        ("function View({ ctx }) { ctx = 1; ctx.rest() }", "jsx(View, { ctx })"),
        ("function View({ ctx }) { ctx.rest() }", "const jsx = (a, b) => a; jsx(View, { ctx })"),
        ("function View({ ...rest }) { rest() }", "jsx(View, { rest: ctx.rest })"),
    ],
)
def test_says_nothing_where_props_cannot_be_known(components: str, body: str) -> None:
    assert "ctx.rest" not in called(components, body)


def test_functions_that_hand_on_to_each_other_end() -> None:
    many = "".join(
        f"function F{n}({{ ctx }}) {{ return [jsx(F{(n + 1) % 60}, {{ ctx }}), jsx(F0, {{ ctx }})] }}"
        for n in range(60)
    )
    text = f"{HEAD}{many}function View({{ ctx }}) {{ ctx.rest() }}"
    assert called(text.removeprefix(HEAD), "jsx(F0, { ctx }); jsx(View, { ctx })") == ["ctx.rest"]
