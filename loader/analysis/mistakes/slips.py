"""Slips of people who know another form: of exports, imports, methods, keys, optional chains and paths of Windows."""

from __future__ import annotations

import re
from collections.abc import Callable

from loader.analysis.mistakes.scene import Scene, Words, cut

_ESCAPE = re.compile(r"\\(?:(?P<wrong>u(?![0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})|x(?![0-9a-fA-F]{2})|0\d|[1-9])|[\s\S])")
_LEAD = frozenset({"{", ","})


def slip(scene: Scene) -> Words | None:
    return next((words for attempt in _ATTEMPTS if (words := attempt(scene)) is not None), None)


def _export_default(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or before.text != "default" or token.text not in ("const", "let", "var"):
        return None
    return Words(
        f"`export default` takes a value, not `{token.text}`",
        f"Write `export default {{ … }}`, or `{token.text} plugin = …` and below it `export default plugin`.",
    )


def _import_list(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None:
        return None
    tokens, brackets = scene.lexed.tokens, scene.lexed.brackets
    if token.kind == "string" and before.text == "}":
        opener = scene.opener_behind()
        if opener is not None and _begins_import(scene, opener):
            what = tokens[opener - 1].text if tokens[opener - 1].text == "export" else "import"
            return Words(
                f"`from` is missing before {cut(token.text)}", f"Write `{what} {{ … }} from {cut(token.text)}`."
            )
    if before.text == "*" and token.text == "from":
        return Words("`import *` needs a name", "Write `import * as sdk from '…'`.", before.start, before.end)
    if token.inside < 0 or before.kind != "word" or not _begins_import(scene, brackets[token.inside].token):
        return None
    if token.kind == "word" and before.text != "as" and token.text != "as":
        return Words(f"missing `,` before `{cut(token.text)}`", f"Add a comma behind `{cut(before.text)}`.")
    if token.text == ";":
        return Words("`;` in a list of names", "Write `,` between them and `}` behind the last.")
    if token.text == ":":
        return Words("`:` in a list of names: one is renamed with `as` here", f"Write `{cut(before.text)} as …`.")
    return None


def _begins_import(scene: Scene, opener: int) -> bool:
    """Whether a bracket is the list of an import or export: `import {`, `import React, {`, `export {`."""
    lead = [one.text for one in scene.lexed.tokens[max(opener - 3, 0) : opener]]
    return lead[-1:] in (["import"], ["export"]) or (lead[-1:] == [","] and lead[:1] == ["import"])


def _method(scene: Scene) -> Words | None:
    """`function name(…) {…}` and `name(…) => {…}` where an object has `name(…) {…}`."""
    token, before, earlier = scene.token(), scene.token(-1), scene.token(-2)
    if token is None or before is None or earlier is None or token.inside < 0:
        return None
    if not scene.lexed.brackets[token.inside].is_object:
        return None
    if before.text == "function" and token.kind == "word" and earlier.text in _LEAD:
        name = cut(token.text)
        return Words(
            f"a method of an object is written without `function`: `{name}`",
            f"Write `{name}(…) {{…}}`, or `{name}: function (…) {{…}}`.",
            before.start,
            before.end,
        )
    if token.text == "=>" and before.text == ")":
        opener = scene.opener_behind()
        named = scene.lexed.tokens[opener - 1] if opener else None
        lead = scene.lexed.tokens[opener - 2].text if opener and opener > 1 else ""
        if named is not None and named.kind == "word" and lead in (*_LEAD, "async"):
            name = cut(named.text)
            return Words(
                f"a method of an object has no `=>`: `{name}`",
                f"Write `{name}(…) {{…}}` without the arrow, or `{name}: (…) => {{…}}`.",
            )
    return None


def _dashed_key(scene: Scene) -> Words | None:
    token, before, earlier = scene.token(), scene.token(-1), scene.token(-2)
    if token is None or before is None or earlier is None or token.text != "-" or token.inside < 0:
        return None
    if not scene.lexed.brackets[token.inside].is_object or before.kind != "word" or earlier.text not in _LEAD:
        return None
    whole = re.compile(r"[\w$]+(?:-[\w$]+)+").match(scene.module.text, before.start)
    name = whole[0] if whole is not None else f"{before.text}-…"
    first, *rest = name.split("-")
    joined = first + "".join(part[:1].upper() + part[1:] for part in rest)
    return Words(
        f"a key with `-` needs quotes: `{cut(name)}`",
        f"Write `{cut(joined)}`, as styles of React are called, or `'{cut(name)}'`.",
        before.start,
        before.start + len(name),
    )


def _optional_target(scene: Scene) -> Words | None:
    if not re.match(r"Invalid left-hand side|invalid assignment left", scene.said, re.IGNORECASE):
        return None
    tokens = scene.lexed.tokens
    at = scene.at if scene.at < len(tokens) and "=" in tokens[scene.at].text else scene.at + 1
    chain = min(at, len(tokens)) - 1
    while chain > 0 and (tokens[chain].kind == "word" or tokens[chain].text in (".", "?.")):
        if tokens[chain].text == "?.":
            owner = tokens[chain - 1].text
            return Words(
                "nothing can be assigned through `?.`",
                f"Ask first: `if ({cut(owner)}) {cut(owner)}.… = …`.",
                tokens[chain].start,
                tokens[chain].end,
            )
        chain -= 1
    return None


def _escape(scene: Scene) -> Words | None:
    """A backslash that begins an escape and no path: `'C:\\users'`."""
    for offset in (0, -1):
        token = scene.token(offset)
        if token is None or token.kind not in ("string", "template"):
            continue
        for found in _ESCAPE.finditer(token.text):
            if found["wrong"]:
                begun = f"\\{found['wrong'][0]}"
                return Words(
                    f"`{begun}` in this text begins an escape, and what follows does not complete it",
                    f"A backslash itself is written `\\\\`: `\\{begun}…`; paths may have `/` instead.",
                    token.start + found.start(),
                    token.start + found.end(),
                )
    return None


_ATTEMPTS: tuple[Callable[[Scene], Words | None], ...] = (
    _export_default,
    _import_list,
    _method,
    _dashed_key,
    _optional_target,
    _escape,
)
