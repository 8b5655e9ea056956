"""Findings and suggestions in the words of the protocol: diagnostics, hovers, quick fixes, completion items. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from loader.analysis.registry import BY_CODE
from loader.analysis.surface import Surface
from loader.edits import with_fixes
from loader.language_server.checks import Checked
from loader.language_server.completing import Kind, suggestions
from loader.language_server.page import Page
from loader.nouns import Diagnostic, Edit, Severity
from loader.reports.rule_page import rule_json

SOURCE = "hermes-desktop"
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.hermes-desktop"

_SEVERITIES: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_KINDS: dict[Kind, types.CompletionItemKind] = {
    "function": types.CompletionItemKind.Function,
    "class": types.CompletionItemKind.Class,
    "constant": types.CompletionItemKind.Constant,
    "value": types.CompletionItemKind.Value,
    "module": types.CompletionItemKind.Module,
}
_UNNECESSARY = frozenset({"HP509", "HP520"})


def diagnostic(checked: Checked, found: Diagnostic) -> types.Diagnostic:
    """The hint stands below the message: many editors show nothing else of a finding."""
    return types.Diagnostic(
        range=checked.page.range(found.span),
        message=f"{found.message}\n{found.hint}" if found.hint else found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if found.code in _UNNECESSARY else None,
    )


def hover(checked: Checked, position: types.Position) -> types.Hover | None:
    """The rules behind the findings at a position, each once."""
    here = [found for found in checked.findings if found.span and _holds(checked.page.range(found.span), position)]
    if not here:
        return None
    parts = [_explained(found) for found in {found.code: found for found in here}.values()]
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)),
        checked.page.range(here[0].span),
    )


def _explained(found: Diagnostic) -> str:
    head = f"**{found.code} {found.rule}** ({found.severity})"
    rule = BY_CODE.get(found.code)
    if rule is None:
        return head
    told = rule_json(rule)
    good = f"\n\nGood:\n\n```js\n{rule.good.rstrip()}\n```" if rule.shown_by_text and "```" not in rule.good else ""
    return f"{head}\n\n{told['paragraph']}{good}"


def code_actions(checked: Checked, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Quick fixes of the findings that the range touches, and all fixes that go together where that is asked for."""
    only = params.context.only
    actions = []
    if _wanted(types.CodeActionKind.QuickFix.value, only):
        actions += [
            types.CodeAction(
                title=found.fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic(checked, found)],
                is_preferred=True,
                edit=_edit(checked, found.fix.edits),
            )
            for found in checked.findings
            if found.fix and _touch(checked.page.range(found.span), params.range)
        ]
    # Unasked for it would stand in the menu of every line.
    if only is not None and _wanted(FIX_ALL, only):
        fixes = [found.fix for found in checked.findings if found.fix]
        _, taken = with_fixes(checked.page.source, fixes)
        edits = dict.fromkeys(edit for fix in taken for edit in fix.edits)
        if edits:
            actions.append(
                types.CodeAction(
                    title="Apply all safe fixes (hermes-desktop)", kind=FIX_ALL, edit=_edit(checked, tuple(edits))
                )
            )
    return actions


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Kinds are trees of dotted names; asking for one asks for all below it."""
    if only is None:
        return True
    asked = [one.value if isinstance(one, types.CodeActionKind) else one for one in only]
    return any(one == "" or kind == one or kind.startswith(f"{one}.") for one in asked)


def _edit(checked: Checked, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    page = checked.page
    texts = [types.TextEdit(page.range_of_offsets(edit.start, edit.end), edit.text) for edit in edits]
    return types.WorkspaceEdit(changes={checked.document.uri: texts})


def completion(page: Page, position: types.Position, surface: Surface) -> types.CompletionList:
    index = page.index_at(position)
    found = suggestions(page.text, index, surface)
    items = [
        types.CompletionItem(
            label=one.label,
            kind=_KINDS[one.kind],
            detail=one.detail,
            sort_text=f"{one.rank} {one.label.casefold()}",
            filter_text=one.label,
            # Ids hold dots and dollars, which editors take for the ends of words: the range is said.
            text_edit=types.TextEdit(types.Range(page.position(index - len(one.typed)), position), one.label),
        )
        for one in found
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def _holds(place: types.Range, position: types.Position) -> bool:
    return _order(place.start) <= _order(position) <= _order(place.end)


def _touch(one: types.Range, other: types.Range) -> bool:
    return _order(one.start) <= _order(other.end) and _order(other.start) <= _order(one.end)


def _order(position: types.Position) -> tuple[int, int]:
    return (position.line, position.character)
