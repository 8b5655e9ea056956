"""Which known name somebody meant: snake or camel case, another case, a slip, or another toolkit's word."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping

_OTHER_WORDS: Mapping[str, str] = {
    "input": "text_input",
    "textfield": "text_input",
    "textbox": "text_input",
    "switch": "toggle",
    "checkbox": "toggle",
    "row": "group",
    "column": "group",
    "stack": "group",
    "list": "group",
    "container": "group",
    "heading": "text",
    "paragraph": "text",
    "label": "text",
    "markdown": "text",
    "chip": "badge",
    "tag": "badge",
    "progressbar": "progress",
    "picture": "image",
    "icon": "image",
    "separator": "divider",
    "gap": "spacer",
    "and": "all",
    "or": "any",
    "exists": "truthy",
    "bool": "boolean",
    "int": "number",
    "integer": "number",
    "float": "number",
    "str": "string",
    "bound": "binding",
    "horizontal": "ROW",
    "vertical": "COLUMN",
    "error": "DANGER",
    "warn": "WARNING",
    "ok": "SUCCESS",
    "slide": "SLIDE_VERTICAL",
    "visible": "visibleWhen",
    "visibleif": "visibleWhen",
    "enabled": "enabledWhen",
    "enabledif": "enabledWhen",
    "alt": "contentDescription",
    "ratio": "aspectRatio",
    "state": "initialState",
}
_LONGEST = 60


def plain(name: str) -> str:
    """The letters that all spellings of a name share."""
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def same_name(name: str, known: Collection[str]) -> str | None:
    """The known name that is this one in another spelling."""
    return next((one for one in known if plain(one) == plain(name)), None)


def meant(name: str, known: Collection[str]) -> str | None:
    """The known name that was most likely meant; None when none is like it."""
    if len(name) > _LONGEST:
        return None
    same = same_name(name, known)
    if same is not None:
        return same
    other = _OTHER_WORDS.get(plain(name))
    if other in known:
        return other
    near = difflib.get_close_matches(plain(name), [plain(one) for one in known], n=1, cutoff=0.7)
    return same_name(near[0], known) if near else None
