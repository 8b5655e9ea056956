"""What the engine says of a failure, with the name that it leaves out, and a way out of it.

The engine answers a call of nothing with "not a function" and names neither what was called nor its owner; the place
is right, so the text there has the name. A place that was forged gives a name out of the plugin's own text, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from loader.analysis.rehearsal.events import Thrown
from loader.analysis.surface import nearest, shipped_surface
from loader.nouns import Span

_CALLED = re.compile(r"((?:[\w$]+(?:\?\.|\.))*[\w$]+)\s*(?:\?\.)?\(")
_OWNER = re.compile(r"(?:[\w$]+(?:\?\.|\.))+$")
_EMPTY = re.compile(r"cannot (?:read|set) property '([\w$]{1,60})' of (?:undefined|null)$")
_NAMED = re.compile(r"'?([\w$]{1,60})'? is not (?:defined|initialized)$")
_FUNCTION = re.compile(r"(?:async\s+)?(?:function\b|[\w$]+\s*=>|\([^()]*\)\s*=>)")
_ASKED = r"(?:fetch|(?:[\w$]+\.)?(?:rest|request))"
_PASSED_OVER = re.compile(r"//[^\r\n]*|/\*.*?\*/|'[^'\r\n]*'|\"[^\"\r\n]*\"|`[^`$]*`")
_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")
_LINE_LIMIT = 100_000
# A member that a wrong name begins with (`registerPane`) was meant more likely than one that resembles it.
_TELLING_LETTERS = 4
_BY_MESSAGE = (
    (
        re.compile(r"Invalid hook call"),
        "Call hooks inside a component: the function behind `render: () => jsx(Panel, {})`.",
    ),
    (
        re.compile(r".* (?:more|fewer) hooks than"),
        "Call the same hooks at every render: at the top of the component, before any `if` or `return`.",
    ),
    (
        re.compile(r"React cannot show a DOM node"),
        "Draw with `jsx('div', { children: … })`, or put the node into a `ref` from an effect.",
    ),
    (
        re.compile(r"An element stands where a component belongs"),
        "Hand over the component, not what it draws: `jsx(Panel, {})`.",
    ),
    (
        re.compile(r"jsx\('.{1,90} names a tag in capitals"),
        "Hand over the component itself, without quotes: `jsx(Panel, {})`.",
    ),
    (
        re.compile(r"on\w{1,60} of <.{1,90} and no function"),
        "Hand over a function that does it: `onClick: () => save()`, not `onClick: save()`.",
    ),
    (
        re.compile(r"React cannot show an object"),
        "Show one of its fields: `jsx('p', { children: user.name })`.",
    ),
    (
        re.compile(r"jsx\(.{1,90} got (?:null|undefined) in place"),
        "Write `{}` where there are no props: `jsx('p', {})`. Only `createElement` takes null.",
    ),
    (
        re.compile(r"jsx\(.{1,90} got children behind"),
        "Children are one of the props: `jsx('p', { children: 'text' })`, several as a list: `{ children: [a, b] }`.",
    ),
    (
        re.compile(r"The style of <"),
        "Write `style: { marginTop: 4, color: 'var(--ui-text-secondary)' }`.",
    ),
    (
        re.compile(r"use\w*Effect of .{1,90} returned a promise"),
        "Put the async work inside: `useEffect(() => { load() }, [])`, with `async function load() {…}`.",
    ),
    (
        re.compile(r"use\w*Effect of .{1,90} returned"),
        "Return a function or nothing: `useEffect(() => { … })`, with braces.",
    ),
    (
        re.compile(r".{1,90} is an async component"),
        "Make it a plain function that asks: `const { data } = useQuery({ queryKey, queryFn: () => ctx.rest('/') })`.",
    ),
    (
        re.compile(r"Too many updates in a row"),
        "Give the effect the list of what it depends on: `useEffect(() => { … }, [id])`, and set what really changed.",
    ),
    (
        re.compile(r"Too many re-renders"),
        "Set state in a handler or an effect: `onClick: () => setOpen(true)`, not `onClick: setOpen(true)`.",
    ),
    (
        re.compile(r"'[\w$]{1,60}' is read-only"),
        "It is imported or a `const`, which nothing can be assigned to: keep what changes in a `let` of its own.",
    ),
    (
        re.compile(r"Element type is invalid"),
        "Look at the first argument of this `jsx(…)`: is it declared above, and exported under that name?",
    ),
)
_NAME_LIMIT = 80
# What the renderer says of a component while nothing of it is running.
_ABOUT_COMPONENT = (
    re.compile(r"Too many updates in a row: an effect sets state of ([\w$]{1,80}) "),
    re.compile(r"Too many re-renders: ([\w$]{1,80}) sets "),
    re.compile(r"use\w*Effect of ([\w$]{1,80}) returned "),
    re.compile(r"([\w$]{1,80}) is an async component"),
    re.compile(r"([\w$]{1,80}) called (?:more|fewer) hooks"),
)


def in_words(text: str, thrown: Thrown) -> str:
    """The error as a person needs it: "TypeError: `ctx.open` is not a function"."""
    called = _what_was_called(text, thrown)
    if called is not None:
        return f"{thrown.name}: `{called}` is not a function"
    empty = _what_was_empty(text, thrown)
    return f"{thrown.text} (`{empty}` has no value)" if empty is not None else thrown.text


def place_of(text: str, thrown: Thrown) -> Span | None:
    """Where it was thrown; where the engine does not say, where the name first stands that the message is about."""
    if thrown.span is not None or len(text) > _LINE_LIMIT:
        return thrown.span
    component = next((found[1] for pattern in _ABOUT_COMPONENT if (found := pattern.match(thrown.message))), None)
    if component is not None:
        return _declared(text, component)
    found = _NAMED.match(thrown.message) or _EMPTY.search(thrown.message)
    if found is None:
        return _thrown_literally(text, thrown) if not thrown.stack else None
    before = r"(?:\?\.|\.)" if found.re is _EMPTY else r"(?<![\w$.])"
    name = re.compile(rf"(?:{_PASSED_OVER.pattern})|{before}(?P<name>{re.escape(found[1])})(?![\w$])", re.DOTALL)
    match = next((one for one in name.finditer(text) if one["name"]), None)
    if match is None:
        return None
    return _span(text, match.start("name"), len(found[1]))


def _declared(text: str, component: str) -> Span | None:
    """Where a component is declared, if that is one place: the renderer complains of it with nothing of it running."""
    name = re.escape(component)
    if component == "render":
        direct = re.search(r"\brender\s*:\s*async\b|\basync\s+render\s*\(", text)
        return _span(text, direct.start(), len("render")) if direct is not None else None
    found = [
        one
        for one in re.finditer(
            rf"{_PASSED_OVER.pattern}|(?<![\w$.])(?:(?:async\s+)?function\s+|(?:const|let|var|class)\s+)(?P<name>{name})(?![\w$])",
            text,
            re.DOTALL,
        )
        if one["name"]
    ]
    return _span(text, found[0].start("name"), len(component)) if len(found) == 1 else None


def _thrown_literally(text: str, thrown: Thrown) -> Span | None:
    """`throw 'x'` and the like leave no stack: the one place of the text that throws such a value, if it is one."""
    if len(thrown.message) > _NAME_LIMIT:
        return None
    value = re.escape(thrown.message)
    said = rf"(?P<quote>['\"`]){value}(?P=quote)|{value}(?![\w$.])|\{{[^{{}}]*\bmessage:\s*(['\"`]){value}\3"
    how = rf"(?<![\w$.])(?P<throw>throw\s+|Promise\.reject\(\s*)(?:{said})"
    pattern = re.compile(rf"{how}|{_PASSED_OVER.pattern}", re.DOTALL)
    found = [one for one in pattern.finditer(text) if one["throw"]]
    return _span(text, found[0].start(), len(found[0]["throw"].split()[0])) if len(found) == 1 else None


def _span(text: str, at: int, length: int) -> Span:
    *lines, last = _LINE_END.split(text[:at])
    line, column = len(lines) + 1, len(last.encode("utf-16-le")) // 2 + 1
    return Span(line, column, line, column + length)


def way_out(text: str, thrown: Thrown) -> str | None:
    """What to do about it; None where the message is all there is."""
    for pattern, hint in _BY_MESSAGE:
        if pattern.match(thrown.message):
            return hint
    if thrown.message.endswith("is not iterable") and "registerMany(" in (_line(text, thrown) or ("", 0))[0]:
        return "It takes a list: `ctx.registerMany([{ … }, { … }])`."
    called = _what_was_called(text, thrown)
    if called is not None:
        owner, _, name = called.rpartition(".")
        surface = shipped_surface()
        known = {"ctx": surface.ctx, "host": surface.host}.get(owner.split(".")[0])
        if known is not None and called.partition(".")[2] not in known:
            return _member_hint(owner, name, known)
        if owner and re.search(rf"(?<![\w$.]){re.escape(owner)}\s*=\s*{_ASKED}\(", text):
            return f"`{owner}` is a promise: wait for what it brings, `{owner} = await …`, in an `async` function."
        return None
    found = _EMPTY.search(thrown.message)
    if found is None:
        return None
    name = _what_was_empty(text, thrown) or "value"
    if name == "this":
        return "`this` is nothing in an arrow function of a module: write a method, `name() {…}`, or name the object."
    short = name if re.fullmatch(r"[\w$.]+", name) else "value"
    if thrown.message.startswith("cannot set"):
        return f"Look whether it is there first: `if ({short}) {short}.{found[1]} = …`."
    return f"Give it a first value, or ask with `?.`: `{short}?.{found[1]}`."


def _member_hint(owner: str, name: str, known: Iterable[str]) -> str:
    _, _, inner = owner.partition(".")
    prefix = f"{inner}." if inner else ""
    siblings = [one[len(prefix) :] for one in known if one.startswith(prefix)]
    siblings = [one for one in siblings if one and "." not in one]
    longest_first = sorted(siblings, key=len, reverse=True)
    begins = next((one for one in longest_first if len(one) >= _TELLING_LETTERS and name.startswith(one)), None)
    guess = begins or nearest(name, siblings)
    if guess is not None:
        return f"Did you mean `{owner}.{guess}`?"
    if not siblings:
        return f"`{owner}` has no members: call it as it is, `{owner}(…)`."
    return f"`{owner}` has {', '.join(f'`{one}`' for one in siblings[:8])}{' and more' if len(siblings) > 8 else ''}."


def _line(text: str, thrown: Thrown) -> tuple[str, int] | None:
    """The line that an error points to, and the index in it."""
    span = thrown.span
    if span is None:
        return None
    lines = _LINE_END.split(text)
    if span.line > len(lines) or len(lines[span.line - 1]) > _LINE_LIMIT:
        return None
    return lines[span.line - 1], span.column - 1


def _what_was_called(text: str, thrown: Thrown) -> str | None:
    if thrown.message != "not a function" or thrown.name != "TypeError":
        return None
    place = _line(text, thrown)
    if place is None:
        return None
    line, at = place
    if _FUNCTION.match(line, at):
        # The engine points to the last function that it made for the call.
        begin = _begin_of_call(line, at)
        if begin is None:
            return None
        at = begin
    found = _CALLED.match(line, at)
    if found is None:
        return None
    owner = _OWNER.search(line[max(0, at - _NAME_LIMIT) : at])
    name = f"{owner.group() if owner else ''}{found[1]}".replace("?.", ".")
    # Behind a call or an index (`f().x(…)`) the name alone would be another thing's.
    before = line[at - len(owner.group()) - 1 : at - len(owner.group())] if owner else line[at - 1 : at]
    return None if len(name) > _NAME_LIMIT or (before == "." and at > 0) else name


def _begin_of_call(line: str, at: int) -> int | None:
    """Where the last name stands of what is called with the argument at an index; on one line, no strings regarded."""
    depth = 0
    for index in range(min(at, len(line)) - 1, max(at - 10 * _NAME_LIMIT, 0) - 1, -1):
        if line[index] in ")]}":
            depth += 1
        elif line[index] in "([{":
            if depth == 0:
                name = re.search(r"[\w$]+\s*(?:\?\.)?\Z", line[:index]) if line[index] == "(" else None
                return name.start() if name is not None else None
            depth -= 1
    return None


def _what_was_empty(text: str, thrown: Thrown) -> str | None:
    found = _EMPTY.search(thrown.message)
    place = _line(text, thrown) if found is not None else None
    if found is None or place is None:
        return None
    line, at = place
    # The engine points to the owner's first name, or to the call around it.
    window = line[: at + _NAME_LIMIT + len(found[1]) + 1]
    chain = re.compile(rf"(?<![\w$.\])])((?:[\w$]+\.)*[\w$]+)\.{re.escape(found[1])}\b").search(window, at)
    if chain is None or len(chain[1]) > _NAME_LIMIT:
        return None
    return chain[1]
