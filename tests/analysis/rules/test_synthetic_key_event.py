import pytest

from tests.analysis.finding import messages

KEY = "new KeyboardEvent('keydown', { key: 'b' })"


@pytest.mark.parametrize(
    "body",
    [
        f"window.dispatchEvent({KEY})",
        f"dispatchEvent({KEY})",
        f"document.dispatchEvent({KEY})",
        f"(document.activeElement || document.body).dispatchEvent({KEY})",
        f"const press = {KEY}; const page = document; page.dispatchEvent(press)",
        "globalThis.dispatchEvent(new window.KeyboardEvent('keyup'))",
        "document.body?.dispatchEvent(new Event('keydown'))",
        "const go = (t) => t.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true })); c.onDispose(go)",
    ],
)
def test_flags_key_presses_sent_to_the_app(body: str) -> None:
    (message,) = messages("HP601", body)
    assert "a made-up key press" in message


@pytest.mark.parametrize(
    "body",
    [
        f"c.onDispose(() => {KEY})",
        "window.dispatchEvent(new Event('resize'))",
        "window.dispatchEvent(new CustomEvent('demo:changed', { detail: 1 }))",
        f"const own = new EventTarget(); own.dispatchEvent({KEY})",
        f"const box = document.createElement('div'); box.dispatchEvent({KEY})",
        f"const input = useRef(null); input.current.dispatchEvent({KEY})",
        "const on = (event) => event instanceof KeyboardEvent && event.key; addEventListener('keydown', on)",
        f"class KeyboardEvent {{}}\nwindow.dispatchEvent({KEY})",
        "window.dispatchEvent(new MouseEvent('click'))",
    ],
)
def test_leaves_other_events_and_own_elements_alone(body: str) -> None:
    assert messages("HP601", body) == []
