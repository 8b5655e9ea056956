"""The whole thing as a stranger would use it: `serve` in a process of its own, the shell of the documents beside it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import requirements

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

DOCS = Path(__file__).parent.parent.parent / "docs"
PLUGIN = """\
import { STATUSBAR_AREAS } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
export default {
  id: 'clock',
  register(ctx) {
    ctx.register({ id: 'chip', area: STATUSBAR_AREAS.right, render: () => jsx('span', { children: 'VERSION' }) })
  },
}
"""
# Node imports files only; a browser imports what the service serves. This is the difference, and nothing of the shell.
HTTP_IMPORTS = """\
import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(`
  const web = text => /^https?:/.test(text)
  export async function resolve(specifier, context, next) {
    if (web(specifier)) return { url: specifier, shortCircuit: true }
    if (web(context.parentURL ?? '')) return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    return next(specifier, context)
  }
  export async function load(url, context, next) {
    if (!web(url)) return next(url, context)
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(answer.status)
    return { format: 'module', source: await answer.text(), shortCircuit: true }
  }
`))
"""
MY_SDK = """\
export const start = plugin => {
  plugin.register({ register: ({ area, render }) => console.log('start', plugin.id, area, render()) })
  return () => console.log('stop', plugin.id)
}
export const modules = {
  '@hermes/plugin-sdk': { STATUSBAR_AREAS: { right: 'statusBar.right' } },
  react: {},
  'react/jsx-runtime': { jsx: (type, props) => `<${type}>${props.children}</${type}>` },
}
"""


class Program:
    """A process whose standard output is read line by line, with a deadline for what is waited for."""

    def __init__(self, args: list[str], cwd: Path, env: dict[str, str]) -> None:
        self.lines: list[str] = []
        self._log = cwd / f"{Path(args[0]).name}-{id(self)}.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(args, cwd=cwd, env=env, stdout=log, stderr=subprocess.STDOUT)

    @property
    def output(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, condition: Callable[[str], object], within_s: float = 60) -> str:
        deadline = time.monotonic() + within_s
        while not condition(self.output):
            ended = self.process.poll()
            assert ended is None or condition(self.output), f"ended with {ended}:\n{self.output}"
            assert time.monotonic() < deadline, f"not within {within_s} s:\n{self.output}"
            time.sleep(0.02)
        return self.output

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(20)


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    return {**os.environ, "HERMES_HOME": str(home), "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def save(home: Path) -> Callable[[str], None]:
    folder = home / "desktop-plugins" / "clock"
    folder.mkdir()

    def write(text: str) -> None:
        (folder / "new").write_text(text)
        (folder / "new").replace(folder / "plugin.js")

    return write


@pytest.fixture
def serve(home: Path, env: dict[str, str], save: Callable[[str], None], tmp_path: Path) -> Iterator[Program]:
    save(PLUGIN.replace("VERSION", "one"))
    program = Program([sys.executable, "-m", "loader", "serve", "--port", "0", "--no-rehearse"], tmp_path, env)
    try:
        program.wait_for(lambda text: "Listening on" in text)
        yield program
    finally:
        program.end()


@pytest.fixture
def shell(home: Path, env: dict[str, str], serve: Program, tmp_path: Path) -> Iterator[Program]:
    """The shell of docs/shells.md, under Node."""
    folder = tmp_path / "shell"
    folder.mkdir()
    snippets = re.findall(r"^```js shell\n(.*?)^```", (DOCS / "shells.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(snippets) == 1
    for name, text in (
        ("shell.js", snippets[0]),
        ("my-sdk.js", MY_SDK),
        ("http-imports.js", HTTP_IMPORTS),
        ("package.json", '{"type": "module"}'),
    ):
        (folder / name).write_text(text)
    endpoint = str(home / "desktop-loader" / "endpoint.json")
    program = Program(
        [requirements.node(), "--no-warnings", "--import", "./http-imports.js", "shell.js"],
        folder,
        {**env, "HERMES_ENDPOINT": endpoint},
    )
    try:
        yield program
    finally:
        program.end()


def assert_ended_well(serve: Program, home: Path) -> None:
    assert serve.process.wait(20) == 0
    assert "Traceback" not in serve.output
    assert not (home / "desktop-loader" / "endpoint.json").exists()


def loader(env: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "loader", *args], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_shell_of_the_documents_follows_every_save(
    serve: Program, shell: Program, save: Callable[[str], None], env: dict[str, str]
) -> None:
    shell.wait_for(lambda text: "start clock statusBar.right <span>one</span>\n" in text)

    save(PLUGIN.replace("VERSION", "two"))
    output = shell.wait_for(lambda text: "<span>two</span>" in text)
    assert output.splitlines()[-2:] == ["stop clock", "start clock statusBar.right <span>two</span>"]

    save("import _ from 'lodash/debounce'\n" + PLUGIN)
    serve.wait_for(lambda text: "plugin.js:1:15: error HP201" in text)
    shell.wait_for(lambda text: text.endswith("stop clock\n"))  # an import outside the three takes the old one down

    save(PLUGIN.replace("VERSION", "three"))
    shell.wait_for(lambda text: "<span>three</span>" in text)
    save(PLUGIN.replace("VERSION", "three").replace("register(ctx) {", "register(ctx {"))
    serve.wait_for(lambda text: "keeps running" in text)
    assert shell.output.endswith("<span>three</span>\n"), "a syntax error lets the last good one run on"

    save(PLUGIN.replace("VERSION", "four"))
    shell.wait_for(lambda text: "<span>four</span>" in text)
    reloaded = loader(env, "reload", "--wait", "--json")
    assert reloaded.returncode == 0, reloaded.stderr
    (row,) = json.loads(reloaded.stdout)["plugins"]
    assert [report["state"] for report in row["shells"]] == ["loaded"]
    assert row["running_revision"] == row["revision"]

    doctor = loader(env, "doctor", "clock")
    assert doctor.returncode == 0
    assert "clock runs\n" in doctor.stdout

    events = [json.loads(line) for line in loader(env, "events", "--json").stdout.splitlines()]
    told = [(event["event"], event.get("reason")) for event in events if event["event"].startswith("plugin/")]
    assert told[0] == ("plugin/load", "start")
    assert ("plugin/failed", None) in told
    secrets = json.loads((Path(env["HERMES_HOME"]) / "desktop-loader" / "endpoint.json").read_text())["token"]
    assert secrets not in serve.output + json.dumps(events)
    assert "/modules/" not in serve.output + json.dumps(events)


def test_it_says_its_home_and_rule_stands_alone_and_ends_with_ctrl_c(
    serve: Program, home: Path, env: dict[str, str], tmp_path: Path
) -> None:
    assert f"Home {home} (HERMES_HOME is set)\n" in serve.output
    address = re.search(r"http://127\.0\.0\.1:(\d+)", serve.output)
    assert address is not None

    second = loader(env, "serve")
    assert second.returncode == 3
    assert address[0] in second.stderr
    assert second.stderr.count("\n") == 1

    other = tmp_path / "other-home"
    other.mkdir()
    busy = loader({**env, "HERMES_HOME": str(other)}, "serve", "--port", address[1])
    assert busy.returncode == 3
    assert address[1] in busy.stderr

    serve.process.send_signal(signal.SIGINT)
    assert_ended_well(serve, home)


def test_following_events_ends_with_ctrl_c_and_with_the_service(
    serve: Program, home: Path, env: dict[str, str], tmp_path: Path, save: Callable[[str], None]
) -> None:
    followers = [Program([sys.executable, "-m", "loader", "events", "--follow"], tmp_path, env) for _ in range(2)]
    try:
        for follower in followers:
            follower.wait_for(lambda text: "hello" in text)
        save(PLUGIN.replace("VERSION", "seen"))
        for follower in followers:
            follower.wait_for(lambda text: "plugin/load" in text)
        followers[0].process.send_signal(signal.SIGINT)
        assert followers[0].process.wait(20) == 0
        serve.process.send_signal(signal.SIGTERM)
        assert_ended_well(serve, home)
        assert followers[1].process.wait(20) == 0
        assert "Traceback" not in followers[0].output + followers[1].output
    finally:
        for follower in followers:
            follower.end()
