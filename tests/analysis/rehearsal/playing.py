"""Plays a plugin through in tests, and the pane that most of them have."""

from __future__ import annotations

from loader.analysis.rehearsal.outcome import Played
from loader.analysis.rehearsal.play import rehearse_text
from loader.analysis.rehearsal.user_event import UserEvent
from loader.nouns import Diagnostic, Severity
from loader.settings import AnalysisSettings, RehearsalMode

IMPORTS = (
    "import { host, Button, Input, PANES_AREA, PALETTE_AREA, useValue } from '@hermes/plugin-sdk'\n"
    "import { useState, useEffect } from 'react'\n"
    "import { jsx, jsxs } from 'react/jsx-runtime'\n"
)
NAMES = (("@hermes/plugin-sdk", ("host", "Button", "Input", "PANES_AREA", "PALETTE_AREA", "useValue")),)


def play(
    body: str,
    *,
    before: str = "",
    register: str = "register(ctx)",
    mode: RehearsalMode = "warn",
    events: tuple[UserEvent, ...] = (),
) -> Played:
    text = f"{IMPORTS}{before}\nexport default {{ id: 'demo', name: 'Demo', {register} {{\n{body}\n}} }}\n"
    return rehearse_text(text, NAMES, AnalysisSettings(rehearsal=mode, rehearsal_cpu_s=2.0), events=events)


def play_text(text: str, **settings: object) -> Played:
    return rehearse_text(text, (), AnalysisSettings(rehearsal_cpu_s=2.0, **settings))  # type: ignore[arg-type]


def only(played: Played, code: str, severity: Severity) -> Diagnostic:
    assert [(one.code, one.severity) for one in played.findings] == [(code, severity)], played.findings
    return played.findings[0]


PANE = (
    "ctx.register({ id: 'pane', area: PANES_AREA, title: 'Pane', data: { placement: 'left' },"
    " render: () => jsx(View, {}) })"
)
