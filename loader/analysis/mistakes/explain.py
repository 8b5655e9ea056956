"""One finding for a text that does not parse, put together from engine, judge, tree and a token list.

esprima knows the place best (33 of 40 mistakes against 31 for the engine); where it could not run the engine's line
and the tree's first error stand in. What was opened and never closed is pointed to where it was opened, since that is
where the author has to look.
"""

from __future__ import annotations

import re

from loader.analysis.compiled import Compiled
from loader.analysis.judge import Judgement
from loader.analysis.mistakes.brackets import Blame, blame_before_export, blame_bracket, blame_open
from loader.analysis.mistakes.dialects import Dialect, find_jsx, find_typescript
from loader.analysis.mistakes.lexer import Lexed, lex
from loader.analysis.mistakes.pasted import fence, sentence_at
from loader.analysis.mistakes.scene import Scene
from loader.analysis.mistakes.wording import word
from loader.analysis.syntax import Module
from loader.codes import finding
from loader.nouns import ALLOWED_SPECIFIERS, Diagnostic, Span

# The token list costs about a second for each megabyte; a larger file is a bundle that nobody wrote by hand.
_LEX_LIMIT = 1_500_000
_JSX_HINT = (
    "The app compiles nothing: write `jsx('div', { children: … })` with `jsx` from 'react/jsx-runtime', or build first."
)
_TS_HINT = "The app compiles nothing: build first (esbuild), or write types as JSDoc comments."
_PHASE = re.compile(
    rb"""\bimport\s+(?P<phase>defer|source)\s+(?!from\b)[^'";]*?from\s*(?P<quote>['"])(?P<specifier>[^'"\r\n]*)(?P=quote)"""
    rb"""|\bimport\s*\.\s*(?P<call>defer|source)\s*\(\s*(?P<mark>['"])(?P<name>[^'"\r\n]*)(?P=mark)"""
)


def explain(module: Module, compiled: Compiled, judgement: Judgement) -> tuple[Diagnostic, ...]:
    """The one finding: HP101, HP102, HP103 or, for a phase import of an allowed module, HP209."""
    text = module.text
    error = _error_index(module, compiled, judgement)
    phase = _phase_import(module, error)
    if phase is not None:
        return (phase,)
    lexed = lex(text) if len(text) <= _LEX_LIMIT else Lexed()
    scene = _scene(module, compiled, judgement, lexed, error)
    conflict = word(scene)
    if error is not None and lexed.tokens:
        conflict = sentence_at(text, error, surely=True) or conflict
    if conflict.message.startswith(("a merge conflict", "`<!--`", "this line is plain text")):
        return (_at(module, "HP101", scene, error, conflict.message, conflict.hint, conflict.start, conflict.end),)
    unclosed = blame_before_export(text, lexed, error)
    if unclosed is not None:
        return (_blamed(module, unclosed),)
    dialect = _dialect(module, lexed, error)
    if dialect is not None:
        return (dialect,)
    blame = _blame_pasted(text, lexed, error) or blame_open(lexed, error)
    if blame is None and (judgement.accepted is not True):
        blame = blame_bracket(text, lexed, len(text) if error is None else error)
    if blame is not None:
        return (_blamed(module, blame),)
    return (_at(module, "HP101", scene, error, conflict.message, conflict.hint, conflict.start, conflict.end),)


def _error_index(module: Module, compiled: Compiled, judgement: Judgement) -> int | None:
    """The code point at which the text goes wrong, None when nobody knows."""
    if judgement.accepted is False and judgement.index is not None:
        return judgement.index
    positions = module.tree.positions
    line = compiled.error.line if compiled.error is not None else None
    byte = None
    for node in module.tree.of_kind("ERROR"):
        start = module.tree.starts[node]
        if line is None or positions.place(start)[0] == line:
            byte = start
            break
    if byte is None and line is not None:
        start = positions.line_start(line)
        written = module.tree.data[start : positions.line_end(line)]
        byte = start + len(written) - len(written.lstrip())
    return None if byte is None else len(module.tree.data[:byte].decode("utf-8", "ignore"))


def _scene(module: Module, compiled: Compiled, judgement: Judgement, lexed: Lexed, error: int | None) -> Scene:
    engine = compiled.error.message if compiled.error is not None else ""
    judged = judgement.message if judgement.accepted is False else ""
    at = lexed.at(error) if error is not None else len(lexed.tokens)
    # The judge may stop on the white space behind the token that it means; its line tells.
    if judgement.line is not None and error is not None and 0 < at < len(lexed.tokens) and judged:
        positions = module.tree.positions
        if positions.place(positions.byte_of_character(lexed.tokens[at].start))[0] > judgement.line:
            at -= 1
    return Scene(module, lexed, at, engine, judged, judged or engine)


def _blame_pasted(text: str, lexed: Lexed, error: int | None) -> Blame | None:
    """A template or string that is never closed, because its backtick ends a code fence, its quote a word of a text."""
    opened = lexed.open[0] if lexed.open else None
    if opened is None or (error is not None and opened.start > error):
        return None
    if opened.what == "template" and (found := fence(text, opened.start)) is not None:
        return Blame(*found, "a code fence (```) was left in the file", "Remove it, and the text that is not code.")
    said = sentence_at(text, opened.start) if opened.what == "string" else None
    if said is None or said.start is None or said.end is None or said.hint is None:
        return None
    return Blame(said.start, said.end, said.message, said.hint)


# ---------------------------------------------------------------- other languages


def _dialect(module: Module, lexed: Lexed, error: int | None) -> Diagnostic | None:
    byte = module.tree.positions.byte_of_character(error) if error is not None else None
    jsx = find_jsx(module)
    typescript = find_typescript(module, byte)
    if jsx is None and (typescript is None or not typescript.sure):
        jsx = _jsx_begun(module, lexed, error)
    if jsx is not None and byte is not None and not _near(module, jsx, byte):
        jsx = None
    if typescript is not None and (
        jsx is None or typescript.start < jsx.start or (typescript.sure and typescript.start == jsx.start)
    ):
        return finding(
            "HP103",
            f"TypeScript is not compiled: {typescript.words} is no JavaScript",
            span=_head(module, typescript),
            hint=_TS_HINT,
        )
    if jsx is None:
        return None
    return finding(
        "HP102", "JSX is not compiled: the app loads the file as it is", span=_head(module, jsx), hint=_JSX_HINT
    )


def _jsx_begun(module: Module, lexed: Lexed, error: int | None) -> Dialect | None:
    """A `<` where a value is expected, followed by a name or `>`: an element that is not even closed."""
    at = lexed.at(error) if error is not None else len(lexed.tokens)
    if at + 1 >= len(lexed.tokens) or lexed.tokens[at].text != "<":
        return None
    before = lexed.tokens[at - 1].text if at else ""
    following = lexed.tokens[at + 1]
    expects = before in ("=>", "(", "=", "return", "?", ":", "&&", "||", "??", ",", "[", "default", "{", "}", ";", "")
    if not expects or following.start != lexed.tokens[at].end or (following.kind != "word" and following.text != ">"):
        return None
    byte = module.tree.positions.byte_of_character
    return Dialect(byte(lexed.tokens[at].start), byte(following.end), "JSX")


def _near(module: Module, jsx: Dialect, error_byte: int) -> bool:
    """JSX explains an error that lies inside it or directly at it, not one before it."""
    place = module.tree.positions.place
    return place(jsx.start)[0] <= place(error_byte)[0] and error_byte <= max(jsx.end, jsx.start + 1)


def _head(module: Module, dialect: Dialect) -> Span:
    positions = module.tree.positions
    line = positions.place(dialect.start)[0]
    return positions.span(dialect.start, min(dialect.end, max(positions.line_end(line), dialect.start)))


def _phase_import(module: Module, error: int | None) -> Diagnostic | None:
    """`import defer` and `import source` of an allowed module: the import itself is fine without the phase."""
    if b"import" not in module.tree.data:
        return None
    positions = module.tree.positions
    byte = positions.byte_of_character(error) if error is not None else None
    for match in _PHASE.finditer(module.tree.data):
        specifier = (match["specifier"] if match["phase"] else match["name"]).decode("utf-8", "replace")
        if specifier not in ALLOWED_SPECIFIERS:
            continue
        if byte is not None and not match.start() <= byte <= match.end():
            continue
        phase = (match["phase"] or match["call"]).decode()
        return finding(
            "HP209",
            f"`import {phase}` of `{specifier}`: the app's modules have no phases",
            span=positions.span(*match.span()),
            hint=f"Write a plain import of '{specifier}'.",
        )
    return None


# ---------------------------------------------------------------- places


def _blamed(module: Module, blame: Blame) -> Diagnostic:
    positions = module.tree.positions
    start, end = positions.byte_of_character(blame.start), positions.byte_of_character(blame.end)
    span = positions.span(start, end)
    noticed = ""
    if blame.noticed is not None:
        line = positions.place(positions.byte_of_character(min(blame.noticed, len(module.text))))[0]
        if line != span.line:
            last = positions.place(len(module.tree.data))[0]
            noticed = " (noticed at the end of the file)" if line >= last else f" (noticed on line {line})"
    return finding("HP101", f"{blame.message}{noticed}", span=span, hint=blame.hint)


def _at(
    module: Module,
    code: str,
    scene: Scene,
    error: int | None,
    message: str,
    hint: str | None,
    start: int | None,
    end: int | None,
) -> Diagnostic:
    positions = module.tree.positions
    if start is None or end is None:
        token = scene.token()
        if token is not None:
            start, end = token.start, token.end
        else:
            start = end = min(error if error is not None else len(module.text), len(module.text))
    first, last = positions.byte_of_character(start), positions.byte_of_character(end)
    line = positions.place(first)[0]
    return finding(
        code, message, span=positions.span(first, min(last, max(positions.line_end(line), first))), hint=hint
    )
