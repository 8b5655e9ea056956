"""Letters, words and lines that come from somewhere else: typographic quotes, Python, CSS, HTML, a merge."""

from __future__ import annotations

import re
import unicodedata

from loader.analysis.mistakes.scene import DECLARES, Scene, Words

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
    "−": "-",
    "×": "*",
    "÷": "/",
    "≠": "!==",
    "≤": "<=",
    "≥": ">=",
    "→": "=>",
    "⇒": "=>",
}
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


def merge_conflict(scene: Scene) -> Words | None:
    token = scene.token()
    text = scene.module.text
    if token is None or token.text[:2] not in ("<<", "==", ">>", "=", ">>>", "||"):
        return None
    marker = re.compile(r"(?:<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?: |$)", re.MULTILINE).match(text, token.start)
    if marker is None:
        return None
    return Words(
        "a merge conflict was left in the file", "Keep one of the two versions and remove the `<<<<<<<` lines."
    )


def style_sheet(scene: Scene) -> Words | None:
    if scene.at > 3 or _CSS.match(scene.module.text[:2000]) is None:
        return None
    return Words(
        "this is CSS, not JavaScript", "A style sheet goes into plugin.js as `jsx('style', { children: '…' })`."
    )


def html_comment(scene: Scene) -> Words | None:
    token = scene.token()
    if token is not None and scene.module.text.startswith("<!--", token.start):
        return Words("`<!--` is HTML: it is no comment in a module", "Write comments as `// …` or `/* … */`.")
    return None


def python_word(scene: Scene) -> Words | None:
    for offset in (0, -1):
        token = scene.token(offset)
        if token is not None and token.kind == "word" and token.text in _PYTHON:
            return Words(_PYTHON[token.text], "Plugins are written in JavaScript.")
    return None


def letter(scene: Scene) -> Words | None:
    token = scene.token()
    if token is None:
        return None
    letter = token.text[0]
    before = scene.token(-1)
    if letter in "‘’“”" or (letter in _QUOTES and not letter.isascii()):
        quote = "'" if letter in "‘’‚‛‹›＇´" else '"'
        more = sum(one.text[0] in _QUOTES and not one.text.isascii() for one in scene.lexed.tokens[scene.at + 1 :])
        rest = f" {more} more of them follow." if more > 1 else ""
        return Words(
            f"typographic quote {letter}: strings need straight quotes",
            f"Write {quote}…{quote} with plain quotes.{rest}",
        )
    if letter in _PUNCTUATION:
        return Words(f"`{letter}` is not `{_PUNCTUATION[letter]}`", f"Type a plain `{_PUNCTUATION[letter]}`.")
    if letter == "@":
        return Words("`@` begins a decorator: the app's engine has none", "Call the function yourself: `observe(A)`.")
    if letter == "#":
        return Words("unexpected `#`", "Comments begin with `//`; `#name` exists only inside a class.")
    if letter == "\\":
        return Words("unexpected `\\`", "A backslash belongs inside a string.")
    if token.kind == "number" or (before is not None and before.text in DECLARES and letter.isdigit()):
        if before is not None and before.text in DECLARES:
            return Words(f"a name cannot begin with a digit: `{token.text[:40]}`", None)
        return None
    if token.kind == "bad" and not letter.isascii():
        name = unicodedata.name(letter, "unnamed")
        return Words(
            f"unexpected character U+{ord(letter):04X} ({name})", "It was probably pasted; type the text anew."
        )
    return None
