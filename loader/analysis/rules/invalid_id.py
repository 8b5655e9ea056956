"""An id that is no slug: lower-case letters, digits, `-` and `_`, starting with a letter or digit, at most 64.

The id is a folder's name, a storage key, an event's source and a part of URLs. Anything else would break one of them,
or reach outside it (`../..`). Names that Windows keeps for devices (`con`, `nul`, `com1`) make no folder there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax import value_of

_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")


def is_valid_id(identity: str) -> bool:
    """The rule for ids (docs/authors.md); also what a folder must be called."""
    return _SLUG.fullmatch(identity) is not None and _DEVICE.fullmatch(identity) is None


def suggested_id(identity: str) -> str | None:
    """The nearest valid id, None when nothing of it can be kept."""
    slug = re.sub(r"[^a-z0-9_-]+", "-", identity[:200].casefold()).strip("-_")[:64].rstrip("-_")
    if _DEVICE.fullmatch(slug):
        slug = f"{slug}-plugin"
    return slug if is_valid_id(slug) else None


def invalid_id_message(identity: str) -> tuple[str, str]:
    """Message and hint for an id that does not hold; used for ids read from the live object too."""
    shown = identity if len(identity) <= 80 else identity[:77] + "…"
    if _DEVICE.fullmatch(identity):
        return f"invalid id `{shown}`: Windows keeps this name for a device", f"Call it `{identity}-plugin`."
    if identity == "":
        return "invalid id: it is empty", "Use the folder's name: `id: 'my-plugin'`."
    cause = "an id is lower-case letters, digits, `-` and `_`, begins with a letter or digit, and has at most 64"
    suggestion = suggested_id(identity)
    hint = f"Call it `{suggestion}`, and its folder too." if suggestion else "Use the folder's name: `id: 'my-plugin'`."
    return f"invalid id `{shown}`: {cause}", hint


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    found = module.plugin.properties.get("id")
    if found is None or found.form != "value" or not found.certain or found.value is None:
        return
    value = value_of(module.tree, module.scopes, found.value)
    if value.string is not None and not is_valid_id(value.string):
        message, hint = invalid_id_message(value.string)
        yield Finding(module.span(found.value), message, hint)


RULE = Rule(
    "HP304",
    __doc__,
    check=check,
    bad="export default { id: '../../outside', register(ctx) { ctx.onDispose(() => {}) } }\n",
    good="export default { id: 'outside', register(ctx) { ctx.onDispose(() => {}) } }\n",
)
