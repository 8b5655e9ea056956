"""What a plugin registered: the record of each contribution, and whether its area can use it (HP407, HP408).

Judged only by what is known of each area; what is not known passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from loader.analysis.rehearsal.events import EventLog, place_in
from loader.analysis.rehearsal.picture import to_html, to_wireframe
from loader.analysis.surface import nearest, shipped_surface
from loader.codes import finding
from loader.nouns import Contribution, Diagnostic, Json, Span

# Made by host.openWorkspace, which names no area of its own.
_OWN_AREAS = frozenset({"workspace"})
_PLACEMENTS = ("main", "left", "right", "top", "bottom", "floating")
_DOCK_POSITIONS = ("top", "bottom", "left", "right", "center")
_ROUTE = re.compile(r"/[^/\s?#]+\Z")
_DEEP_ROUTE = re.compile(r"(?:/[^/\s?#]+){2,}\Z")
_DIRECTIVE = re.compile(r"[A-Za-z][\w-]*\Z")
# What other icon sets write around a name: `icon-home`, `HomeIcon`, `$(home)`.
_ICON_WORDS = re.compile(r"^(?:\$\(|codicon[- ]|icon-|fa-|lucide-|mdi-)|(?:-?icon|\))$", re.IGNORECASE)
_COMBO = re.compile(r"\S+\Z")
_MOST_FINDINGS = 60


@dataclass(frozen=True, slots=True)
class Registered:
    """One contribution as the driver told it. ``data`` is a bounded copy in which functions read "[function]"."""

    n: int
    id: str
    area: str
    via: str
    data: Any
    renders: bool
    title: str | None
    span: Span | None
    body: Mapping[str, Any]

    @property
    def label(self) -> str:
        return f"contribution `{self.id or '(no id)'}`"

    def has_function(self, name: str) -> bool:
        return isinstance(self.data, dict) and self.data.get(name) == "[function]"

    def text(self, name: str) -> str | None:
        value = self.data.get(name) if isinstance(self.data, dict) else None
        return value if isinstance(value, str) and value else None


def contributions_of(log: EventLog, plugin_id: str | None) -> tuple[tuple[Contribution, ...], tuple[Diagnostic, ...]]:
    """All contributions in order of registration (a later one of the same id replaces), and the findings about them."""
    registered = [_registered(body) for body in log.all("contribution")]
    trees = {body["n"]: body["tree"] for body in log.all("tree")}
    latest = {entry.id or f"#{entry.n}": entry for entry in registered}
    contributions = tuple(_contribution(entry, plugin_id or "", trees.get(entry.n)) for entry in latest.values())
    findings = [entry for item in registered for entry in _judged(item)]
    findings += _unreachable_routes(list(latest.values()))
    return contributions, tuple(_once_a_place(findings))[:_MOST_FINDINGS]


def _once_a_place(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Of what is only worth knowing one for each line of the file: a loop registers many alike."""
    told: list[Diagnostic] = []
    more: dict[Span | None, list[int]] = {}
    for one in findings:
        if one.severity == "info" and one.span is not None:
            where = more.setdefault(one.span, [len(told), 0])
            if where[0] < len(told):
                where[1] += 1
                continue
        told.append(one)
    for at, others in more.values():
        if others:
            told[at] = replace(told[at], message=f"{told[at].message} (so do {others} more from here)")
    return told


def _registered(body: Mapping[str, Any]) -> Registered:
    return Registered(
        n=int(body["n"]),
        id=str(body["id"]),
        area=str(body["area"]),
        via=str(body["via"]),
        data=body["data"],
        renders=body["render"] == "function",
        title=body["title"],
        span=place_in(body["stack"]),
        body=body,
    )


def _contribution(entry: Registered, plugin_id: str, tree: Any) -> Contribution:
    order = entry.body["order"]
    payload: dict[str, Json] = entry.data if isinstance(entry.data, dict) else {}
    return Contribution(
        area=entry.area,
        id=entry.id,
        scoped_id=f"{plugin_id}:{entry.id}",
        title=entry.title,
        order=float(order) if isinstance(order, int | float) else None,
        payload=payload,
        html=to_html(tree) if tree is not None else None,
        wireframe=to_wireframe(tree) if tree is not None else None,
    )


# ---------------------------------------------------------------- one contribution


def _judged(entry: Registered) -> Iterator[Diagnostic]:
    def invalid(message: str, hint: str | None = None) -> Diagnostic:
        return finding("HP407", message, span=entry.span, hint=hint)

    no_area = entry.body["area_type"] != "string" or not entry.area
    if no_area and not entry.id and entry.via == "ctx.register":
        yield invalid(
            "ctx.register got neither an `id` nor an `area`",
            "It takes one object: `ctx.register({ id: 'pane', area: PANES_AREA, render, data })`.",
        )
        return
    if entry.body["id_type"] not in ("string", "number") or not entry.id:
        yield invalid(f"a contribution to `{entry.area}` has no string `id`", "give each contribution an id of its own")
    elif entry.body["duplicate"] and entry.via in ("ctx.register", "ctx.registerMany"):
        yield finding(
            "HP408",
            f"the id `{entry.id}` is registered twice: the second replaces the first",
            span=entry.span,
            hint="give each contribution of a plugin an id of its own, whatever its area",
        )
    known = {area.value: area for area in shipped_surface().areas if area.value is not None}
    if no_area:
        yield invalid(f"{entry.label} names no area", "set `area` to one of the SDK's constants, such as PANES_AREA")
        return
    if entry.area not in known and entry.area not in _OWN_AREAS:
        near = nearest(entry.area, known)
        constant = next((area.constant for area in known.values() if area.value == near), None)
        yield invalid(
            f"{entry.label} goes to the unknown area `{entry.area}`: nothing of it will show",
            f"did you mean `{near}` ({constant})?" if near else "use one of the SDK's area constants",
        )
        return
    check = _CHECKS.get(entry.area)
    if check is not None:
        for message, hint in check(entry):
            yield invalid(f"{entry.label} in `{entry.area}`: {message}", hint)
    path = entry.text("path")
    if check in (_route, _nav) and path is not None and _DEEP_ROUTE.match(path):
        # Published plugins do this and work; the SDK's documents promise one segment only.
        yield replace(
            invalid(
                f"{entry.label} in `{entry.area}`: `data.path` {path!r} has several segments, and the SDK promises one",
                "a path such as '/my-page' is safe on every build",
            ),
            severity="info",
        )


Complaint = tuple[str, str | None]


def _pane(entry: Registered) -> Iterator[Complaint]:
    if not entry.renders:
        yield "a pane needs a `render` function", "add `render: () => jsx(View, {})`"
    if not isinstance(entry.data, dict):
        yield "a pane needs `data` with a placement", "add `data: { placement: 'right', width: '320px' }`"
        return
    placement = entry.data.get("placement")
    if placement is None:
        yield "no `placement`", f"set `data.placement` to one of {', '.join(_PLACEMENTS)}"
    elif placement not in _PLACEMENTS:
        yield f"unknown placement {placement!r}", _one_of(placement, _PLACEMENTS)
    dock = entry.data.get("dock")
    if isinstance(dock, dict):
        position = dock.get("pos")
        if position is not None and position not in _DOCK_POSITIONS:
            yield f"unknown dock position {position!r}", _one_of(position, _DOCK_POSITIONS)
        if not isinstance(dock.get("pane"), str) or not dock.get("pane"):
            yield "its `dock` names no pane", "set `dock.pane` to the id of the pane that it docks to"
    elif dock is not None:
        yield "`dock` is no object", "write `dock: { pane: 'sessions', pos: 'bottom' }`"


def _route(entry: Registered) -> Iterator[Complaint]:
    if not entry.renders:
        yield "a route needs a `render` function for its page", "add `render: () => jsx(Page, {})`"
    yield from _path(entry)


def _path(entry: Registered) -> Iterator[Complaint]:
    path = entry.text("path")
    if path is None:
        yield "`data.path` is missing", "set it to one absolute segment, such as '/my-page'"
    elif not _ROUTE.match(path) and not _DEEP_ROUTE.match(path):
        yield f"`data.path` {path!r} is not one absolute segment", "write it as '/my-page'"


def _nav(entry: Registered) -> Iterator[Complaint]:
    # A row that acts by itself needs no page to lead to.
    if not entry.has_function("onSelect"):
        yield from _path(entry)
    if entry.text("label") is None:
        yield "`data.label` is missing", "the row shows nothing without it"
    codicon = entry.data.get("codicon") if isinstance(entry.data, dict) else None
    if codicon is None:
        yield "`data.codicon` is missing", "name an icon of @vscode/codicons, such as 'beaker'"
    else:
        yield from _codicon(codicon)


@lru_cache(maxsize=1)
def codicons() -> frozenset[str]:
    """The icon names of @vscode/codicons."""
    text = (files("sdk_stubs") / "codicons.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _codicon(name: Any) -> Iterator[Complaint]:
    if not isinstance(name, str):
        yield "the codicon is no string", None
    elif name.removeprefix("codicon-") not in codicons():
        bare = _ICON_WORDS.sub("", name).lower()
        near = bare if bare in codicons() else nearest(name.removeprefix("codicon-"), codicons())
        yield f"unknown codicon {name!r}", f"did you mean '{near}'?" if near else "see the list of @vscode/codicons"


def _palette(entry: Registered) -> Iterator[Complaint]:
    yield from _acts(entry)


def _keybind(entry: Registered) -> Iterator[Complaint]:
    yield from _acts(entry)
    own = entry.text("id")
    actions = shipped_surface().actions
    if own is not None and own in actions:
        yield (
            f"its `data.id` '{own}' is one of the app's own actions: it is dropped silently",
            "prefix it with the plugin's id",
        )
    defaults = entry.data.get("defaults") if isinstance(entry.data, dict) else None
    if defaults is not None:
        combos = defaults if isinstance(defaults, list) else None
        if combos is None:
            yield "`data.defaults` is no list of key combinations", "write `defaults: ['mod+shift+k']`"
        elif any(not isinstance(combo, str) or not _COMBO.match(combo) for combo in combos):
            yield "`data.defaults` holds something that is no key combination", "write each as 'mod+shift+k'"


def _acts(entry: Registered) -> Iterator[Complaint]:
    for name in ("id", "label"):
        if entry.text(name) is None:
            yield f"`data.{name}` is missing: the row is dropped silently", f"add a string `{name}` to `data`"
    if not entry.has_function("run"):
        yield "`data.run` is not a function: the row is dropped silently", "add `run: () => { … }` to `data`"


def _bar(entry: Registered) -> Iterator[Complaint]:
    if entry.renders or entry.via == "titlebarButtons":
        return
    if not isinstance(entry.data, dict):
        yield "it has neither `render` nor `data`", "add a `render` function, or `data: { id, label, icon }`"
        return
    if entry.text("id") is None:
        yield "`data.id` is missing", "add a string `id` to `data`"
    if entry.area.startswith("titleBar.") and entry.text("label") is None:
        yield "`data.label` is missing", "it is the tool's tooltip and what a screen reader says"


def _theme(entry: Registered) -> Iterator[Complaint]:
    if not isinstance(entry.data, dict):
        yield "`data` is not a theme", "give it a whole DesktopTheme: name, label, colors"
        return
    for name in ("name", "label"):
        if entry.text(name) is None:
            yield f"the theme has no `{name}`", None
    if not isinstance(entry.data.get("colors"), dict) or not entry.data["colors"]:
        yield "the theme has no `colors`", "give it every colour that a theme of the app has"


def _middleware(entry: Registered) -> Iterator[Complaint]:
    if not entry.has_function("handler"):
        yield "`data.handler` is not a function", "add `handler: draft => draft` (null stops the message)"


def _directive(entry: Registered) -> Iterator[Complaint]:
    name = entry.text("name")
    if name is None:
        yield "`data.name` is missing", "it is what stands behind the colons: `::name{…}`"
    elif not _DIRECTIVE.match(name):
        yield f"{name!r} can never be written as a directive", "use a letter, then letters, digits, `_` or `-`"
    if not entry.has_function("render"):
        yield "`data.render` is not a function", "add `render: ({ attrs, streaming }) => …` to `data`"


def _row(entry: Registered) -> Iterator[Complaint]:
    if not entry.has_function("render"):
        yield "`data.render` is not a function", "add `render: ({ sessionId }) => …` to `data`; null shows nothing"


def _slot(entry: Registered) -> Iterator[Complaint]:
    if not entry.renders:
        yield "it needs a `render` function", "add `render: () => jsx(View, {})`"


def _one_of(given: Any, known: Iterable[str]) -> str:
    names = list(known)
    near = nearest(given, names) if isinstance(given, str) else None
    return f"did you mean '{near}'?" if near else f"use one of {', '.join(names)}"


_CHECKS: Mapping[str, Callable[[Registered], Iterator[Complaint]]] = {
    "panes": _pane,
    "routes": _route,
    "sidebar.nav": _nav,
    "palette": _palette,
    "keybinds": _keybind,
    "themes": _theme,
    "composer.middleware": _middleware,
    "transcript.directives": _directive,
    "sessionRow.leading": _row,
    "sessionRow.trailing": _row,
    **{f"titleBar.{side}": _bar for side in ("left", "center", "right")},
    **{f"statusBar.{side}": _bar for side in ("left", "right")},
    **{f"composer.{place}": _slot for place in ("top", "bottom", "leading", "actions", "underside")},
    "appearance.extra": _slot,
}


# ---------------------------------------------------------------- between contributions


def _unreachable_routes(entries: list[Registered]) -> Iterator[Diagnostic]:
    """A page that no row of the sidebar leads to. Other rows and buttons may, but cannot be followed."""
    linked = {entry.text("path") for entry in entries if entry.area == "sidebar.nav"}
    may_navigate = any(
        entry.area in ("palette", "keybinds") or entry.area.startswith(("titleBar", "statusBar")) for entry in entries
    )
    for entry in entries:
        path = entry.text("path")
        known_path = path is not None and (_ROUTE.match(path) or _DEEP_ROUTE.match(path))
        if entry.area == "routes" and known_path and path not in linked and not may_navigate:
            yield finding(
                "HP407",
                f"nothing leads to the route `{path}`",
                span=entry.span,
                hint=f"register a SIDEBAR_NAV_AREA row with the same path: data {{ path: '{path}', label, codicon }}",
            )
