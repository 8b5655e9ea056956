"""Code made from text at run time: `eval`, `new Function`, a timer that is given a string.

What such code does cannot be read before it runs, neither by this check nor by a reviewer, and a text that came from
somewhere else becomes code with all the rights of the app. Write the function itself; look names up in an object; read
data with `JSON.parse`. `Function('return this')`, by which old libraries look for the global object, is not meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import Call, Module, Node
from loader.analysis.syntax.assignments import member_name, member_owner
from loader.analysis.syntax.resolve import FUNCTION_KINDS
from loader.analysis.syntax.texts import known_text, pieces

_TIMERS = ("global.setTimeout", "global.setInterval", "ctx.setTimeout", "ctx.setInterval")
_EVALS = frozenset({"global.eval", "global.execScript"})
_FUNCTION = "global.Function"
_GLOBAL_OBJECT = frozenset({"return this", "return this;"})


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for call in module.calls:
        if call.path in _EVALS and call.arguments:
            yield _finding(module, call, f"`{(call.path or '').removeprefix('global.')}` runs text as code")
        elif call.path == _FUNCTION or _is_function_constructor(module, call):
            if not call.arguments or known_text(module, call.arguments[-1]) not in _GLOBAL_OBJECT:
                yield _finding(module, call, "`Function` makes code out of text")
        elif call.path in _TIMERS and call.arguments and _is_text(module, call.arguments[0]):
            name = (call.path or "").rpartition(".")[2]
            yield Finding(
                module.head_span(call.arguments[0]),
                f"`{name}` is given a string: the browser runs it as code, outside the plugin's scope",
                f"Give it a function: `{name}(() => tick(), 1000)`.",
            )


def _finding(module: Module, call: Call, message: str) -> Finding:
    return Finding(
        module.head_span(call.node),
        f"{message}: nobody can read what it will do",
        "Write the function itself, look names up in an object (`handlers[name]?.()`), read data with `JSON.parse`.",
    )


def _is_text(module: Module, node: Node) -> bool:
    return any(piece is not None for piece in pieces(module, node))


def _is_function_constructor(module: Module, call: Call) -> bool:
    """`(async () => {}).constructor('…')` and `x.constructor.constructor('…')`: Function by another way."""
    if member_name(module, call.callee) != "constructor" or not call.arguments:
        return False
    owner = member_owner(module, call.callee)
    if owner is None:
        return False
    return module.tree.kind(owner) in FUNCTION_KINDS or member_name(module, owner) == "constructor"


RULE = Rule(
    "HP611",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const formula = ctx.storage.get('formula', '1 + 1')
    ctx.storage.set('result', eval(formula))
  }
}
""",
    good="""const FORMULAS = { sum: (a, b) => a + b, product: (a, b) => a * b }
export default {
  id: 'demo',
  register(ctx) {
    const formula = FORMULAS[ctx.storage.get('formula', 'sum')]
    ctx.storage.set('result', formula?.(1, 1))
  }
}
""",
)
