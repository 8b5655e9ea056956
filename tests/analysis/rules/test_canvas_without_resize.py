import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    "body",
    [
        "el('canvas', { ref: useRef(null) })",
        "el('canvas', { style: { width: '100%', height: 120 } })",
        "createElement('canvas', { className: 'h-full w-full', width: 300, height: 200 })",
        "const TAG = 'canvas'; el(TAG, {})",
        "const fill = { width: '100%', height: '100%' }; el('canvas', { style: fill })",
        "window.addEventListener('resize', () => {}); el('canvas', { className: 'absolute inset-0' })",
        "const note = 'ResizeObserver'; el('canvas', { title: note })",
        "const canvas = document.createElement('canvas'); c.source.append(canvas); canvas.width = window.innerWidth",
        "const r = useRef(null); const { width, height } = r.current.getBoundingClientRect(); "
        "r.current.width = width; r.current.height = height; el('canvas', { ref: r })",
    ],
)
def test_flags_a_canvas_that_nobody_measures(body: str) -> None:
    (message,) = messages("HP505", body)
    assert "ResizeObserver" in message


@pytest.mark.parametrize(
    "body",
    [
        "const seen = new ResizeObserver(() => {}); c.onDispose(() => seen.disconnect()); el('canvas', {})",
        "const { ResizeObserver: Seen } = window; new Seen(() => {}); el('canvas', {})",
        "el('canvas', { width: 64, height: 16 })",
        "el('canvas', { style: { width: 64, height: '16px' } })",
        "const canvas = document.createElement('canvas'); canvas.width = 96; c.onDispose(canvas.toDataURL())",
        "const r = useRef(null); const draw = () => { r.current.width = 64; "
        "r.current.height = 64 }; el('canvas', { ref: r, onClick: draw })",
        "const canvas = document.createElement('canvas'); canvas.width = 9; canvas.height = 9; c.source.append(canvas)",
        "const canvas = document.createElement('canvas'); c.onDispose(canvas)",
        "const canvas = document.createElement('canvas'); c.source.append(canvas); const size = c.source ? 64 : 56; "
        "const W = size + 8; canvas.width = Math.round(W * devicePixelRatio); canvas.height = W",
        "const r = useRef(null); const draw = () => { r.current.width = r.current.clientWidth; r.current.height = 9; "
        "requestAnimationFrame(draw) }; draw(); el('canvas', { ref: r })",
        "el('div', { className: 'canvas', children: 'canvas' })",
        "el('canvas', { width: c.storage.get('w', 1), height: c.storage.get('h', 1) })",
        "const canvas = new OffscreenCanvas(1, 1); c.onDispose(canvas)",
    ],
)
def test_leaves_fixed_and_unseen_canvases_alone(body: str) -> None:
    assert messages("HP505", body) == []
