"""Files whose bytes are no text that the app can read."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.mistakes.mistake import HEAD, TAIL, Mistake, whole

READING: tuple[Mistake, ...] = (
    replace(whole("saved-as-utf-16", HEAD + TAIL, None, "HP004", ("UTF-16", "UTF-8")), encoding="utf-16"),
    replace(
        whole(
            "saved-as-latin-1",
            HEAD + "host.notify({ kind: 'info', message: 'Gr\u00fc\u00dfe' })\n" + TAIL,
            4,
            "HP004",
            ("UTF-8",),
        ),
        encoding="latin-1",
        severity="warning",
    ),
)
