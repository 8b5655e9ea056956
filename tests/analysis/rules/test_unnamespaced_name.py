import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("c.register({ id: 'a', area: PALETTE_AREA, data: { id: 'refresh', run() {} } })", "command `refresh`"),
        ("const { register: add } = c; add({ id: 'a', area: 'palette', data: { id: 'go' } })", "command `go`"),
        ("c.registerMany([{ id: 'a', area: sdk.KEYBINDS_AREA, data: { id: 'toggle' } }])", "command `toggle`"),
        ("const data = { name: 'card' }\nc.register({ area: TRANSCRIPT_DIRECTIVE_AREA, data })", "directive `card`"),
        (
            "c.register({ area: 'panes', render: () => el(Contribute, { area: 'titleBar.right', id: 'go' }) })",
            "the Contribute id `go`",
        ),
        ("c.register({ area: PALETTE_AREA, data: { id: `refresh-all-${c.source}` } })", "command `refresh-all-`"),
    ],
)
def test_flags_shared_names_without_the_plugins_id(body: str, what: str) -> None:
    (message,) = messages("HP515", body)
    assert message.startswith(f"{what} is shared by all plugins")


@pytest.mark.parametrize(
    ("plugin_id", "name"),
    [
        ("demo", "demo:refresh"),
        ("demo", "demo"),
        ("demo", "refresh-demo"),
        ("session-board", "sessionBoard.open"),
        ("session_board", "session-board/open"),
        ("hermes-relay", "relay.open"),
        ("hermes-trace-upload", "trace-upload:now"),
    ],
)
def test_any_spelling_of_the_id_will_do(plugin_id: str, name: str) -> None:
    body = f"c.register({{ id: 'a', area: PALETTE_AREA, data: {{ id: '{name}' }} }})"
    assert messages("HP515", body, plugin_id=plugin_id) == []


@pytest.mark.parametrize(
    "body",
    [
        "c.register({ id: 'pane', area: 'panes', title: 'x', render: () => null })",
        "c.register({ id: 'a', area: 'titleBar.right', data: { id: 'go', label: 'Go' } })",
        "c.register({ id: 'a', area: PALETTE_AREA, data: { id: c.source } })",
        "c.register({ id: 'a', area: PALETTE_AREA, data: { id: `${c.source}:go` } })",
        "c.register({ id: 'a', area: c.storage.get('area'), data: { id: 'refresh' } })",
        "const other = { register() {} }; other.register({ area: PALETTE_AREA, data: { id: 'refresh' } })",
        "el('div', { id: 'refresh', area: 'palette' })",
    ],
)
def test_leaves_local_ids_and_unknown_names_alone(body: str) -> None:
    assert messages("HP515", body) == []
