"""What stays behind when the plugin is unloaded, and so piles up with every reload."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import Mistake, whole


def _leak(name: str, body: str, line: int, names: tuple[str, ...], code: str = "HP506") -> Mistake:
    """``body`` is the inside of register; ``line`` counts in it."""
    text = (
        "import { host } from '@hermes/plugin-sdk'\n\nconst note = (event) => host.notify({ kind: 'info', message: "
        f"String(event) }})\n\nexport default {{\n  id: 'demo',\n  register(ctx) {{\n{body}  }}\n}}\n"
    )
    return replace(whole(name, text, line + 7, code, names), severity="warning")


LEAKS: tuple[Mistake, ...] = (
    _leak(
        "bare-interval",
        "    setInterval(() => note(ctx.source), 60000)\n",
        1,
        ("setInterval", "ctx.onDispose", "clearInterval(timer)"),
    ),
    _leak(
        "interval-kept-but-never-cleared",
        "    const timer = setInterval(() => note(ctx.source), 60000)\n    ctx.storage.set('timer', String(timer))\n",
        1,
        ("setInterval", "clearInterval(timer)"),
    ),
    _leak(
        "observer-that-goes-on",
        "    const seen = new MutationObserver(note)\n    seen.observe(document.body, { childList: true })\n",
        2,
        ("an observer", "disconnect()"),
        "HP409",
    ),
    _leak(
        "socket-that-stays-open",
        "    const socket = new WebSocket('ws://127.0.0.1:9000')\n    socket.onmessage = note\n",
        1,
        ("a socket", "socket.close()"),
        "HP409",
    ),
    _leak(
        "bare-listener",
        "    window.addEventListener('resize', note)\n    ctx.storage.set('on', true)\n",
        1,
        ("listener on `window`", "removeEventListener"),
    ),
    _leak(
        "bare-key-listener",
        "    document.addEventListener('keydown', (event) => note(event.key + ctx.source))\n",
        1,
        ("listener on `document`", "removeEventListener"),
    ),
    _leak(
        "subscription-thrown-away",
        "    host.state.busy.listen((busy) => note(busy && ctx.source))\n",
        1,
        ("listen", "onDispose"),
    ),
)
