"""A colour written out in a style.

The app has light and dark themes, and users make their own: a fixed colour stays what it is, so that text may end up
dark on dark. The theme's variables follow: `var(--ui-text-secondary)`, `var(--ui-stroke-secondary)`,
`var(--ui-accent)`; shades of them are made with `color-mix()`. A fallback in `var(--name, #fff)` is fine, and so are
translucent black (shadows), the palette of a theme, SVG drawings, canvas paint and colours that come from data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.rules.colors import UNKNOWN, literal_colors
from loader.analysis.syntax import Module, Node
from loader.analysis.syntax.styles import declarations, style_sheets
from loader.analysis.syntax.texts import constant
from loader.nouns import Span

_TEXT = frozenset({"color", "caretColor", "fill", "textDecoration", "textDecorationColor", "textEmphasisColor"})
_SURFACE = frozenset({"background", "backgroundColor", "backgroundImage", "accentColor"})
_LINE = re.compile(
    r"border(?:Top|Right|Bottom|Left|Block|Inline)?(?:Start|End)?(?:Color)?|outline(?:Color)?|stroke|boxShadow"
)
_SUBSTITUTION = re.compile(r"\$\{[^}]*\}")
_CLASS_COLOR = re.compile(
    r"(?<=-\[)(?:color:)?(?:#[0-9a-f]{3,8}|(?:rgb|hsl|oklch|oklab)a?\([^\]\s]*\))(?=\])", re.IGNORECASE
)
_DECLARATION = re.compile(r"(?<![\w-])(?P<name>[a-z]+(?:-[a-z]+)*)\s*:(?!:)(?P<value>[^;{}]{1,2000})")
_KNOWS_THEMES = re.compile(r"prefers-color-scheme|data-theme|data-mode|\.(?:dark|light)(?![\w-])|light-dark\(")
_WAYS = {
    "text": "Use a theme variable, such as `var(--ui-text-secondary)`.",
    "line": "Use a theme variable, such as `var(--ui-stroke-secondary)`.",
    "surface": "Use a shade of a theme variable, such as `color-mix(in srgb, var(--ui-accent) 15%, transparent)`.",
}


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    for one in declarations(module):
        name = _camel(one.name)
        way = _way(name)
        if way is not None:
            raw = _raw(module, one.value)
            for start, end in literal_colors(raw):
                yield _finding(module, one.value, raw, start, end, name, way)
    yield from _in_classes(module)
    for node in style_sheets(module):
        yield from _in_sheet(module, node)


def _in_classes(module: Module) -> Iterator[Finding]:
    """``className: 'text-[#ff0000]'``, an arbitrary value of a utility class; with a `dark:` twin both are meant."""
    tree = module.tree
    if b"-[" not in tree.data:
        return
    for keyed in module.keyed("className"):
        value = tree.unwrapped(keyed.value)
        source = constant(module, value)
        top = value if source is None else source
        for node in range(top, tree.ends[top]):
            if tree.kind(node) not in ("string", "template_string"):
                continue
            raw = _raw(module, node)
            if "dark:" in raw:
                continue
            for match in _CLASS_COLOR.finditer(raw):
                if "var(" not in match[0]:
                    yield _finding(module, node, raw, *match.span(), "className", "text")


def _in_sheet(module: Module, node: Node) -> Iterator[Finding]:
    """The declarations of a ``style`` element's text; one that knows light and dark apart is left alone."""
    raw = _raw(module, node)
    if _KNOWS_THEMES.search(raw):
        return
    for declaration in _DECLARATION.finditer(raw):
        name = _camel(declaration["name"])
        way = _way(name)
        offset = declaration.start("value")
        if way is not None:
            for start, end in literal_colors(declaration["value"]):
                yield _finding(module, node, raw, offset + start, offset + end, name, way)


def _finding(module: Module, node: Node, raw: str, start: int, end: int, name: str, way: str) -> Finding:
    color = raw[start:end]
    return Finding(
        _span(module, node, start, end),
        f"the colour `{color}` in `{name}` is fixed: it stays when the user changes the theme",
        _WAYS[way],
    )


def _way(name: str) -> str | None:
    if name in _TEXT:
        return "text"
    if name in _SURFACE:
        return "surface"
    return "line" if _LINE.fullmatch(name) else None


def _camel(name: str) -> str:
    if name.startswith("--"):
        return name
    return re.sub(r"-([a-z])", lambda match: match[1].upper(), name)


def _raw(module: Module, node: Node) -> str:
    """The literal as written, with its quotes, what cannot be known marked as such."""
    raw = module.tree.raw(node)
    inner = raw[1:-1]
    if module.tree.kind(node) == "template_string":
        inner = _SUBSTITUTION.sub(lambda match: UNKNOWN * len(match[0]), inner)
    return f" {inner} "


def _span(module: Module, node: Node, start: int, end: int) -> Span:
    # Letters may be longer than the marks that stand for them.
    written = module.tree.raw(node)[:start]
    first = module.tree.starts[node] + len(written.encode("utf-8", "replace"))
    return module.tree.positions.span(first, first + end - start)


RULE = Rule(
    "HP502",
    __doc__,
    check=check,
    bad="""import { jsx } from 'react/jsx-runtime'
const Chip = () => jsx('span', { style: { color: '#cccccc' }, children: 'idle' })
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'chip', area: 'statusBar.left', render: () => jsx(Chip, {}) }) }
}
""",
    good="""import { jsx } from 'react/jsx-runtime'
const Chip = () => jsx('span', { style: { color: 'var(--ui-text-secondary)' }, children: 'idle' })
export default {
  id: 'demo',
  register(ctx) { ctx.register({ id: 'chip', area: 'statusBar.left', render: () => jsx(Chip, {}) }) }
}
""",
)
