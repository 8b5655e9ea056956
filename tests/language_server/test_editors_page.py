"""The configurations of docs/editors.md, and the extension for VS Code, start what is there."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from loader.cli.commands import COMMANDS
from loader.cli.main import load
from loader.language_server.showing import FIX_ALL
from tests.requirements import node

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
EXTENSION = ROOT / "editors" / "vscode"


def blocks(info: str) -> list[str]:
    return re.findall(rf"^```{info}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def options_of_lsp() -> set[str]:
    return {
        option for param in load(next(one for one in COMMANDS if one.name == "lsp")).params for option in param.opts
    }


def test_helix_starts_the_server_for_javascript() -> None:
    (text,) = blocks("toml")
    settings = tomllib.loads(text)
    server = settings["language-server"]["hermes-desktop"]
    assert [server["command"], *server["args"]] == ["hermes-desktop", "lsp"]
    (language,) = settings["language"]
    assert language["name"] == "javascript"
    assert "hermes-desktop" in language["language-servers"]


def test_neovim_starts_the_server_for_javascript() -> None:
    (text,) = blocks("lua")
    assert "cmd = { 'hermes-desktop', 'lsp' }" in text
    assert "filetypes = { 'javascript' }" in text
    assert text.count("'hermes_desktop'") == 2


def test_the_settings_shown_for_vs_code_are_those_of_the_extension() -> None:
    (text,) = blocks("json")
    shown = {name for name in json.loads(text) if name.startswith("hermesDesktop.")}
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert shown <= set(manifest["contributes"]["configuration"]["properties"])
    assert json.loads(text)["editor.codeActionsOnSave"] == {FIX_ALL: "explicit"}
    assert f"{manifest['name']}-{manifest['version']}.vsix" in PAGE
    assert FIX_ALL in PAGE.split("## VS Code")[0]


# What the extension is given by VS Code, as far as it touches it: it runs in no other program.
STUBS = """\
const Module = require('node:module')
const given = JSON.parse(process.argv[2])
const stubs = {
  vscode: { workspace: { getConfiguration: name => ({ get: key => given[`${name}.${key}`] }) } },
  'vscode-languageclient/node': {
    LanguageClient: class {
      constructor(...args) { this.args = args }
      async start() { console.log(JSON.stringify(this.args)) }
      async stop() { console.log('"stopped"') }
    },
  },
}
const load = Module._load
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest)
const extension = require(process.argv[3])
extension.activate().then(extension.deactivate)
"""


@pytest.mark.real
@pytest.mark.parametrize("rehearse", [True, False])
def test_the_extension_for_vs_code_starts_the_server_for_javascript(tmp_path: Path, rehearse: bool) -> None:
    script = tmp_path / "stubs.js"
    script.write_text(STUBS)
    manifest: Any = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    settings = {name: one["default"] for name, one in manifest["contributes"]["configuration"]["properties"].items()}
    given = json.dumps({**settings, "hermesDesktop.rehearse": rehearse})
    done = subprocess.run(
        [node(), str(script), given, str(EXTENSION / manifest["main"])],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    started, stopped = map(json.loads, done.stdout.splitlines())
    _, _, server, client = started
    assert server["command"] == "hermes-desktop"
    assert server["args"][0] == "lsp"
    assert set(server["args"][1:]) == (set() if rehearse else {"--no-rehearse"}) <= options_of_lsp()
    assert client["documentSelector"] == [{"language": "javascript"}]
    assert manifest["activationEvents"] == ["onLanguage:javascript"]
    assert stopped == "stopped"
