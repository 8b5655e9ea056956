"""The findings of one rule on a text, asked from the model alone: rules need no engine."""

from __future__ import annotations

from loader.analysis.registry import BY_CODE
from loader.analysis.rule import Finding, Subject
from loader.analysis.surface import shipped_surface
from loader.analysis.syntax import parse
from loader.settings import AnalysisSettings

HEAD = """import * as sdk from '@hermes/plugin-sdk'
import { host as h, Contribute, PALETTE_AREA, KEYBINDS_AREA, TRANSCRIPT_DIRECTIVE_AREA } from '@hermes/plugin-sdk'
import { createElement, useRef } from 'react'
import { jsx as el } from 'react/jsx-runtime'
"""


def findings(code: str, text: str) -> list[Finding]:
    """What the rule of this code finds; the text must parse."""
    module = parse(text)
    assert not module.has_error, "the test's text does not parse"
    check = BY_CODE[code].check
    assert check is not None
    return list(check(Subject(module, shipped_surface(), AnalysisSettings(), module.imports)))


def within(body: str, *, before: str = "", plugin_id: str = "demo") -> str:
    """A plugin around the body of its register function; ``c`` is its context."""
    return f"{HEAD}{before}\nexport default {{ id: '{plugin_id}', register(c) {{\n{body}\n}} }}\n"


def messages(code: str, body: str, *, before: str = "", plugin_id: str = "demo") -> list[str]:
    """The messages of a rule on such a plugin, each with a way out."""
    found = findings(code, within(body, before=before, plugin_id=plugin_id))
    assert all(one.hint and one.span is not None for one in found)
    return [one.message for one in found]
