"""What is missing or too much, told from the tokens before and behind the place where the parser stumbled."""

from __future__ import annotations

from loader.analysis.early import RESERVED
from loader.analysis.mistakes.lexer import Token
from loader.analysis.mistakes.scene import Scene, Words, cut

_MISSING_VALUE_AFTER = frozenset(
    {
        "=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "**",
        "&&",
        "||",
        "??",
        "?",
        ":",
        "=>",
        "+=",
        "-=",
        "*=",
        "/=",
        "==",
        "===",
        "!=",
        "!==",
        "<",
        ">",
        "<=",
        ">=",
        "!",
        "&",
        "|",
        "^",
        ",",
        "(",
        "[",
    }
)


def missing_comma(scene: Scene) -> Words | None:
    """An operand directly behind an operand, inside a list or an object."""
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.inside < 0:
        return None
    around = scene.lexed.brackets[token.inside]
    if around.text == "{" and not around.is_object:
        return None
    begins = token.kind in ("word", "string", "number", "template", "regex") or token.text in ("{", "[", "...", "(")
    ends = before.kind in ("string", "number", "regex", "template") or before.text in (")", "]", "}")
    ends = (
        ends
        or (before.kind == "word" and before.text not in RESERVED)
        or before.text in ("true", "false", "null", "this")
    )
    if not begins or not ends or around.text == "${" or token.text in ("of", "in", "instanceof"):
        return None
    if (
        around.text == "("
        and scene.lexed.tokens[around.token - 1 : around.token]
        and scene.lexed.tokens[around.token - 1].text in ("if", "while", "for", "switch")
    ):
        return None
    earlier = scene.token(-2)
    if around.is_object and before.kind == "word" and earlier is not None and earlier.text in ("{", ","):
        return Words(f"missing `:` before `{cut(token.text)}`", f"Write `{cut(before.text)}: {cut(token.text)}`.")
    line = scene.module.text.count("\n", 0, before.end) + 1
    rest_of_line = scene.module.text[token.end :].partition("\n")[0]
    if around.text == "(" and token.text == "{" and not rest_of_line.strip():
        # A brace that ends its line opens a body far more often than an object among arguments.
        return Words("missing `)` before `{`", f"Close the parenthesis behind `{cut(before.text)}` on line {line}.")
    return Words(f"missing `,` before `{cut(token.text)}`", f"Add a comma behind `{cut(before.text)}` on line {line}.")


def missing_value(scene: Scene) -> Words | None:
    """The line ends behind an operator or a dot, and the next one begins something new."""
    token, before, earlier = scene.token(), scene.token(-1), scene.token(-2)
    if token is None or before is None:
        return None
    text = scene.module.text
    later = _on_later_line(text, before, token)
    if before.text in _MISSING_VALUE_AFTER and (token.text in (";", ")", "]", "}", ",") or later):
        message = f"a value is missing after `{before.text}`"
        if before.text == token.text == ",":
            return Words(message, "Remove one of the two commas.")
        return (
            Words(message, "Write it, or remove the operator.", before.start, before.end) if later else Words(message)
        )
    if before.text == "default" and later:
        hint = "Write `export default { id: '…', register(ctx) { … } }`."
        return Words("a value is missing after `export default`", hint, before.start, before.end)
    if earlier is not None and earlier.text in (".", "?.") and _on_later_line(text, earlier, before):
        hint = "The end of a line does not end an expression there."
        return Words(f"a name is missing after `{earlier.text}`", hint, earlier.start, earlier.end)
    return None


def _on_later_line(text: str, first: Token, second: Token) -> bool:
    return "\n" in text[first.end : second.start]


def by_neighbour(scene: Scene) -> Words | None:
    """Slips that the word before, or the bracket around, gives away."""
    token, before = scene.token(), scene.token(-1)
    if token is None:
        return None
    lead = before.text if before is not None else ""
    if lead == "from" and token.kind == "word":
        return Words(f"the module's name needs quotes: `from '{cut(token.text)}'`")
    if lead in ("if", "while", "for", "switch") and token.text != "(":
        return Words(f"`{lead}` needs parentheses: `{lead} (…)`")
    if lead == "function" and token.text == "(":
        return Words(
            "a function that stands alone needs a name", "Write `function name(…) {…}`, or `const f = (…) => {…}`."
        )
    if lead == "with" and token.text == "(":
        return Words("`with` is not allowed in a module", "Take the values out: `const { notify } = host`.")
    if lead == "#" or token.text == "#":
        return Words("unexpected `#`", "Comments begin with `//`; `#name` exists only inside a class.")
    if token.text == "yield" or lead == "yield":
        return Words("`yield` outside a generator", "Write `function* name() {…}`.")
    if before is not None and before.kind == "string" and token.kind == "word" and before.end == token.start:
        return Words(
            f"the string ends before `{cut(token.text)}`: an apostrophe inside closed it",
            "Write the string in the other quotes, or the apostrophe as `\\'`.",
        )
    if _in_import_list(scene) and lead == "," and token.kind == "word":
        return Words(f"names other than the default are imported in braces: `{{ {cut(token.text)} }}`")
    around = scene.lexed.brackets[token.inside] if token.inside >= 0 else None
    if token.text == "{" and around is not None and around.text == "(" and around.token > 0:
        keyword, opener = scene.lexed.tokens[around.token - 1], scene.lexed.tokens[around.token]
        if keyword.text in ("if", "while", "for", "switch"):
            return Words(
                f"this `(` of `{keyword.text}` is never closed", "Write `)` before the `{`.", opener.start, opener.end
            )
    if around is not None and around.is_object and token.text in ("=", ";"):
        wanted = ":" if token.text == "=" else ","
        return Words(f"`{token.text}` inside an object", f"Write `{wanted}` there.")
    return None


def _in_import_list(scene: Scene) -> bool:
    return any((one := scene.token(-back)) is not None and one.text == "import" for back in range(2, 5))
