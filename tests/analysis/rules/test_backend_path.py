import pytest

from tests.analysis.finding import findings, messages, within


@pytest.mark.parametrize(
    ("body", "way_out"),
    [
        ("c.rest('/api/plugins/demo/items')", "`ctx.rest('/items')`"),
        ("c.rest('api/plugins/demo/items?n=1', { method: 'POST' })", "`ctx.rest('/items')`"),
        ("c.rest(`/api/plugins/demo/items/${c.source}`)", "`ctx.rest('/items/')`"),
        ("c.rest('/api/plugins/demo')", "`ctx.rest('/')`"),
        ("const { rest } = c; rest('http://localhost:8080/items')", "`ctx.rest('/items')`"),
        ("c.rest('https://127.0.0.1:9119/api/plugins/demo/items')", "`ctx.rest('/items')`"),
        ("const ITEMS = '/api/plugins/demo/items'; c.rest(ITEMS)", "`ctx.rest('/items')`"),
        ("c.socket('ws://localhost:9119/api/plugins/demo/events', () => {})", "`ctx.socket('/events')`"),
        ("fetch('/api/plugins/demo/items')", "`ctx.rest('/items')`"),
        ("fetch(`http://127.0.0.1:9119/api/plugins/demo/${c.source}`)", "`ctx.rest('/')`"),
        ("new WebSocket('ws://localhost:9119/api/plugins/demo/events')", "`ctx.socket('/events')`"),
    ],
)
def test_an_address_that_does_not_lead_to_the_backend_is_told_with_the_right_one(body: str, way_out: str) -> None:
    (found,) = findings("HP516", within(body))
    assert way_out in (found.hint or "")


@pytest.mark.parametrize(
    "body",
    [
        "c.rest('/items')",
        "c.rest('items')",
        "c.rest('/plugins/api/items')",
        "c.rest(`/api/${c.source}`)",
        "c.rest(c.storage.get('path', ''))",
        "c.socket('/events', () => {})",
        "fetch('/config.json')",
        "fetch('http://127.0.0.1:8788/ping')",
        "fetch('https://example.com/api/plugins/demo/items')",
        "const net = { rest: () => {} }; net.rest('/api/plugins/demo/items')",
        "const help = \"ctx.rest('/api/plugins/demo/items')\"; c.storage.set('help', help)",
        "h.request('GET /api/plugins/demo/items')",
    ],
)
def test_what_leads_there_or_somewhere_else_is_left_alone(body: str) -> None:
    assert messages("HP516", body) == []
