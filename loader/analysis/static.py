"""The static check of one text: compile result, model, rules; steps 2 to 6 of the analysis."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from loader.analysis.compiled import Compiled
from loader.analysis.decide import Judge, decide, decide_thoroughly, gave_up, still_holds, with_settings
from loader.analysis.mistakes import not_javascript
from loader.analysis.registry import RULES
from loader.analysis.rule import Rule, Subject
from loader.analysis.suppressions import read_suppressions
from loader.analysis.surface import Surface, shipped_surface
from loader.analysis.syntax import GaveUp, Module, parse, value_of
from loader.analysis.syntax.tree import collector_paused
from loader.codes import CODES, finding
from loader.nouns import Diagnostic, Identity, ImportRef, Suppression
from loader.settings import AnalysisSettings

log = logging.getLogger(__name__)

_REASONS = {
    "time": "parsing took too long",
    "memory": "the syntax tree needs more memory than a plugin may use",
}
# Parsing may use this share of the static deadline; the rest is for the judge and the rules.
_PARSE_SHARE = 0.6
# What only looks at imports holds also where the grammar stumbled over valid syntax.
_IMPORT_RULES = frozenset({"HP201", "HP202", "HP203", "HP204", "HP205", "HP206", "HP208", "HP209"})


NO_IDENTITY = Identity()


@dataclass(frozen=True, slots=True)
class StaticResult:
    """What the text alone tells. ``findings`` are sorted by place, each once, suppressions not applied.

    ``imports`` is empty for a text that does not parse. ``identity`` holds only what is certain. ``module`` is None
    when there is no model (no JavaScript, or the analysis gave up).
    """

    imports: tuple[ImportRef, ...] = ()
    identity: Identity = NO_IDENTITY
    findings: tuple[Diagnostic, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    module: Module | None = None

    @property
    def ok(self) -> bool:
        return not any(one.severity == "error" for one in self.findings)

    @property
    def imported_names(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """For each specifier of a static import or re-export, the names taken from it by name, in order."""
        found: dict[str, dict[str, None]] = {}
        for request in self.module.record.static if self.module is not None else ():
            names = found.setdefault(request.specifier or "", {})
            names.update((name.imported, None) for name in request.names if name.imported != "*")
        return tuple((specifier, tuple(names)) for specifier, names in found.items())


def check_text(
    text: str,
    compiled: Compiled,
    settings: AnalysisSettings,
    *,
    parsed: Callable[[], Module] | None = None,
    judge: Judge | None = None,
    surface: Surface | None = None,
) -> StaticResult:
    """Check a plugin's text (without its byte order mark). Pure but for time; never raises for what the text holds.

    ``parsed`` gives the model of that very text, where it was made already (``loader.analysis.reading``).
    """
    with collector_paused():
        parsed = parsed or partial(parse_within, text, settings)
        return _check(text, compiled, settings, parsed, judge or with_settings(settings), surface or shipped_surface())


def parse_within(text: str, settings: AnalysisSettings) -> Module:
    """The model, within the parser's share of the time. Raises GaveUp."""
    return parse(text, deadline_s=settings.static_deadline_s * _PARSE_SHARE)


def _check(
    text: str,
    compiled: Compiled,
    settings: AnalysisSettings,
    parsed: Callable[[], Module],
    judge: Judge,
    surface: Surface,
) -> StaticResult:
    foreign = not_javascript(text, compiled)
    if foreign is not None:
        return StaticResult(findings=(foreign,))
    try:
        module = parsed()
    except GaveUp as reason:
        return StaticResult(findings=(gave_up(_REASONS[str(reason)]),))
    decision = decide(module, compiled, settings, judge)
    if not still_holds(decision, module, compiled):
        decision = decide_thoroughly(module, compiled, settings, judge)
    if decision.refused:
        return StaticResult(findings=_sorted(decision.findings), suppressions=read_suppressions(module), module=module)
    imports = module.imports if decision.imports is None else decision.imports
    surface = surface.with_exports(settings.sdk_exports)
    subject = Subject(module, surface, settings, imports)
    try:
        found = _run_rules(subject, only_imports=not decision.model_is_sure)
        identity = _identity(module) if decision.model_is_sure else NO_IDENTITY
    except GaveUp:
        return StaticResult(findings=(finding("HP105", "the code is nested more deeply than the app's engine takes"),))
    return StaticResult(
        imports=imports,
        identity=identity,
        findings=_sorted((*decision.findings, *found)),
        suppressions=read_suppressions(module),
        module=module,
    )


def _run_rules(subject: Subject, *, only_imports: bool, rules: tuple[Rule, ...] = RULES) -> list[Diagnostic]:
    found = []
    for rule in rules:
        if rule.check is None or (only_imports and rule.code not in _IMPORT_RULES):
            continue
        try:
            found += [one.under(rule.code) for one in rule.check(subject)]
        except GaveUp:
            raise
        except Exception as error:  # a rule's own defect must neither silence the other rules nor end the analysis
            log.exception("the rule %s failed", rule.code)
            found.append(_left_out(rule, error))
    return found


def _left_out(rule: Rule, error: Exception) -> Diagnostic:
    """A rule that may refuse has not looked, so nobody can say that the file is fine; one that warns is only missed."""
    refuses = CODES[rule.code].severity == "error"
    return finding(
        "HP106",
        f"the rule {rule.code} failed on this file ({type(error).__name__}), which is our defect and not the plugin's",
        hint="Report it with the file; the other rules have looked.",
        severity="error" if refuses else "info",
    )


def _identity(module: Module) -> Identity:
    """What the default export surely says of itself."""
    properties = module.plugin.properties

    def text_of(key: str) -> str | None:
        found = properties.get(key)
        if found is None or not found.certain or found.form != "value":
            return None
        return value_of(module.tree, module.scopes, found.value).string

    enabled = properties.get("defaultEnabled")
    default_enabled = True
    if enabled is not None and enabled.certain and enabled.form == "value" and enabled.value is not None:
        default_enabled = module.tree.kind(module.tree.unwrapped(enabled.value)) != "false"
    said = properties.get("id")
    id_span = module.span(said.value) if said is not None and said.value is not None and said.form == "value" else None
    return Identity(text_of("id"), text_of("name"), text_of("description"), default_enabled, id_span=id_span)


def _sorted(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=lambda one: one.sort_key))
