"""Functions, calls, classes and branches that lack a sign, or have one too many."""

from __future__ import annotations

from collections.abc import Callable

from loader.analysis.mistakes.scene import Scene, Words, cut

_STATEMENT_ENDS = frozenset({";", "}"})
_LOOK_BACK = 40


def malformed(scene: Scene) -> Words | None:
    return next((words for attempt in _ATTEMPTS if (words := attempt(scene)) is not None), None)


def _arrows(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    opener = scene.opener_behind()
    if token is None or before is None or before.text != ")" or opener is None:
        return None
    lead = scene.lexed.tokens[opener - 1].text if opener else ""
    if token.text == "{" and lead in ("=", ":", "(", ",", "async", "return"):
        return Words("`=>` is missing before `{`", "Write `(…) => {…}`.", token.start, token.end)
    if token.text == "=>" and lead == "function":
        return Words("`function (…)` has no `=>`", "Write `function (…) {…}`, or `(…) => {…}`.")
    if token.text == "async":
        return Words("`async` stands behind the parentheses", "Write it before them: `async (…) => …`.")
    return None


def _named_argument(scene: Scene) -> Words | None:
    token, before, earlier = scene.token(), scene.token(-1), scene.token(-2)
    if token is None or before is None or earlier is None or token.text != ":" or before.kind != "word":
        return None
    if token.inside < 0 or earlier.text not in ("(", ","):
        return None
    around = scene.lexed.brackets[token.inside]
    called = scene.lexed.tokens[around.token - 1] if around.text == "(" and around.token else None
    if called is None or called.kind != "word" or called.text in ("if", "while", "for", "switch", "function"):
        return None
    return Words(
        f"arguments have no names: `{cut(before.text)}:`",
        f"Hand over an object: `{cut(called.text)}({{ {cut(before.text)}: … }})`.",
        before.start,
        token.end,
    )


def _object_behind_arrow(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.text not in (":", ",", "}") or token.inside < 0:
        return None
    around = scene.lexed.brackets[token.inside]
    tokens = scene.lexed.tokens
    inside = [one.text for one in tokens[around.token + 1 : around.token + 3]]
    if around.text != "{" or around.token == 0 or tokens[around.token - 1].text != "=>" or inside[1:] != [":"]:
        return None
    brace = tokens[around.token]
    return Words(
        "an object behind `=>` needs parentheses: these braces are a function's body",
        "Write `(…) => ({ … })`.",
        brace.start,
        brace.end,
    )


def _class_body(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.inside < 0:
        return None
    around = scene.lexed.brackets[token.inside]
    head = [one.text for one in scene.lexed.tokens[max(around.token - 4, 0) : around.token]]
    if around.text != "{" or "class" not in head:
        return None
    if token.text == "," and before.text == "}":
        return Words("no comma stands between the methods of a class", "Remove it.")
    if before.text == "function" and token.kind == "word":
        name = cut(token.text)
        return Words(
            f"a method of a class is written without `function`: `{name}`",
            f"Write `{name}(…) {{…}}`.",
            before.start,
            before.end,
        )
    return None


def _branches(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None:
        return None
    tokens = scene.lexed.tokens
    if token.text == "else" and token.inside >= 0 and before.text != "}":
        around = scene.lexed.brackets[token.inside]
        brace = tokens[around.token]
        if around.text == "{" and not around.is_object and around.token and tokens[around.token - 1].text == ")":
            return Words("this brace `{` is not closed before `else`", "Write `}` before it.", brace.start, brace.end)
    line = scene.module.text.rfind("\n", 0, before.end)
    for back in range(2, _LOOK_BACK):
        one = scene.token(-back)
        if one is None or one.text in _STATEMENT_ENDS:
            break
        if one.text == "case" and one.start > line:
            return Words(
                f"`:` is missing behind `{cut(scene.module.text[one.start : before.end])}`",
                "Write `case value:`.",
                one.start,
                before.end,
            )
        if one.text == ":" and one.inside == token.inside:
            break
        if one.text == "?" and one.inside == token.inside:
            return Words("this `?` has no `:`", "Write `test ? one : other`.", one.start, one.end)
    return None


def _returned_plugin(scene: Scene) -> Words | None:
    if not scene.said.startswith(("Illegal return", "return not in a function")):
        return None
    at = next((back for back in range(3) if (one := scene.token(-back)) is not None and one.text == "return"), None)
    following = scene.token(1 - at) if at is not None else None
    keyword = scene.token(-at) if at is not None else None
    if keyword is None or following is None or following.text != "{":
        return None
    return Words("`return` outside a function", "Write `export default` in its place.", keyword.start, keyword.end)


def _not_exported(scene: Scene) -> Words | None:
    """`default {…}` without its `export`, and an object that stands alone: a block, for the parsers."""
    token, before = scene.token(), scene.token(-1)
    if token is None:
        return None
    if token.text == "default" and token.inside < 0 and (before is None or before.text != "export"):
        return Words("`export` is missing before `default`", "Write `export default { … }`.")
    inside = token.inside
    while inside >= 0 and scene.lexed.brackets[inside].outer >= 0:
        inside = scene.lexed.brackets[inside].outer
    if inside < 0:
        return None
    opener = scene.lexed.brackets[inside].token
    tokens = scene.lexed.tokens
    key = [one.text for one in tokens[opener + 1 : opener + 3]]
    lead = tokens[opener - 1] if opener else None
    alone = lead is None or lead.kind == "string" or lead.text in (";", "}")
    if not alone or key not in (["id", ":"], ["name", ":"]) or tokens[opener].text != "{":
        return None
    brace = tokens[opener]
    return Words(
        "this object stands alone: nothing exports it", "Write `export default` before its `{`.", brace.start, brace.end
    )


_ATTEMPTS: tuple[Callable[[Scene], Words | None], ...] = (
    _not_exported,
    _returned_plugin,
    _arrows,
    _named_argument,
    _object_behind_arrow,
    _class_body,
    _branches,
)
