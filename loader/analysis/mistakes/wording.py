"""Plain words for what the parsers say, from the token that they stumbled over and its neighbours."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from loader.analysis.early import RESERVED
from loader.analysis.mistakes.lexer import Lexed, Token
from loader.analysis.mistakes.phrases import PHRASES
from loader.analysis.syntax import Module

_QUOTES = "“”„‟‘’‚‛«»‹›＂＇`´"
_PUNCTUATION = {
    "；": ";",
    "，": ",",
    "：": ":",
    "（": "(",
    "）": ")",
    "｛": "{",
    "｝": "}",
    "。": ".",
    "＝": "=",
    "–": "-",
    "—": "-",
}
_DECLARES = frozenset({"const", "let", "var", "function", "class", "import"})
# A rule with its first declaration, at the top of the file.
_CSS = re.compile(r"\s*(?:/\*[^*]{0,500}\*/\s*)?[.#@:]?[\w-][^{};]{0,200}\{\s*[\w-]+\s*:[^;{}]{1,200};")
_PYTHON = {
    "def": "`def` is Python: write `function`",
    "elif": "`elif` is Python: write `else if`",
    "None": "`None` is Python: write `null`",
    "and": "`and` is Python: write `&&`",
    "or": "`or` is Python: write `||`",
    "not": "`not` is Python: write `!`",
    "pass": "`pass` is Python: leave the block empty",
    "lambda": "`lambda` is Python: write `(a) => a`",
}


@dataclass(frozen=True, slots=True)
class Words:
    """``start`` and ``end`` (code points) override the place where that is known better."""

    message: str
    hint: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a wording may look at. ``at`` is the token stumbled over (``len(tokens)``: the end of the text)."""

    module: Module
    lexed: Lexed
    at: int
    engine: str
    judge: str
    said: str

    def token(self, offset: int = 0) -> Token | None:
        index = self.at + offset
        return self.lexed.tokens[index] if 0 <= index < len(self.lexed.tokens) else None


def word(scene: Scene) -> Words:
    """The first wording that fits; the parser's own words in the end."""
    for attempt in _ATTEMPTS:
        found = attempt(scene)
        if found is not None:
            return found
    return Words(_plain(scene))


def _conflict(scene: Scene) -> Words | None:
    token = scene.token()
    text = scene.module.text
    if token is None or token.text[:2] not in ("<<", "==", ">>", "=", ">>>"):
        return None
    marker = re.compile(r"(?:<<<<<<<|=======|>>>>>>>)(?: |$)", re.MULTILINE).match(text, token.start)
    if marker is None:
        return None
    return Words(
        "a merge conflict was left in the file", "Keep one of the two versions and remove the `<<<<<<<` lines."
    )


def _css(scene: Scene) -> Words | None:
    if scene.at > 3 or _CSS.match(scene.module.text[:2000]) is None:
        return None
    return Words(
        "this is CSS, not JavaScript", "A style sheet goes into plugin.js as `jsx('style', { children: '…' })`."
    )


def _html_comment(scene: Scene) -> Words | None:
    token = scene.token()
    if token is not None and scene.module.text.startswith("<!--", token.start):
        return Words("`<!--` is HTML: it is no comment in a module", "Write comments as `// …` or `/* … */`.")
    return None


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
            return Words(f"`{_cut(name[1])}` is declared twice", hint, second, second + len(name[1]))
    return Words(f"`{_cut(name[1])}` is declared twice", hint)


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
            name = _cut((found.groups() or ("",))[0] or "")
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


def _letter(scene: Scene) -> Words | None:
    token = scene.token()
    if token is None:
        return None
    letter = token.text[0]
    before = scene.token(-1)
    if letter in "‘’“”" or (letter in _QUOTES and not letter.isascii()):
        quote = "'" if letter in "‘’‚‛‹›＇´" else '"'
        return Words(
            f"typographic quote {letter}: strings need straight quotes", f"Write {quote}…{quote} with plain quotes."
        )
    if letter in _PUNCTUATION:
        return Words(f"`{letter}` is not `{_PUNCTUATION[letter]}`", f"Type a plain `{_PUNCTUATION[letter]}`.")
    if letter == "@":
        return Words("`@` begins a decorator: the app's engine has none", "Call the function yourself: `observe(A)`.")
    if letter == "#":
        return Words("unexpected `#`", "Comments begin with `//`; `#name` exists only inside a class.")
    if letter == "\\":
        return Words("unexpected `\\`", "A backslash belongs inside a string.")
    if token.kind == "number" or (before is not None and before.text in _DECLARES and letter.isdigit()):
        if before is not None and before.text in _DECLARES:
            return Words(f"a name cannot begin with a digit: `{token.text[:40]}`", None)
        return None
    if token.kind == "bad" and not letter.isascii():
        name = unicodedata.name(letter, "unnamed")
        return Words(
            f"unexpected character U+{ord(letter):04X} ({name})", "It was probably pasted; type the text anew."
        )
    return None


def _reserved(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    for name, lead in ((token, before), (before, scene.token(-2))):
        if name is None or lead is None or name.kind != "word" or lead.kind != "word":
            continue
        if lead.text in _DECLARES and name.text in RESERVED and name.text not in ("let", "await", "default"):
            if lead.text == "import" or (lead.text == "class" and name.text == "extends"):
                continue
            return Words(
                f"`{_cut(name.text)}` is a reserved word and cannot be a name",
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
                else None,
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
    name = before.text if before is not None and before.kind == "word" and before.text not in _DECLARES else None
    shown = f"`const {_cut(name)}`" if name else "`const`"
    following = token.text if token is not None else ""
    if following == "=>" and name:
        return Words(
            "the parameters of an arrow function need parentheses, unless there is only one",
            f"Write `(…, {_cut(name)}) => …`.",
        )
    if following == "-":
        return Words(f"{shown} needs a value; a name cannot hold `-`", "Write the name in one word: `myName`.")
    place = (before.start, before.end) if before is not None else (None, None)
    if token is not None and before is not None and token.kind == "word" and name and before.end + 1 == token.start:
        return Words(f"two words in a row: `{_cut(name)} {_cut(following)}`", "A name is one word, without spaces.")
    return Words(f"{shown} needs a value", "Write `const name = …`, or `let name` if it gets one later.", *place)


def _missing_comma(scene: Scene) -> Words | None:
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
    line = scene.module.text.count("\n", 0, before.end) + 1
    rest_of_line = scene.module.text[token.end :].partition("\n")[0]
    if around.text == "(" and token.text == "{" and not rest_of_line.strip():
        # A brace that ends its line opens a body far more often than an object among arguments.
        return Words("missing `)` before `{`", f"Close the parenthesis behind `{_cut(before.text)}` on line {line}.")
    return Words(
        f"missing `,` before `{_cut(token.text)}`", f"Add a comma behind `{_cut(before.text)}` on line {line}."
    )


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


def _missing_value(scene: Scene) -> Words | None:
    """The line ends behind an operator or a dot, and the next one begins something new."""
    token, before, earlier = scene.token(), scene.token(-1), scene.token(-2)
    if token is None or before is None:
        return None
    text = scene.module.text
    later = _on_later_line(text, before, token)
    if before.text in _MISSING_VALUE_AFTER and (token.text in (";", ")", "]", "}", ",") or later):
        message = f"a value is missing after `{before.text}`"
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


def _by_neighbour(scene: Scene) -> Words | None:
    """Slips that the word before, or the bracket around, gives away."""
    token, before = scene.token(), scene.token(-1)
    if token is None:
        return None
    lead = before.text if before is not None else ""
    if lead == "from" and token.kind == "word":
        return Words(f"the module's name needs quotes: `from '{_cut(token.text)}'`")
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
            f"the string ends before `{_cut(token.text)}`: an apostrophe inside closed it",
            "Write the string in the other quotes, or the apostrophe as `\\'`.",
        )
    if _in_import_list(scene) and lead == "," and token.kind == "word":
        return Words(f"names other than the default are imported in braces: `{{ {_cut(token.text)} }}`")
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


def _python(scene: Scene) -> Words | None:
    for offset in (0, -1):
        token = scene.token(offset)
        if token is not None and token.kind == "word" and token.text in _PYTHON:
            return Words(_PYTHON[token.text], "Plugins are written in JavaScript.")
    return None


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
        behind = f" after `{_cut(before.text)}`" if before is not None else ""
        what = "string " if token.kind == "string" else ""
        return f"unexpected {what}`{_cut(token.text)}`{behind}"
    return scene.said[0].lower() + scene.said[1:] if scene.said[1:2].islower() else scene.said


def _cut(text: str) -> str:
    one_line = text.split("\n", 1)[0].rstrip("\r")
    return one_line if len(one_line) <= 30 else one_line[:29] + "…"


_ATTEMPTS: tuple[Callable[[Scene], Words | None], ...] = (
    _conflict,
    _css,
    _html_comment,
    _declared_twice,
    _await,
    _deleted_name,
    _simple,
    _regex,
    _letter,
    _import_place,
    _reserved,
    _initialiser,
    _python,
    _by_neighbour,
    _missing_comma,
    _missing_value,
)
