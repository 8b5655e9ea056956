"""A name that is used but neither imported, nor declared, nor a name of the browser.

Most often a forgotten import or a slip of the pen. The file still loads: the line throws a ReferenceError when it is
reached, often only once somebody clicks. Nothing is said of `typeof name`, of names that the file tests with `typeof`
or through `window.name`, and of names that a `/* global name */` comment vouches for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from loader.analysis.rehearsal.browser_names import BROWSER_NAMES
from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.commonjs import commonjs_uses
from loader.analysis.rules.import_edits import adding, adding_namespace
from loader.analysis.rules.names import short
from loader.analysis.surface import Surface, nearest
from loader.analysis.syntax import Module, Reference
from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER, Fix

# The global object inherits from Object.prototype: these are names everywhere, though no list has them.
_INHERITED = frozenset(
    {
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
        "valueOf",
    }
)  # fmt: skip
_NODE_NAMES = frozenset(
    {"process", "Buffer", "global", "__dirname", "__filename", "setImmediate", "clearImmediate", "require", "module"}
)
_CONTEXTS = frozenset({"context", "plugincontext", "ctxt", "cxt", "contex"})
_NAMESPACES = {"React": "react", "react": "react", "sdk": SDK_SPECIFIER, "SDK": SDK_SPECIFIER}
_WINDOWS = frozenset({"global.window", "global.globalThis", "global.self"})
_GLOBAL_COMMENT = re.compile(r"^/\*\s*globals?\s(?P<names>[^*]{0,2000})\*/$")
# Finding the nearest name is slow; nobody reads more guesses than these.
_GUESSES_LIMIT = 20
# One cure mends them all: a generated file may use one name on every line.
_USES_LIMIT = 200


def undeclared(module: Module, known: Collection[str]) -> Iterator[Reference]:
    """Uses of names that neither the file nor ``known`` defines, as ESLint's ``no-undef`` reports them."""
    for reference in module.scopes.free:
        name = reference.name
        if name not in known and name not in _INHERITED and not module.in_typeof(reference.node):
            yield reference


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    uses: dict[str, list[Reference]] = {}
    for reference in undeclared(module, BROWSER_NAMES):
        uses.setdefault(reference.name, []).append(reference)
    if not uses:
        return
    excused = _vouched_for(module) | {use.name for use in commonjs_uses(module)}
    guesses = _GUESSES_LIMIT
    for name, references in uses.items():
        if name in excused:
            continue
        guesses -= 1
        hint, fix = _way_out(subject, references[0], guess=guesses >= 0)
        lines: set[int] = set()
        for reference in references[:_USES_LIMIT]:
            span = module.span(reference.node)
            if span.line not in lines:
                lines.add(span.line)
                yield Finding(span, _message(reference), hint, fix)


def _message(reference: Reference) -> str:
    what = "is assigned but never declared" if reference.writes and not reference.reads else "is not defined"
    return f"`{short(reference.name)}` {what}: nothing imports or declares it, and the browser has no such name"


def _vouched_for(module: Module) -> set[str]:
    """Names that the file tests or makes itself, or of which a comment says that they exist."""
    tree = module.tree
    names = {one.name for one in module.scopes.free if module.in_typeof(one.node)}
    for _node, path in module.members:
        # Only `window.name` gives a member a path of two parts under `global`.
        if path.startswith("global.") and path.count(".") == 1:
            names.add(path[len("global.") :])
    for node in tree.of_kind("binary_expression"):
        if tree.token(node, "operator") == "in":
            left, right = tree.children(node)[:2]
            name = tree.literal(left)
            if name is not None and module.path(right) in _WINDOWS:
                names.add(name)
    for call in module.calls_to("global.Object.defineProperty", "global.Reflect.defineProperty"):
        if len(call.arguments) > 1 and module.path(call.arguments[0]) in _WINDOWS:
            names.add(tree.literal(call.arguments[1]) or "")
    for comment in module.comments:
        match = _GLOBAL_COMMENT.match(comment.text)
        if match is not None:
            names.update(part.split(":")[0].strip() for part in re.split(r"[\s,]+", match["names"]))
    return names


def _way_out(subject: Subject, reference: Reference, *, guess: bool) -> tuple[str, Fix | None]:
    module, surface, name = subject.module, subject.surface, reference.name
    imported = {request.specifier for request in module.record.static}
    homes = sorted(surface.homes_of(name), key=lambda home: home not in imported)
    if homes:
        only_in = surface.modules[homes[0]].only_in(name)
        if only_in:
            some = ", ".join(only_in)
            return f"`{homes[0]}` exports it in some builds only ({some}): take it from a namespace and test it.", None
        return f"Write `import {{ {name} }} from '{homes[0]}'`.", adding(module, homes[0], name)
    if name in _NAMESPACES:
        specifier = _NAMESPACES[name]
        return f"Write `import * as {name} from '{specifier}'`.", adding_namespace(module, specifier, name)
    if name == "ctx":
        return (
            "Only `register(ctx)` gets it: hand it on, as in `jsx(View, { ctx })`, or keep it in a variable.",
            None,
        )
    if name in _NODE_NAMES:
        instead = " `global` is `globalThis` here." if name == "global" else ""
        return f"That is Node.js, which the app's window does not have.{instead} Or test `typeof {name}` first.", None
    close = _nearest(module, surface, reference) if guess else None
    if close is not None:
        return f"Did you mean `{close}`?", None
    return (
        f"Declare or import it; what only some places define belongs behind `typeof {short(name)} !== 'undefined'`.",
        None,
    )


def _nearest(module: Module, surface: Surface, reference: Reference) -> str | None:
    """What was most likely meant: a name that can be seen from there, one of the three modules, one of the browser."""
    scopes = module.scopes
    visible: list[str] = []
    scope = scopes.scope_of(reference.node)
    while True:
        visible += scope.names
        if scope.parent < 0:
            break
        scope = scopes.scopes[scope.parent]
    exported = [name for specifier in ALLOWED_SPECIFIERS for name in surface.modules[specifier].names]
    if reference.name.lower() in _CONTEXTS and "ctx" in visible:
        return "ctx"
    # A name of three letters is one letter away from far too much.
    if len(reference.name) <= 3:
        return None
    small = reference.name[0].islower()
    # Nobody means the bare names of event handlers (`onerror`), and they are close to many others.
    browser = sorted(name for name in BROWSER_NAMES if name[0].islower() == small and not name.startswith("on"))
    groups = (visible, exported, browser)
    return next((close for group in groups if (close := nearest(reference.name, group)) is not None), None)


RULE = Rule(
    "HP501",
    __doc__,
    check=check,
    bad="""import { jsx } from 'react/jsx-runtime'
const Count = () => jsx('span', { children: useState(0)[0] })
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'count', area: 'statusBar.left', render: () => jsx(Count, {}) }) }
}
""",
    good="""import { useState } from 'react'
import { jsx } from 'react/jsx-runtime'
const Count = () => jsx('span', { children: useState(0)[0] })
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'count', area: 'statusBar.left', render: () => jsx(Count, {}) }) }
}
""",
)
