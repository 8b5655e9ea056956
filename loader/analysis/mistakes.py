"""What is wrong with the syntax, at the best place and in plain words."""

from __future__ import annotations

import json
import re

from loader.analysis.compiled import Compiled
from loader.analysis.judge import Judgement
from loader.analysis.syntax import Module
from loader.codes import finding
from loader.nouns import Diagnostic, Span

_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|svg|!--)", re.IGNORECASE)


def not_javascript(text: str, compiled: Compiled) -> Diagnostic | None:
    start = Span(1, 1, 1, 1)
    if not text.strip().strip("\0"):
        return finding("HP104", "the file is empty", span=start)
    if compiled.error is None:
        return None
    if _HTML.match(text):
        return finding("HP104", "this is an HTML page, not JavaScript", span=start)
    if text.lstrip()[:1] in "{[":
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return None
        return finding("HP104", "this is JSON, not JavaScript", span=start)
    return None


def explain(module: Module, compiled: Compiled, judgement: Judgement) -> tuple[Diagnostic, ...]:
    positions = module.tree.positions
    message = judgement.message or (compiled.error.message if compiled.error else "")
    line = judgement.line or (compiled.error.line if compiled.error else None) or 1
    code = "HP101"
    for node in module.tree.of_kind("jsx_element", "jsx_self_closing_element"):
        return (finding("HP102", "JSX is not compiled: use jsx()", span=module.head_span(node)),)
    if "type" in message:
        code = "HP103"
    return (finding(code, message, span=positions.span(positions.line_start(line), positions.line_end(line))),)
