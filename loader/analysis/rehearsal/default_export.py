"""What the driver saw of the live default export: whose plugin it is, or why it is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from loader.analysis.rehearsal.buttons import about_buttons
from loader.analysis.rules.not_a_plugin import THENABLE, THENABLE_HINT
from loader.codes import finding
from loader.nouns import Diagnostic, Identity

_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")


def identity_in(found: Any) -> Identity | None:
    """``found`` is the body of the driver's event `default`, None where there was none."""
    if not found or not found["present"] or found["id"] is None:
        return None

    def text(name: str) -> str | None:
        value = found[name]
        return value["text"] if value else None

    if text("id") is None:
        return None
    enabled = found["default_enabled"]
    return Identity(text("id"), text("name"), text("description"), enabled if enabled is not None else True, exact=True)


def about_default_export(found: Any) -> Iterator[Diagnostic]:
    """The findings about it, without a place: see loader.analysis.export_places."""
    if found is None:
        return
    if found["thenable"]:
        yield finding("HP302", THENABLE, hint=THENABLE_HINT)
        return
    if not found["present"]:
        yield finding(
            "HP301",
            "the module has no default export",
            hint="end it with `export default { id: '…', name: '…', register(ctx) { … } }`",
        )
        return
    if found["id"] is None or (found["type"] == "array" and found["id"]["type"] != "string"):
        yield finding(
            "HP302",
            f"the default export is {_article(found['type'])}, not a plugin object",
            hint="export an object with a string `id` and a `register(ctx)` function",
        )
        return
    id_type, id_text = found["id"]["type"], found["id"]["text"]
    if id_type != "string" or not id_text:
        said = "is empty" if id_type == "string" else _is_what(id_type)
        yield finding("HP302", f"the plugin's `id` {said}", hint="give it a string id, the same as the folder's name")
    elif not _SLUG.match(id_text):
        yield finding(
            "HP304",
            f"the plugin's id {id_text[:80]!r} is no slug",
            hint="use 1 to 64 characters of a-z, 0-9, `_` and `-`, beginning with a letter or a digit",
        )
    if found["register"] == "function":
        return
    if found["buttons"]:
        yield about_buttons(found["buttons"])
    else:
        yield finding(
            "HP302",
            f"the plugin's `register` {_is_what(found['register'])}",
            hint="add a `register(ctx)` function; the app calls it once at load",
        )


def _is_what(type_name: str) -> str:
    words = {"undefined": "is missing", "throws": "cannot be read: it throws"}
    return words.get(type_name, f"is {_article(type_name)}")


def _article(type_name: str) -> str:
    return {"null": "null", "undefined": "undefined", "array": "an array", "object": "an object"}.get(
        type_name, f"a {type_name}"
    )
