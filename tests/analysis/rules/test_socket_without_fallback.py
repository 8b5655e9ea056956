import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    "body",
    [
        "c.socket('/events', () => {})",
        "const { socket } = c; c.onDispose(socket('/events', () => {}))",
        "const open = (ctx) => ctx.socket('/events', () => {}); open(c)",
        "c.socket?.('/events', (m) => h.notify({ kind: 'info', message: m }))",
    ],
)
def test_flags_a_socket_that_nothing_backs_up(body: str) -> None:
    (message,) = messages("HP504", body)
    assert "stays silent" in message


@pytest.mark.parametrize(
    "body",
    [
        "c.socket('/events', () => {}); setInterval(() => c.rest('/x'), 15_000)",
        "c.socket('/events', () => {}); c.setInterval(() => c.rest('/x'), 15_000)",
        "c.socket('/events', () => {}); const again = () => setTimeout(again, 15_000); again()",
        "c.socket('/events', () => {}); sdk.useQuery({ queryFn: () => c.rest('/x'), refetchInterval: 15_000 })",
        "const net = { socket() {} }; net.socket('/events')",
        "const socket = new WebSocket('ws://127.0.0.1:1'); c.onDispose(() => socket.close())",
        "c.onDispose(c.socket)",
    ],
)
def test_leaves_a_socket_with_a_poll_beside_it_alone(body: str) -> None:
    assert messages("HP504", body) == []


def test_says_it_once() -> None:
    assert len(messages("HP504", "c.socket('/a', () => {}); c.socket('/b', () => {})")) == 1
