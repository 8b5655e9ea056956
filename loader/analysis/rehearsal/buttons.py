"""What is said of a plugin that declares its buttons and has no `register`: the same, written as the app wants it."""

from __future__ import annotations

import json
from typing import Any

from loader.codes import finding
from loader.nouns import SDK_SPECIFIER, Diagnostic


def about_buttons(buttons: list[Any]) -> Diagnostic:
    rows = [button for button in buttons if isinstance(button, dict)]
    calls = " ".join(_button_call(row, at) for at, row in enumerate(rows[:3]))
    more = " …" if len(rows) > 3 else ""
    return finding(
        "HP306",
        "the plugin declares `titlebarButtons` and has no `register`: the app of today ignores it",
        hint=f"write the same as `register(ctx) {{ {calls}{more} }}`, with TITLEBAR_AREAS from '{SDK_SPECIFIER}'",
    )


def _button_call(button: dict[str, Any], at: int) -> str:
    named = button.get("id")
    shown = json.dumps(named if isinstance(named, str) else f"button-{at}", ensure_ascii=False)
    words = {"id": shown}
    for key in ("label", "title", "icon", "action"):
        if isinstance(button.get(key), str):
            words["label" if key == "title" else key] = json.dumps(button[key], ensure_ascii=False)
    action = words.pop("action", None)
    data = ", ".join(f"{key}: {value}" for key, value in words.items())
    pressed = f"onSelect: () => ctx.runAction({action})" if action else "onSelect: () => { … }"
    return f"ctx.register({{ id: {shown}, area: TITLEBAR_AREAS.right, data: {{ {data}, {pressed} }} }})"
