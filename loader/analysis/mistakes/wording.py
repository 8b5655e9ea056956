"""Plain words for what the parsers say, from the token that they stumbled over and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable

from loader.analysis.early import RESERVED
from loader.analysis.mistakes.foreign_words import html_comment, letter, merge_conflict, python_word, style_sheet
from loader.analysis.mistakes.functions import malformed
from loader.analysis.mistakes.neighbours import by_neighbour, missing_comma, missing_value
from loader.analysis.mistakes.pasted import left_out, sentence
from loader.analysis.mistakes.phrases import PHRASES
from loader.analysis.mistakes.scene import DECLARES, Scene, Words, cut
from loader.analysis.mistakes.slips import slip
from loader.analysis.mistakes.spelling import misspelt
from loader.analysis.syntax import Module


def word(scene: Scene) -> Words:
    """The first wording that fits; the parser's own words in the end."""
    for attempt in _ATTEMPTS:
        found = attempt(scene)
        if found is not None:
            return found
    return Words(_plain(scene))


def _declared_twice(scene: Scene) -> Words | None:
    name = re.match(r"Identifier '(.+)' has already been declared", scene.judge)
    if name is None:
        return None
    module, token = scene.module, scene.token()
    first, binding = None, None
    if token is not None and not module.has_error:
        binding = module.scopes.scopes[0].names.get(name[1])
        if binding is not None:
            first = module.span(binding.nodes[0]).line
    where = f" The first one is on line {first}." if first is not None else ""
    hint = f"Give one of the two another name.{where}"
    if binding is not None and token is not None and token.start == _index(module, min(binding.nodes)):
        # The judge may mean the first one (`var a; class a {}`); the author looks for the second.
        second = _index(module, sorted(binding.nodes)[1]) if len(binding.nodes) > 1 else None
        if second is not None:
            return Words(f"`{cut(name[1])}` is declared twice", hint, second, second + len(name[1]))
    return Words(f"`{cut(name[1])}` is declared twice", hint)


def _index(module: Module, node: int) -> int:
    """The code point at which a node begins."""
    return len(module.tree.data[: module.tree.starts[node]].decode("utf-8", "replace"))


def _await(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    keyword = token if token is not None and token.text == "await" else before
    if "default expression" in scene.engine:
        return Words("`await` is not allowed in the default value of a parameter", "Await inside the function.")
    if keyword is None or keyword.text != "await" or keyword.kind != "word":
        return None
    if "await" not in scene.engine and not scene.judge.startswith(("Unexpected", "Use of")):
        return None
    return Words(
        "`await` in a function that is not `async`",
        "Write `async` before the function: `async function …`, `async () => …`, `async load() {…}`.",
        keyword.start,
        keyword.end,
    )


def _deleted_name(scene: Scene) -> Words | None:
    """Both parsers stand behind the name, often on the next line, when they complain of the `delete` before it."""
    if not scene.judge.startswith("Delete of an unqualified") and not scene.engine.startswith("cannot delete a direct"):
        return None
    keyword = next((one for one in reversed(scene.lexed.tokens[: scene.at]) if one.text == "delete"), None)
    if keyword is None:
        return None
    return Words("`delete` of a plain name is not allowed in a module", None, keyword.start, keyword.end)


def _simple(scene: Scene) -> Words | None:
    for phrase in PHRASES:
        found = phrase.pattern.match(scene.judge) or phrase.pattern.match(scene.engine)
        if found is not None:
            name = cut((found.groups() or ("",))[0] or "")
            hint = phrase.hint.replace("NAME", name) if phrase.hint is not None else None
            return Words(phrase.message.replace("NAME", name), hint)
    return None


def _regex(scene: Scene) -> Words | None:
    if "regular expression" not in scene.judge.lower() and "regexp" not in scene.engine.lower():
        return None
    near = next((one for one in (scene.token(), scene.token(-1)) if one is not None and one.kind == "regex"), None)
    place = (near.start, near.end) if near is not None else (None, None)
    cause = scene.engine if scene.engine and "regexp" not in scene.engine.lower() else scene.judge.partition(": ")[2]
    return Words(
        f"this regular expression is not valid{f' ({cause})' if cause else ''}",
        "A `/` inside it is written `\\/`.",
        *place,
    )


def _reserved(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    for name, lead in ((token, before), (before, scene.token(-2))):
        if name is None or lead is None or name.kind != "word" or lead.kind != "word":
            continue
        if lead.text in DECLARES and name.text in RESERVED and name.text not in ("let", "await", "default"):
            if lead.text == "import" or (lead.text == "class" and name.text == "extends"):
                continue
            return Words(
                f"`{cut(name.text)}` is a reserved word and cannot be a name",
                f"Call it `{name.text}Name` or the like.",
                name.start,
                name.end,
            )
    return None


def _import_place(scene: Scene) -> Words | None:
    for offset in (0, 1, -1):
        token, at = scene.token(offset), scene.token()
        if offset == 1 and at is not None and at.text == ";":
            continue  # wrong by itself, whatever stands behind it
        if token is not None and token.text in ("import", "export") and token.kind == "word" and token.inside >= 0:
            return Words(
                f"`{token.text}` must stand at the top level of the file, outside functions and blocks",
                "Move it to the top; inside a function use `await import('react')`."
                if token.text == "import"
                else "Move it to the end of the file.",
                token.start,
                token.end,
            )
    return None


def _initialiser(scene: Scene) -> Words | None:
    if "initializer" not in scene.judge.lower() and "initializer" not in scene.engine.lower():
        return None
    if scene.judge.startswith(("Unexpected", "Invalid")):
        return None
    token, before = scene.token(), scene.token(-1)
    name = before.text if before is not None and before.kind == "word" and before.text not in DECLARES else None
    shown = f"`const {cut(name)}`" if name else "`const`"
    following = token.text if token is not None else ""
    if following == "=>" and name:
        return Words(
            "the parameters of an arrow function need parentheses, unless there is only one",
            f"Write `(…, {cut(name)}) => …`.",
        )
    if following == "-":
        return Words(f"{shown} needs a value; a name cannot hold `-`", "Write the name in one word: `myName`.")
    place = (before.start, before.end) if before is not None else (None, None)
    if token is not None and before is not None and token.kind == "word" and name and before.end + 1 == token.start:
        return Words(f"two words in a row: `{cut(name)} {cut(following)}`", "A name is one word, without spaces.")
    return Words(f"{shown} needs a value", "Write `const name = …`, or `let name` if it gets one later.", *place)


def _plain(scene: Scene) -> str:
    token = scene.token()
    if token is None:
        return "the file ends in the middle of something"
    if (
        scene.judge.startswith("Unexpected")
        or scene.engine.lower().startswith(("unexpected", "expecting"))
        or not scene.said
    ):
        before = scene.token(-1)
        behind = f" after `{cut(before.text)}`" if before is not None else ""
        what = "string " if token.kind == "string" else ""
        return f"unexpected {what}`{cut(token.text)}`{behind}"
    return scene.said[0].lower() + scene.said[1:] if scene.said[1:2].islower() else scene.said


_ATTEMPTS: tuple[Callable[[Scene], Words | None], ...] = (
    merge_conflict,
    style_sheet,
    html_comment,
    left_out,
    slip,
    malformed,
    _declared_twice,
    _await,
    _deleted_name,
    _simple,
    _regex,
    misspelt,
    letter,
    _import_place,
    _reserved,
    _initialiser,
    python_word,
    sentence,
    by_neighbour,
    missing_comma,
    missing_value,
)
