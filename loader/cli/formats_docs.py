"""Renews the examples in docs/formats.md from one real check: `python -m loader.cli.formats_docs docs/formats.md`.

An example stands in the fence below a line ``<!-- example: json -->``; everything else of the page is written by hand.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from loader.analysis.registry import RULES
from loader.analysis.worker import check
from loader.checking.checked import CheckedFile, CheckRun
from loader.edits import with_fixes
from loader.nouns import Source
from loader.reports.agent import agent_report
from loader.reports.check_json import check_json
from loader.reports.concise import concise_report
from loader.reports.diff import unified_diff
from loader.reports.github import github_report
from loader.reports.junit import junit_xml
from loader.reports.sarif import sarif_json
from loader.reports.text import file_report, summary_line
from loader.settings import AnalysisSettings

PATH = "clock/plugin.js"
PLUGIN = """\
import { Button, host } from '@hermes/plugin-sdk'
import { useState } from 'React'

const Clock = () => useState(Date.now())[0]

export default {
  id: 'clock',
  register(ctx) {
    ctx.register({ id: 'pane', area: 'panes', data: { placement: 'right' }, render: () => jsx(Clock, {}) })
    host.notify({ kind: 'info', message: 'the clock is there' })
  },
}
"""
_WIDTH = 100
_EXAMPLE = re.compile(
    r"(?P<head><!-- example: (?P<name>\w+) -->\n\n```\w*\n).*?(?P<tail>^```$)", re.DOTALL | re.MULTILINE
)


def example_run() -> CheckRun:
    """The plugin of the page, checked without the rehearsal, which errors keep from running anyway."""
    data = PLUGIN.encode()
    source = Source(data, PLUGIN, hashlib.sha256(data).hexdigest())
    verdict = check(source, AnalysisSettings(rehearsal="off")).verdict
    file = CheckedFile(
        PATH,
        "clock",
        exported_id=verdict.identity.exported_id,
        revision=source.sha256,
        imports=verdict.imports,
        diagnostics=verdict.diagnostics,
        text=PLUGIN,
    )
    return CheckRun((file,))


def examples() -> Mapping[str, Callable[[], str]]:
    run = example_run()
    (file,) = run.files
    return {
        "plugin": lambda: PLUGIN,
        "text": lambda: f"{file_report(file, width=_WIDTH).plain}{summary_line(run).plain}\n",
        "concise": lambda: concise_report(file),
        "json": lambda: _json(check_json(run)),
        "sarif": lambda: _json(_shortened(sarif_json(run, RULES))),
        "github": lambda: github_report(file),
        "junit": lambda: junit_xml(run),
        "agent": lambda: agent_report(run),
        "diff": lambda: unified_diff(PATH, PLUGIN, _mended()),
    }


def renewed(page: str) -> str:
    """The page with its examples as they are now. Raises KeyError for an example that there is none of."""
    made = examples()
    return _EXAMPLE.sub(lambda match: match["head"] + made[match["name"]]() + match["tail"], page)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _shortened(sarif: dict[str, Any]) -> dict[str, Any]:
    """With the rules that were found and without their help: the whole would be a manual of all rules."""
    (run,) = sarif["runs"]
    found = {result["ruleId"] for result in run["results"]}
    rules = [rule for rule in run["tool"]["driver"]["rules"] if rule["id"] in found]
    ids = [rule["id"] for rule in rules]
    driver = run["tool"]["driver"] | {"rules": [{key: rule[key] for key in _SHOWN} for rule in rules]}
    results = [result | {"ruleIndex": ids.index(result["ruleId"])} for result in run["results"]]
    return sarif | {"runs": [run | {"tool": {"driver": driver}, "results": results}]}


_SHOWN = ("id", "name", "shortDescription", "defaultConfiguration")


def _mended() -> str:
    """As `check --fix` does it: errors first, then the rest of what is left."""
    text = PLUGIN
    for severities in (("error",), ("warning", "info")):
        found = check(Source(text.encode(), text, ""), AnalysisSettings(rehearsal="off")).verdict.diagnostics
        text, _ = with_fixes(text, [one.fix for one in found if one.fix and one.severity in severities])
    return text


def main(path: Path) -> None:
    path.write_text(renewed(path.read_text("utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
