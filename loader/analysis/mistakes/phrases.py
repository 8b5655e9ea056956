"""What the two parsers say of frequent mistakes, and what an author should read instead."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """``pattern`` fits a parser's message from its start; NAME stands for the first group."""

    pattern: re.Pattern[str]
    message: str
    hint: str | None = None


def _phrase(pattern: str, message: str, hint: str | None = None) -> Phrase:
    return Phrase(re.compile(pattern), message, hint)


_DECLARE = "Declare it, or remove it from the export list."

PHRASES: tuple[Phrase, ...] = (
    _phrase(
        r"Illegal return|return not in a function",
        "`return` outside a function",
        "At top level write `if (…) { … }` instead.",
    ),
    _phrase(r"Illegal break|break must be", "`break` outside a loop or `switch`", "Leave a function with `return`."),
    _phrase(r"Illegal continue|continue must be", "`continue` outside a loop"),
    _phrase(
        r"Missing catch or finally|expecting catch or finally",
        "`try` without `catch` or `finally`",
        "Add `catch (error) { … }`.",
    ),
    _phrase(r"Export '(.+)' is not defined", "`NAME` is exported but not declared", _DECLARE),
    _phrase(r"exported variable '(.+)' does not exist", "`NAME` is exported but not declared", _DECLARE),
    _phrase(r"Duplicate export 'default'", "there are two default exports", "A module has one `export default`."),
    _phrase(r"Duplicate export '(.+)'", "`NAME` is exported twice"),
    _phrase(
        r"Private name '(.+)' is not declared",
        "`NAME` is not declared in this class",
        "Declare it as a field: `NAME = …`.",
    ),
    _phrase(
        r"undefined private field '(.+)'", "`NAME` is not declared in this class", "Declare it as a field: `NAME = …`."
    ),
    _phrase(r"Octal literals", "a number cannot begin with `0`", "Write `0o755` for an octal number, or `755`."),
    _phrase(
        r"Invalid left-hand side|invalid assignment left",
        "this cannot be assigned to",
        "Did you mean `===`, or a `.` or name before `=`?",
    ),
    _phrase(r"(?:Undefined label|label) '(.+)'", "there is no label `NAME`"),
    _phrase(r"Illegal newline after throw", "`throw` needs its value on the same line"),
    _phrase(r"A class may only have one constructor", "a class has one `constructor`"),
    _phrase(r"Delete of an unqualified", "`delete` of a plain name is not allowed in a module"),
    _phrase(
        r"Strict mode code may not include a with|invalid keyword: with",
        "`with` is not allowed in a module",
        "Take the values out: `const { notify } = host`.",
    ),
    _phrase(r"Rest parameter must be last|Rest element", "`...rest` must come last"),
    _phrase(r"Getter must not", "a getter takes no parameters"),
    _phrase(r"Setter must", "a setter takes exactly one parameter"),
    _phrase(r"Assignment to eval|.*eval or arguments", "`eval` and `arguments` cannot be names in a module"),
    _phrase(r"Strict mode function may not have duplicate|.*duplicate parameter", "two parameters have the same name"),
    _phrase(r"Invalid shorthand property|.*shorthand", "`=` in an object: write `name: value`"),
    _phrase(
        r"'super'|super is only|Unexpected token super|'?super'? is only valid", "`super` outside a method of a class"
    ),
    _phrase(r"new\.target", "`new.target` outside a function"),
)
