"""What an expression means, however it is spelt."""

from __future__ import annotations

import pytest

from loader.analysis.syntax import Module, parse

SDK = "'@hermes/plugin-sdk'"


def paths(text: str) -> list[str | None]:
    return [call.path for call in parse(text).calls]


def in_register(body: str, *, parameter: str = "ctx", before: str = "") -> Module:
    return parse(f"{before}\nexport default {{ id: 'demo', register({parameter}) {{ {body} }} }}")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"import {{ host }} from {SDK}; host.request('a')", "sdk.host.request"),
        (f"import {{ host as h }} from {SDK}; h.request('a')", "sdk.host.request"),
        (f"import * as sdk from {SDK}; sdk.host.request('a')", "sdk.host.request"),
        (f"import sdk from {SDK}; sdk.host.request('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; const {{ request }} = host; request('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; const {{ request: r }} = host; r('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; const r = host.request; r('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; host?.['request']?.('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; (0, host.request)('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; await (host.request)('a')", "sdk.host.request"),
        (f"import {{ host }} from {SDK}; let h = null; h = host; h.request('a')", "sdk.host.request"),
        ("import React from 'react'; React.useState()", "react.useState"),
        ("import { jsx as _jsx } from 'react/jsx-runtime'; _jsx('div')", "jsx.jsx"),
        ("import { map } from 'lodash'; map()", "lodash.map"),
        ("setInterval(f, 1)", "global.setInterval"),
        ("window.setInterval(f, 1)", "global.setInterval"),
        ("globalThis.window.setInterval(f, 1)", "global.setInterval"),
        ("const w = window; w.setInterval(f, 1)", "global.setInterval"),
        ("new WebSocket('a')", "global.WebSocket"),
    ],
)
def test_aliases_lead_to_one_path(text: str, path: str) -> None:
    assert paths(text)[-1] == path


@pytest.mark.parametrize(
    "text",
    [
        "function setInterval() {} ; setInterval()",
        "let a = f; a = g; a()",
        "(x => x())(1)",
        "a.c[d]()",
        "this.run()",
        "f()[x]()",
        "const a = b; var b = a; a()",
    ],
)
def test_what_cannot_be_known_has_no_path(text: str) -> None:
    assert paths(text)[0] is None


@pytest.mark.parametrize(
    ("parameter", "body", "before", "path"),
    [
        ("ctx", "ctx.rest('a')", "", "ctx.rest"),
        ("anything", "anything.rest('a')", "", "ctx.rest"),
        ("{ rest }", "rest('a')", "", "ctx.rest"),
        ("{ rest: r }", "r('a')", "", "ctx.rest"),
        ("{ os: { notify } }", "notify({})", "", "ctx.os.notify"),
        ("ctx", "const { rest } = ctx; rest('a')", "", "ctx.rest"),
        ("ctx", "ctx.pet?.say?.('a')", "", "ctx.pet.say"),
        ("ctx", "stored = ctx; later()", "let stored; function later() { stored.rest('a') }", "ctx.rest"),
        ("ctx", "pane(ctx)", "function pane(c) { c.rest('a') }", "ctx.rest"),
        ("ctx", "pane({}, ctx)", "const pane = (o, { rest }) => rest('a')", "ctx.rest"),
    ],
)
def test_ctx_is_known_under_any_name(parameter: str, body: str, before: str, path: str) -> None:
    assert path in [call.path for call in in_register(body, parameter=parameter, before=before).calls]


def test_a_function_called_with_other_things_too_keeps_its_parameter_unknown() -> None:
    module = in_register(
        "pane(ctx); pane(other)", before="function pane(c) { c.rest('a') }\nconst other = { rest() {} }"
    )
    assert "ctx.rest" not in [call.path for call in module.calls]


@pytest.mark.parametrize(
    "export",
    [
        "export default { id: 'd', register: ctx => { ctx.rest('a') } }",
        "export default { id: 'd', register: function (ctx) { ctx.rest('a') } }",
        "function setup(ctx) { ctx.rest('a') }\nexport default { id: 'd', register: setup }",
        "const register = async ctx => { ctx.rest('a') }\nexport default { id: 'd', register }",
        "const p = { id: 'd', register(ctx) { ctx.rest('a') } }\nexport { p as default }",
        "import { define } from 'x'\nexport default define({ id: 'd', register(ctx) { ctx.rest('a') } })",
        "class P { id = 'd'; register(ctx) { ctx.rest('a') } }\nexport default new P()",
    ],
)
def test_register_is_found_however_it_is_written(export: str) -> None:
    assert "ctx.rest" in paths(export)


def test_calls_can_be_asked_for_by_path() -> None:
    module = in_register("ctx.runAction('a'); const { runAction } = ctx; runAction?.('b')")
    calls = module.calls_to("ctx.runAction")
    assert [module.tree.literal(call.arguments[0]) for call in calls] == ["a", "b"]
    assert [call.optional for call in calls] == [False, True]


def test_results_of_calls_have_paths() -> None:
    module = parse("import { useRef } from 'react'; const r = useRef(); r.current.focus()")
    assert module.calls[-1].path == "react.useRef().current.focus"


def test_import_and_await_are_no_calls() -> None:
    assert paths("import('x'); await (1); await (f)") == []


def test_top_level_await_is_seen_in_every_form() -> None:
    assert parse("await 1").top_level_awaits
    assert parse("await (f)(x)").top_level_awaits
    assert parse("for await (const a of b) ;").top_level_awaits
    assert not parse("async function f() { await 1; await (g)(2) }").top_level_awaits


def test_chains_and_aliases_without_end_are_bounded() -> None:
    assert paths("a" + ".b" * 5000 + "()") == [None]
    text = "const a0 = window;" + "".join(f"const a{i} = a{i - 1};" for i in range(1, 500)) + "a499.x()"
    assert paths(text) == [None]
