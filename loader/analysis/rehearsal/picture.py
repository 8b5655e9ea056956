"""A drawn contribution as safe HTML (for the workbench) and as an indented text wireframe (for a terminal).

Trees come from the sandbox and hold what a plugin wrote. Nothing of it is trusted: every text is escaped, elements and
attributes are on a list, addresses and scripts are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

MOST_HTML_CHARACTERS = 200_000
MOST_LINES = 200
MOST_LINE_CHARACTERS = 160


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_TAGS = _words(
    """
    a abbr article aside b blockquote br button caption code col colgroup dd del details dfn div dl dt em fieldset
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li main mark meter nav ol
    optgroup option output p pre progress q s samp section select small span strong sub summary sup table tbody td
    textarea tfoot th thead time tr u ul var svg g path circle ellipse rect line polyline polygon text tspan defs
    canvas
    """
)
_VOID = frozenset({"br", "hr", "img", "input", "col"})
_ATTRIBUTES = _words(
    """
    class style title role type value checked disabled placeholder selected readonly multiple alt dir lang colspan
    rowspan min max step width height open for d viewbox fill stroke stroke-width stroke-linecap stroke-linejoin cx
    cy r rx ry x y x1 x2 y1 y2 points transform opacity fill-rule clip-rule text-anchor
    """
)
# A style may position and colour; it may not load, script or escape its own frame.
_STYLE_REFUSED = re.compile(r"url\s*\(|expression|@import|javascript:|\\|position\s*:\s*fixed|<", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9:-]{0,40}\Z")


def to_html(tree: Any) -> str:
    """The tree as markup that is safe to insert anywhere: no script, no handler, no address, no id."""
    parts: list[str] = []
    _write_markup(tree, parts, MOST_HTML_CHARACTERS, 0)
    return "".join(parts)


def _write_markup(node: Any, parts: list[str], left: int, depth: int) -> int:
    """Append the node's markup; returns how many characters are left. What does not fit is left out whole."""
    if isinstance(node, str | int | float):
        text = html.escape(str(node))
        parts.append(text if len(text) <= left else "…")
        return left - len(text)
    if not isinstance(node, dict) or depth > 250 or left <= 0:
        return left
    tag = str(node.get("type", "")).lower()
    if tag in ("#html", "#cut"):
        parts.append(f'<span data-left-out="{tag[1:]}">…</span>')
        return left - len(parts[-1])
    known = tag if tag in _TAGS else "div"
    attributes = "".join(_attributes(node.get("props")))
    if known != tag and _NAME.match(tag):
        attributes += f' data-tag="{html.escape(tag)}"'
    parts.append(f"<{known}{attributes}>")
    left -= len(parts[-1])
    if known in _VOID:
        return left
    for child in _children(node):
        left = _write_markup(child, parts, left, depth + 1)
    parts.append(f"</{known}>")
    return left - len(parts[-1])


def _attributes(props: Any) -> Iterator[str]:
    if not isinstance(props, dict):
        return
    for name, value in props.items():
        lower = str(name).lower()
        if lower == "classname":
            lower = "class"
        listed = lower in _ATTRIBUTES or (lower.startswith(("aria-", "data-")) and _NAME.match(lower))
        if not listed or value is False or value is None:
            continue
        text = (
            ""
            if value is True and not lower.startswith(("aria-", "data-"))
            else str(value).lower()
            if value is True
            else str(value)
        )
        if lower == "style" and _STYLE_REFUSED.search(text):
            continue
        yield f' {lower}="{html.escape(text, quote=True)}"'


def _children(node: dict[str, Any]) -> list[Any]:
    children = node.get("children")
    return children if isinstance(children, list) else []


# ---------------------------------------------------------------- wireframe

_INLINE = _words(
    """
    a abbr b code em i kbd label mark q s samp small span strong sub sup time u var output
    """
)
_SECTIONS = _words(
    """
    nav header footer aside section article main form fieldset figure details dialog table
    """
)
_FLEX_ROW = re.compile(r"(?:^|\s)(?:inline-)?flex(?:\s|$)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def to_wireframe(tree: Any) -> str:
    """The tree as lines a person recognises: `[ Save ]` is a button, `[____]` an input, `# Title` a heading."""
    lines: list[str] = []
    _Wireframe(lines).block(tree, 0)
    shown = [line.rstrip() for line in lines if line.strip()]
    if len(shown) > MOST_LINES:
        shown = [*shown[:MOST_LINES], f"… {len(shown) - MOST_LINES} more lines"]
    return "\n".join(
        line if len(line) <= MOST_LINE_CHARACTERS else line[: MOST_LINE_CHARACTERS - 1] + "…" for line in shown
    )


class _Wireframe:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def block(self, node: Any, indent: int) -> None:
        if len(self._lines) > MOST_LINES * 2 or indent > 100:
            return
        word = _word(node)
        if word is not None:
            self._say(indent, word)
            return
        tag, props, children = node["type"], _props(node), _children(node)
        if re.fullmatch(r"h[1-6]", tag):
            self._say(indent, "#" * int(tag[1]) + " " + _inline(children))
        elif tag == "li":
            self._item(children, indent)
        elif tag == "tr":
            self._say(indent, " | ".join(_inline([cell]) for cell in children))
        elif _is_row(props) and all(_flat(child) for child in children):
            self._say(indent, "  ".join(part for part in map(_inline, _words_together(children)) if part))
        elif tag == "p" and all(_flat(child) for child in children):
            self._say(indent, _inline(children))
        else:
            label = _label(tag, props)
            if label:
                self._say(indent, label)
            inner = indent + 1 if label else indent
            if _is_column(props):
                for child in children:
                    self.block(child, inner)
            else:
                self._flow(children, inner)

    def _flow(self, children: list[Any], indent: int) -> None:
        """Runs of inline children share a line; each block child begins its own."""
        run: list[Any] = []
        for child in children:
            if _is_inline(child):
                run.append(child)
                continue
            self._say(indent, _inline(run))
            run = []
            self.block(child, indent)
        self._say(indent, _inline(run))

    def _item(self, children: list[Any], indent: int) -> None:
        if all(_flat(child) for child in children):
            self._say(indent, "- " + _inline(children))
        else:
            self._say(indent, "-")
            self._flow(children, indent + 1)

    def _say(self, indent: int, text: str) -> None:
        if text.strip():
            self._lines.append("  " * indent + text.strip())


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", _CONTROL.sub(" ", text))


def _props(node: dict[str, Any]) -> dict[str, Any]:
    props = node.get("props")
    return props if isinstance(props, dict) else {}


def _ui(props: dict[str, Any]) -> str:
    return str(props.get("data-ui", ""))


def _word(node: Any) -> str | None:
    """A thing that is one word on its line: text, a control, an icon, a drawing. None: look inside."""
    if isinstance(node, str | int | float):
        return _clean(str(node))
    if not isinstance(node, dict):
        return ""
    tag, props = str(node.get("type", "")), _props(node)
    role = props.get("role")
    if tag == "button" and role not in ("switch", "checkbox", "tab"):
        return f"[ {_inline(_children(node)) or _clean(str(props.get('aria-label') or props.get('title') or ''))} ]"
    if role == "switch" or (tag == "button" and role == "checkbox"):
        on = props.get("aria-checked") in (True, "true") or props.get("checked") is True
        label = _inline(_children(node)) or _clean(str(props.get("aria-label") or ""))
        return f"({'on' if on else 'off'}) {label}".strip()
    if role == "tab":
        return f"/ {_inline(_children(node))} \\"
    if tag == "input":
        return _input(props)
    if tag in ("textarea", "select"):
        shown = props.get("value") or props.get("placeholder") or ""
        options = [_inline(_children(child)) for child in _children(node) if isinstance(child, dict)]
        return f"[{_clean(str(shown or (options[0] if options else '')))}{' v' if tag == 'select' else '_____'}]"
    if tag == "img":
        return f"(image{': ' + _clean(str(props['alt'])) if props.get('alt') else ''})"
    if props.get("data-codicon"):
        return f":{_clean(str(props['data-codicon']))}:"
    if tag in ("svg", "canvas", "video", "iframe"):
        return f"({'drawing' if tag == 'svg' else tag})"
    if tag == "hr":
        return "----"
    if tag == "br":
        return ""
    if tag in ("#html", "#cut"):
        return "(markup)" if tag == "#html" else "…"
    if tag in ("progress", "meter"):
        return f"[=== {_clean(str(props.get('value', '')))}]"
    return None


def _input(props: dict[str, Any]) -> str:
    kind = props.get("type", "text")
    if kind in ("checkbox", "radio"):
        mark = "x" if props.get("checked") in (True, "true") else " "
        return f"[{mark}]" if kind == "checkbox" else f"({mark})"
    shown = props.get("value") or props.get("placeholder") or ""
    return f"[{_clean(str(shown))}____]"


def _inline(nodes: list[Any], depth: int = 0) -> str:
    parts: list[str] = []
    for node in nodes:
        word = _word(node)
        if word is None and depth < 60:
            word = _inline(_children(node), depth + 1)
            if node.get("type") == "a":
                word = f"<{word}>" if word else ""
            if not _is_inline(node) and parts:
                word = " " + word + " "
        parts.append(word or "")
    # Words that are controls need air; plain text keeps its own spacing.
    text = ""
    for node, part in zip(nodes, parts, strict=True):
        glued = isinstance(node, str | int | float) or not text or text.endswith(" ")
        text += part if glued or _is_text_only(node) else " " + part
    return _clean(text).strip()


def _is_text_only(node: Any) -> bool:
    return isinstance(node, dict) and _word(node) is None and node.get("type") in _INLINE


def _is_inline(node: Any) -> bool:
    if not isinstance(node, dict):
        return True
    return node.get("type") in _INLINE or (_word(node) is not None and node.get("type") != "hr")


def _flat(node: Any, depth: int = 0) -> bool:
    """True when the node fits on one line."""
    if _is_inline(node):
        return depth < 20 and (not isinstance(node, dict) or all(_flat(child, depth + 1) for child in _children(node)))
    children = _children(node)
    return (
        depth < 20
        and node["type"] in ("div", "p")
        and len(children) <= 1
        and all(_flat(child, depth + 1) for child in children)
    )


def _words_together(children: list[Any]) -> list[list[Any]]:
    """Neighbouring texts are one phrase, each other child stands for itself."""
    groups: list[list[Any]] = []
    for child in children:
        text = not isinstance(child, dict)
        if text and groups and not isinstance(groups[-1][-1], dict):
            groups[-1].append(child)
        else:
            groups.append([child])
    return groups


def _is_row(props: dict[str, Any]) -> bool:
    style, classes = str(props.get("style", "")).replace(" ", ""), str(props.get("class", ""))
    if "flex" in style:
        return "column" not in style
    if _FLEX_ROW.search(classes):
        return "flex-col" not in classes
    return False


def _is_column(props: dict[str, Any]) -> bool:
    style, classes = str(props.get("style", "")).replace(" ", ""), str(props.get("class", ""))
    return "column" in style or "flex-col" in classes


def _label(tag: str, props: dict[str, Any]) -> str:
    ui = _ui(props)
    named = _clean(str(props.get("aria-label") or props.get("title") or "")).strip()
    if ui:
        return f"{ui}{' ' + repr(named) if named else ''}:"
    if tag in _SECTIONS:
        return f"{tag}{' ' + repr(named) if named else ''}:"
    return ""
