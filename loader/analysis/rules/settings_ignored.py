"""The check's settings beside the plugin cannot be read or understood, so they do not count.

They stand in `.hermes-desktop.toml` or under `[tool.hermes-desktop]` in `pyproject.toml`; known keys are `select`,
`ignore`, `strict` and `per-file-ignores`. The plugin itself is judged as if there were none. In a checkout `check` ends
with exit code 2 instead, so that no run passes on settings that were not meant.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP521",
    __doc__,
    found_by="reading",
    shown_by_text=False,
    bad="""# .hermes-desktop.toml
ignroe = ["HP502"]
""",
    good="""# .hermes-desktop.toml
ignore = ["HP502"]
""",
)
