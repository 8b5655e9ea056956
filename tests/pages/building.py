"""Documents for tests: small ones built in a line, and arbitrary ones that hypothesis makes."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import strategies as st

LABEL = {"type": "literal", "value": "Label"}


def document(content: Any, *, state: Any = None, page: str = "home", more: list[Any] | None = None) -> dict[str, Any]:
    """A document of one page with this content (and ``more`` pages)."""
    found: dict[str, Any] = {
        "schemaVersion": 1,
        "pages": [{"id": page, "title": LABEL, "content": content}, *(more or [])],
    }
    if state is not None:
        found["initialState"] = state
    return found


def group(*children: Any, **more: Any) -> dict[str, Any]:
    return {"type": "group", "id": "all", "children": list(children), **more}


def line(name: str = "line") -> dict[str, Any]:
    return {"type": "divider", "id": name}


def nested(levels: int) -> Any:
    """A divider at that level; the outermost card is level 1."""
    found: Any = line()
    for level in range(levels - 1):
        found = {"type": "card", "id": f"c{level}", "child": found}
    return found


# ---------------------------------------------------------------- arbitrary documents that a phone would show

KEYS = st.sampled_from(["a", "b", "c", "title", "Is.On", "x_1-y"])
LETTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.one_of(st.integers(-1000, 1000), st.floats(-1e6, 1e6))

VALUES = st.one_of(
    st.fixed_dictionaries({"type": st.just("string"), "value": LETTERS}),
    st.fixed_dictionaries({"type": st.just("boolean"), "value": st.booleans()}),
    st.fixed_dictionaries({"type": st.just("number"), "value": NUMBERS}),
    st.just({"type": "null"}),
)
TEXTS = st.one_of(
    st.fixed_dictionaries({"type": st.just("literal"), "value": LETTERS}),
    st.fixed_dictionaries({"type": st.just("binding"), "key": KEYS}, optional={"fallback": LETTERS}),
)
CONDITIONS = st.recursive(
    st.one_of(
        st.fixed_dictionaries({"type": st.just("truthy"), "key": KEYS}),
        st.fixed_dictionaries({"type": st.just("equals"), "key": KEYS, "value": VALUES}),
    ),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("not"), "condition": inner}),
        st.fixed_dictionaries({"type": st.sampled_from(["all", "any"]), "conditions": st.lists(inner, max_size=3)}),
    ),
    max_leaves=4,
)
MOTIONS = st.sampled_from(["NONE", "FADE", "SCALE", "SLIDE_VERTICAL", "HIGHLIGHT"])
SIZES = st.sampled_from(["NONE", "SMALL", "MEDIUM", "LARGE"])
ANIMATIONS = st.fixed_dictionaries(
    {}, optional={"enter": MOTIONS, "change": MOTIONS, "speed": st.sampled_from(["FAST", "NORMAL", "SLOW"])}
)
NULLABLE_CONDITIONS = st.one_of(st.none(), CONDITIONS)
REQUESTS = st.fixed_dictionaries(
    {"path": st.sampled_from(["go", "/go", "a/b.c", "~x"])},
    optional={"method": st.sampled_from(["GET", "post", "PUT", "Patch", "DELETE"])},
)
ACTIONS = st.fixed_dictionaries(
    {"id": KEYS},
    optional={
        "arguments": st.dictionaries(KEYS, VALUES, max_size=2),
        "confirmation": st.one_of(st.none(), TEXTS),
        "request": st.one_of(st.none(), REQUESTS),
    },
)


def _element(kind: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Any]:
    shared = {"visibleWhen": NULLABLE_CONDITIONS, "animation": ANIMATIONS}
    fixed = {"type": st.just(kind), "id": st.just("?"), **required}
    return st.fixed_dictionaries(fixed, optional={**shared, **(optional or {})})


LEAVES = st.one_of(
    _element("text", {"text": TEXTS}, {"style": st.sampled_from(["BODY", "LABEL", "TITLE", "HEADLINE"])}),
    _element("badge", {"text": TEXTS}, {"tone": st.sampled_from(["NEUTRAL", "INFO", "SUCCESS", "WARNING", "DANGER"])}),
    _element(
        "button",
        {"label": TEXTS, "action": ACTIONS},
        {"style": st.sampled_from(["PRIMARY", "SECONDARY", "TEXT"]), "enabledWhen": NULLABLE_CONDITIONS},
    ),
    _element(
        "text_input",
        {"label": TEXTS, "binding": KEYS},
        {"placeholder": st.one_of(st.none(), TEXTS), "maxLength": st.integers(1, 2000)},
    ),
    _element("toggle", {"label": TEXTS, "binding": KEYS}, {"enabledWhen": NULLABLE_CONDITIONS}),
    _element("progress", {"value": st.floats(0, 1)}, {"valueBinding": st.one_of(st.none(), KEYS), "label": TEXTS}),
    _element("progress", {"valueBinding": KEYS}),
    _element(
        "image",
        {"asset": st.fixed_dictionaries({"id": KEYS}), "contentDescription": TEXTS},
        {"aspectRatio": st.floats(0.25, 4)},
    ),
    _element("divider", {}),
    _element("spacer", {}, {"size": SIZES}),
)
ELEMENTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _element(
            "group",
            {"children": st.lists(inner, max_size=4)},
            {"direction": st.sampled_from(["ROW", "COLUMN"]), "spacing": SIZES},
        ),
        _element("card", {"child": inner}),
    ),
    max_leaves=8,
)


def _numbered(found: dict[str, Any]) -> dict[str, Any]:
    """Ids that are unique, as a document's must be."""
    found = copy.deepcopy(found)
    count = 0
    waiting = [page["content"] for page in found["pages"]]
    while waiting:
        element = waiting.pop()
        element["id"] = f"e{count}"
        count += 1
        waiting += [*element.get("children", []), *([element["child"]] if "child" in element else [])]
    for at, page in enumerate(found["pages"]):
        page["id"] = f"p{at}"
    return found


DOCUMENTS = st.fixed_dictionaries(
    {
        "pages": st.lists(
            st.fixed_dictionaries({"id": st.just("?"), "title": TEXTS, "content": ELEMENTS}), min_size=1, max_size=2
        )
    },
    optional={
        "schemaVersion": st.just(1),
        "initialState": st.dictionaries(KEYS, VALUES, max_size=4),
        "host_revision": st.one_of(st.none(), st.integers(0, 9)),
    },
).map(_numbered)

OPTIONAL_TEXT = st.one_of(st.none(), LETTERS)
CONTRIBUTIONS = st.fixed_dictionaries(
    {
        "id": KEYS,
        "title": LETTERS,
        "document": st.fixed_dictionaries({"path": LETTERS}, optional={"method": LETTERS}),
    },
    optional={
        "surface": LETTERS,
        "status": OPTIONAL_TEXT,
        "lifecycle": OPTIONAL_TEXT,
        "description": OPTIONAL_TEXT,
        "revision": st.one_of(st.none(), st.integers(-5, 5)),
        "digest": OPTIONAL_TEXT,
    },
)
MANIFESTS = st.fixed_dictionaries(
    {"id": KEYS},
    optional={
        "schema_version": st.just(1),
        "display_name": OPTIONAL_TEXT,
        "description": OPTIONAL_TEXT,
        "version": OPTIONAL_TEXT,
        "min_host_api": st.integers(-3, 1),
        "default_enabled": st.booleans(),
        "contributions": st.lists(CONTRIBUTIONS, max_size=3),
        "requested_capabilities": st.lists(
            st.fixed_dictionaries({"id": LETTERS, "reason": LETTERS}, optional={"required": st.booleans()}), max_size=2
        ),
        "updates": st.one_of(
            st.none(), st.fixed_dictionaries({}, optional={"poll_seconds": st.one_of(st.none(), st.integers(-9, 999))})
        ),
    },
)

# ---------------------------------------------------------------- and what goes wrong in them

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 17, 2001, 2**31, 0.5, 5.5, 1.0, 1e300),
    *("", "x", "1", "true", "column", "my key", "../x", "a%2fb", "GET", "text", "A" * 129),
    *([], {}, {"type": "null"}, {"type": "number", "value": 1}, {"type": "literal", "value": "x"}),
    *({"type": "binding", "key": "a"}, {"type": "truthy", "key": "b"}, {"id": "a", "request": {"path": "x"}}),
    *({"type": "divider", "id": "e1"}, {"type": "web_view", "id": "w"}, {"type": "all", "conditions": []}),
)
ADDED = ("extra", "visibleWhen", "value", "request", "schema_version", "initialState", "updates", "animation")


def mutated(value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A copy with one to three places replaced, removed, renamed or added."""
    found = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        container = chance.choice(_containers(found))
        keys: list[Any] = list(container) if isinstance(container, dict) else list(range(len(container)))
        change = chance.choice(["replace", "replace", "remove", "rename", "add"])
        junk = copy.deepcopy(chance.choice(JUNK))
        if change == "add" or not keys:
            if isinstance(container, dict):
                container[chance.choice(ADDED)] = junk
            else:
                container.append(junk)
            continue
        key = chance.choice(keys)
        if change == "replace":
            container[key] = junk
        elif change == "remove" or isinstance(container, list):
            del container[key]
        else:
            container[f"{key}_"] = container.pop(key)
    return found


def _containers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(inner for one in value.values() for inner in _containers(one))]
    if isinstance(value, list):
        return [value, *(inner for one in value for inner in _containers(one))]
    return []
