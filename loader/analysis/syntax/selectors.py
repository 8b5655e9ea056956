"""Look-ups in the document by a selector whose names the file itself gives to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.syntax.module import Module, Node

_QUERIES = {
    "global.document.querySelector": "",
    "global.document.querySelectorAll": "",
    "global.document.body.querySelector": "",
    "global.document.body.querySelectorAll": "",
    "global.document.documentElement.querySelector": "",
    "global.document.getElementsByClassName": ".",
}
# Every page has these, and asking for them is no reaching.
_EVERYWHERE = frozenset({"body", "canvas", "head", "html", "svg", "root"})
_IN_THE_HEAD = frozenset({"base", "link", "meta", "script", "style", "title"})
_NAMED = re.compile(
    r"\.(?P<name>-?[A-Za-z_][\w-]*)|#(?P<id>[\w-]+)"
    r"|\[\s*(?P<attribute>[A-Za-z_][\w:-]*)\s*(?:[~|^$*]?=\s*(?P<quote>[\"']?)(?P<value>[^\"'\]]*)(?P=quote)\s*[is]?\s*)?\]"
    r"|(?P<pseudo>::?[\w-]+(?:\([^()]*\))?)"
    r"|(?P<tag>[A-Za-z][\w-]*)"
)
_WORDS = re.compile(r"[A-Za-z_][\w-]*")
_TEXTS = ("string", "template_string", "property_identifier", "shorthand_property_identifier")
_SELECTOR_LIMIT = 500


def foreign_selectors(module: Module) -> Iterator[tuple[Node, str]]:
    """Every look-up in the whole document for something that the file does not create: the argument and its text.

    A selector counts as the file's own as soon as one of its names appears in any other text or key of the file.
    """
    asked = []
    for path, prefix in _QUERIES.items():
        for call in module.calls_to(path):
            # A constant is a name that the file gave to something of its own.
            selector = module.tree.literal(call.arguments[0]) if call.arguments else None
            if selector and len(selector) <= _SELECTOR_LIMIT:
                # A list of classes is no selector, but is read like one.
                shown = prefix + selector.strip().replace(" ", prefix) if prefix else selector
                asked.append((call.arguments[0], shown))
    if not asked:
        return
    own = _own_words(module, [node for node, _ in asked])
    for node, selector in sorted(asked):
        if all(names and not names & own for names in map(_names, selector.split(","))):
            yield node, selector


def _names(selector: str) -> set[str] | None:
    """The names in a selector, None for one that every page answers, or that asks for an id.

    Ids are made up by whoever creates the element, and mostly by plugins (older ones of the same author, too).
    """
    found: set[str] = set()
    for match in _NAMED.finditer(selector):
        if match["id"]:
            return None
        if match["name"]:
            found.add(match["name"])
        elif match["attribute"]:
            found.add(match["attribute"])
            found |= set(_WORDS.findall(match["value"] or ""))
        elif match["tag"] and match["tag"].lower() in _IN_THE_HEAD:
            return None
        elif match["tag"] and match["tag"].lower() not in _EVERYWHERE:
            found.add(match["tag"].lower())
    return found or None


def _own_words(module: Module, arguments: list[Node]) -> set[str]:
    """All words of texts and keys outside the look-ups; ``boardRoot`` also as ``data-board-root``."""
    tree = module.tree
    left_out = {module.tree.unwrapped(node) for node in arguments}
    found: set[str] = set()
    for node in tree.of_kind(*_TEXTS):
        if node in left_out:
            continue
        raw = tree.raw(node)
        found.update(_WORDS.findall(raw))
        if tree.kind(node) == "property_identifier":
            found.add("data-" + re.sub(r"(?=[A-Z])", "-", raw).lower())
    return found
