import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.state_values import state_values

HEAD = "import { host, useValue, atom } from '@hermes/plugin-sdk'\n"


def found(text: str) -> list[tuple[str, str | None, str | None]]:
    module = parse(HEAD + text)
    return [(one.how, one.path, one.binding.name if one.binding else None) for one in state_values(module)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("const b = useValue(host.state.busy)", ("hook", "sdk.host.state.busy", "b")),
        ("const { busy } = host.state; const b = useValue(busy)", ("hook", "sdk.host.state.busy", "b")),
        ("const b = (useValue(host.state.busy))", ("hook", "sdk.host.state.busy", "b")),
        ("const b = !useValue(host.state.busy)", ("hook", "sdk.host.state.busy", None)),
        ("const { length } = useValue(host.state.cwd)", ("hook", "sdk.host.state.cwd", None)),
        ("let b = useValue(host.state.busy); b = 1", ("hook", "sdk.host.state.busy", None)),
        ("const b = host.state.busy.get()", ("get", "sdk.host.state.busy", "b")),
        ("const $x = atom(1); const x = $x.get()", ("get", "sdk.atom()", "x")),
        ("host.state.busy.listen((b) => b)", ("callback", "sdk.host.state.busy", "b")),
        ("const on = (b) => b; host.state.busy.subscribe(on)", ("callback", "sdk.host.state.busy", "b")),
    ],
)
def test_finds_every_way_to_read_an_atom(text: str, value: tuple[str, str | None, str | None]) -> None:
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "const b = host.state.busy",
        "useValue()",
        "map.get('x')",
        "const $x = atom(1); $x.listen((v) => v)",
        "host.status()",
    ],
)
def test_leaves_everything_else_alone(text: str) -> None:
    assert found(text) == []
