"""Engine, model and judge together: does the text stand, and if not, what is wrong with it.

The engine's strict compile decides; where it or the model stumbles, esprima is asked. A text that the engine refuses
is let through with HP405 when esprima accepts it and the engine may only lack something that the app's engine has.
It is refused as well where engine and model do not name the same modules: an import that one of them cannot see must
not slip through.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from loader.analysis.compiled import Compiled, EngineError
from loader.analysis.early import early_errors, reserved_first_word
from loader.analysis.judge import JudgedImport, Judgement
from loader.analysis.nesting import is_too_deep
from loader.analysis.plain import plain_specifiers
from loader.analysis.set_patterns import wrong_set_pattern
from loader.analysis.syntax import GaveUp, Module
from loader.codes import finding
from loader.nouns import Diagnostic, ImportRef, Span
from loader.settings import AnalysisSettings

Judge = Callable[[str], Judgement]
_DEEP = re.compile(r"\b(?:deep|deeply|depth|stack)\b")
# What the engine of the sandbox does not know although the app's engine does; judged without esprima's help only
# where esprima cannot run.
_REGEX_GAPS = (
    "invalid group",
    "duplicate group name",
    "too many captures",
    "invalid class range",
    "nothing to repeat",
)
# A field called `prototype`, a loop with several labels, a class's name taken for a parameter's, a template in the
# head of a loop, limits of its own.
_OTHER_GAPS = (
    "invalid field name",
    "break/continue label not found",
    "Duplicate parameter name",
    "expected 'of' or 'in'",
    "too many ",
    "Too many ",
)
# Of these it knows all: seen over 40,000 odd texts beside Chromium, where esprima accepts what it refuses so.
_RIGHT_ABOUT = (
    "unexpected token in expression",
    "invalid destructuring target",
    "invalid export syntax",
    "expecting ",
    "Unexpected token",
    "class declarations can't",
    "Unexpected end of input",
    "unexpected end of regexp",
)
# What it misreads and says anything of: a parameter called `async` without brackets, and `import` in front of a line
# end of the two that nobody types.
_MISREAD = re.compile(
    r"(?<![\w$.#])(?:async(?>\s+|/\*.*?\*/)*+=>|import(?>[ \t]+|/\*.*?\*/)*+[\u2028\u2029])", re.DOTALL
)
# What the app's engine leaves to the moment when it runs, where a plain call is assigned to (see leniency.py).
_ASSIGNED = ("invalid assignment left-hand side", "invalid increment/decrement operand", "invalid for in/of left")
_GAPS = (*_REGEX_GAPS, *_ASSIGNED, *_OTHER_GAPS)
_LATER_CHECK = "The static check passed; only the rehearsal is left out."


@dataclass(frozen=True, slots=True)
class Decision:
    """``findings`` of severity error end the check. ``imports`` replaces the model's list where that is unsure.

    ``model_is_sure`` is false when the grammar stumbled over valid syntax: rules that look at more than imports
    would then see things that are not there.
    """

    findings: tuple[Diagnostic, ...] = ()
    imports: tuple[ImportRef, ...] | None = None
    model_is_sure: bool = True
    quick: bool = False
    """By a look at a few places alone: who walks the whole tree afterwards compares once more (`still_holds`)."""

    @property
    def refused(self) -> bool:
        return any(one.severity == "error" for one in self.findings)


def decide(module: Module, compiled: Compiled, settings: AnalysisSettings, judge: Judge) -> Decision:
    """Steps 3 to 5 of the analysis (docs/architecture.md) on a text that is some kind of code."""
    accepted = compiled.specifiers if compiled.gave_up is None and compiled.error is None else None
    if accepted is not None:
        passed_over = reserved_first_word(module.parsed) or wrong_set_pattern(module, judge)
        if passed_over is not None:
            return Decision((passed_over,))
        if plain_specifiers(module.parsed) == frozenset(accepted):
            return Decision(quick=True)
    return decide_thoroughly(module, compiled, settings, judge)


def still_holds(decision: Decision, module: Module, compiled: Compiled) -> bool:
    """Whether the whole model names the modules that a quick decision went by."""
    if not decision.quick:
        return True
    return {(one.kind == "dynamic", one.specifier) for one in module.imports} == {
        (False, specifier) for specifier in compiled.specifiers or ()
    }


def decide_thoroughly(module: Module, compiled: Compiled, settings: AnalysisSettings, judge: Judge) -> Decision:
    """As `decide`, by the whole model."""
    if is_too_deep(module.tree):
        return Decision((_too_deep(module),))
    if compiled.gave_up is not None or (compiled.specifiers is None and compiled.error is None):
        return _undecided(module, compiled, judge)
    if compiled.error is not None:
        return _engine_refused(module, compiled, compiled.error, judge)
    return _engine_accepted(module, compiled, compiled.specifiers or (), judge)


def _engine_accepted(module: Module, compiled: Compiled, specifiers: tuple[str, ...], judge: Judge) -> Decision:
    try:
        early = early_errors(module)
    except GaveUp:
        return Decision((_too_deep(module),))
    if early:
        return Decision(early)
    if not module.has_error:
        return _compared(module, specifiers, None)
    judgement = judge(module.text)
    if judgement.accepted is False and "using" in module.text:
        # Neither the grammar nor the judge knows it everywhere; the engine does.
        from loader.analysis.leniency import without_using

        readable = without_using(module.text)
        judgement = judge(readable) if readable is not None else judgement
    if judgement.accepted is False:
        return _refused(module, compiled, judgement)
    if judgement.accepted is None:
        return _unsure_and_unjudged(module, specifiers)
    return _compared(module, specifiers, judgement.imports)


def _engine_refused(module: Module, compiled: Compiled, error: EngineError, judge: Judge) -> Decision:
    first = judgement = judge(module.text)
    if first.accepted is False:
        judgement = _judged_kindly(module, error, first, judge)
    lacks = finding(
        "HP405",
        f"the sandbox's engine does not know this syntax yet ({error.message})",
        span=_line_span(module, error.line),
        hint=_LATER_CHECK,
    )
    if judgement.accepted and _is_lacking(module, error.message):
        decision = _compared(module, None, judgement.imports)
        later = () if first.accepted else _thrown_later(module, compiled, first)
        if later:
            lacks = replace(lacks, span=later[0].span)
        return Decision((*decision.findings, *later, lacks), decision.imports, decision.model_is_sure)
    if judgement.accepted is None and not module.has_error and _is_known_gap(module, error.message, judge):
        return Decision((lacks,))
    return _refused(module, compiled, judgement)


def _is_lacking(module: Module, message: str) -> bool:
    """Whether the engine, which is alone in refusing the text, may only lack something that the app's engine has."""
    # What it is known to lack may make the grammar stumble as well: assigned calls, an expression behind an import.
    known = message.startswith(_GAPS) or _MISREAD.search(module.text) is not None
    return known or not (module.has_error or message.startswith(_RIGHT_ABOUT))


def _judged_kindly(module: Module, error: EngineError, first: Judgement, judge: Judge) -> Judgement:
    """What esprima, which refused the text, says of it with what it does not know written otherwise."""
    from loader.analysis.leniency import with_calls_assigned, without_using  # hardly ever needed

    if error.message.startswith(_ASSIGNED):
        judged = with_calls_assigned(module.text, first, judge)
        return judged if judged is not None and judged.accepted else first
    text = None if module.has_error else without_using(module.text)
    if text is None:
        return first
    judged = judge(text)
    if judged.accepted and not error.message.startswith(_REGEX_GAPS):
        # The engine knows `using`: it is right. In its own words where they are about that.
        return Judgement(None, gave_up="it does not know `using`") if "using" in error.message else first
    return judged


def _thrown_later(module: Module, compiled: Compiled, first: Judgement) -> tuple[Diagnostic, ...]:
    """What the judge refused and the app's engine leaves to the moment when it runs."""
    if not first.message.startswith("Invalid left-hand side"):
        return ()
    return tuple(
        replace(one, severity="warning", message=f"{one.message}: the app loads the file, and throws when it runs this")
        for one in _refused(module, compiled, first).findings
    )


def _undecided(module: Module, compiled: Compiled, judge: Judge) -> Decision:
    reason = compiled.gave_up or "the engine gave no answer"
    judgement = judge(module.text)
    if judgement.accepted is False:
        return _refused(module, compiled, judgement)
    if judgement.accepted is None:
        if _DEEP.search(reason) and not module.has_error:
            note = finding("HP405", f"not rehearsed: {reason}", hint=_LATER_CHECK)
            return Decision((note,))
        return Decision((gave_up(reason),))
    decision = _compared(module, None, judgement.imports)
    note = finding("HP405", f"not rehearsed: {reason}", hint=_LATER_CHECK)
    return Decision((*decision.findings, note), decision.imports, decision.model_is_sure)


def gave_up(reason: str) -> Diagnostic:
    return finding(
        "HP106",
        f"the analysis gave up: {reason}",
        hint="Nothing is said about the code itself. Make the file smaller, or save again to retry.",
    )


def _refused(module: Module, compiled: Compiled, judgement: Judgement) -> Decision:
    from loader.analysis.mistakes.explain import explain  # most texts parse, and a worker starts faster without it

    return Decision(explain(module, compiled, judgement))


def _too_deep(module: Module) -> Diagnostic:
    deepest = module.tree.deepest
    return finding(
        "HP105",
        "the code is nested more deeply than the app's engine takes",
        span=Span(*(place := module.tree.positions.place(module.tree.starts[deepest])), *place),
        hint="Build such data in a loop, or parse it with JSON.parse.",
    )


def _line_span(module: Module, line: int | None) -> Span | None:
    if line is None:
        return None
    positions = module.tree.positions
    text = positions.line_text(line)
    start = positions.line_start(line) + len(text[: len(text) - len(text.lstrip())].encode())
    return positions.span(start, positions.line_end(line))


# ---------------------------------------------------------------- which modules are asked for


def _compared(module: Module, engine: tuple[str, ...] | None, judged: tuple[JudgedImport, ...] | None) -> Decision:
    """Every list at hand must name the same modules; judged lists also count the dynamic imports."""
    model = Counter((one.kind == "dynamic", one.specifier) for one in module.imports)
    sure = not module.has_error
    imports: tuple[ImportRef, ...] | None = None
    if judged is not None:
        other = Counter((one.kind == "dynamic", one.specifier) for one in judged)
        if set(other) != set(model):
            if sure:
                return _differ(module, "the second parser", _texts(other), _texts(model))
            # The grammar stumbled over valid syntax: the parser that understood all of it is right.
            imports = _refs(module, judged)
            model = other
    if engine is not None:
        static = {specifier for dynamic, specifier in model if not dynamic and specifier is not None}
        if set(engine) != static:
            return _differ(module, "the engine", set(engine), static)
    return Decision(imports=imports, model_is_sure=sure)


def _texts(counted: Iterable[tuple[bool, str | None]]) -> set[str]:
    return {specifier if specifier is not None else "<computed>" for _, specifier in counted}


def _differ(module: Module, who: str, theirs: set[str], ours: set[str]) -> Decision:
    only_theirs, only_ours = sorted(theirs - ours), sorted(ours - theirs)
    parts = []
    if only_theirs:
        parts.append(f"{who} alone sees {', '.join(f'`{name[:80]}`' for name in only_theirs[:5])}")
    if only_ours:
        parts.append(f"the model alone sees {', '.join(f'`{name[:80]}`' for name in only_ours[:5])}")
    if not parts:
        parts.append("they see them in different places")
    span = next((one.span for one in module.imports if one.specifier in only_ours), None)
    return Decision(
        (
            finding(
                "HP101",
                f"the parsers do not agree on what this file imports: {'; '.join(parts)}",
                span=span or Span(1, 1, 1, 1),
                hint="Write the imports plainly, one on a line, at the top of the file.",
            ),
        )
    )


def _refs(module: Module, judged: tuple[JudgedImport, ...]) -> tuple[ImportRef, ...]:
    positions = module.tree.positions
    refs = []
    for one in judged:
        start, end = positions.byte_of_character(one.start), positions.byte_of_character(one.end)
        refs.append(
            ImportRef(
                one.specifier, one.kind, positions.offset(start), positions.offset(end), positions.span(start, end)
            )
        )
    return tuple(refs)


_IMPORT_CALL = re.compile(rb"\bimport\s*(?:/[/*]|\()")
_INERT = frozenset({"comment", "html_comment", "string", "string_fragment", "template_string", "regex_pattern"})


def _unsure_and_unjudged(module: Module, engine: tuple[str, ...]) -> Decision:
    """A file too large for esprima over whose valid syntax the grammar stumbled.

    The engine's list of static imports holds. A dynamic one could hide where the grammar lost its way, so each text
    that could begin one must be accounted for.
    """
    tree = module.tree
    seen = {tree.starts[request.statement] for request in module.record.requests}
    for match in _IMPORT_CALL.finditer(tree.data):
        around = tree.raw_root.descendant_for_byte_range(match.start(), match.start() + 6)
        if match.start() not in seen and (around is None or around.type not in _INERT):
            reason = "the file is too large for the second parser, and the first stumbled over a part of it"
            return Decision((gave_up(reason),))
    decision = _compared(module, engine, None)
    return Decision(decision.findings, decision.imports, model_is_sure=False)


def _is_known_gap(module: Module, message: str, judge: Judge) -> bool:
    """Whether the engine's complaint is about regular expressions that esprima, asked for those alone, finds valid."""
    if not message.startswith(_REGEX_GAPS):
        return False
    literals = {module.tree.raw(node) for node in module.tree.of_kind("regex")}
    return judge(";".join(f"({literal})" for literal in sorted(literals))).accepted is True


def with_settings(settings: AnalysisSettings) -> Judge:
    """The judge within the settings' bounds."""
    from loader.analysis.judge import judge

    return lambda text: judge(text, limit_bytes=settings.esprima_limit_bytes, deadline_s=settings.esprima_deadline_s)
