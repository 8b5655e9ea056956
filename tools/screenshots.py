"""Make the pictures in ``docs/img``: ``python -m tools.screenshots [FOLDER]``. Needs Chromium.

A demo home is filled, served, and looked at in a real browser: what the pictures show is what the page does.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import monotonic, sleep

from playwright.sync_api import Page, sync_playwright

from loader import client
from loader.home import Home
from tools.demo_home import fill

BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)
BROKEN = """\
import { STATUSBAR_AREAS } from '@hermes/plugin-sdk'
import { chart } from 'lodash'
import { jsx } from 'react/jsx-runtime'

export default {
  id: 'token-meter',
  name: 'Token meter',
  description: 'How much of the context is used.',
  register(ctx) {
    const render = () => jsx('span', { children: '12%' })
    ctx.register({ area: STATUSBAR_AREAS.right, id: 'meter', order: 10, render })
  },
}
"""
GOOD = BROKEN.replace("import { chart } from 'lodash'\n", "")
# What plugins would have asked for, so that the policy has something to show.
PET = """async () => {
  const authorization = `Bearer ${sessionStorage.getItem('hermes.session')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const send = (method, path, body) => fetch(path, { method, headers, body: JSON.stringify(body) })
  const say = (plugin, body) => send('POST', `/v1/plugins/${plugin}/pet/lines`, { ttlMs: 30000, ...body })
  await send('PUT', '/v1/pet', { visible: true })
  for (let n = 0; n < 12; n += 1) await say('focus-timer', { id: 'left', text: `${25 - n} minutes left`, tone: 'wait' })
  await say('pet-reporter', { text: 'The long turn is done, after 4 min' })
  await say('status-lights', { text: 'The gateway was away for a moment', tone: 'warn' })
  for (const action of ['session.archive', 'app.quit', 'nav.settings']) {
    await send('POST', '/v1/plugins/browser-toggle/actions', { action })
  }
}"""
PATIENCE_S = 30.0


@contextmanager
def served(root: Path) -> Iterator[str]:
    """The link of a service on a demo home with one plugin that does not pass."""
    fill(root)
    save(root, "token-meter", GOOD)
    command = [sys.executable, "-m", "loader", "serve", "--port", "0", "--hermes-home", str(root)]
    process = Popen(command, stdout=DEVNULL, stderr=DEVNULL)
    home = Home(root, root, None, "the demo home")
    try:
        end = monotonic() + PATIENCE_S
        while True:
            try:
                with client.connect(home) as connected:
                    link = connected.page_link()
                break
            except Exception:  # it is not there yet, for whatever reason; the deadline speaks
                if monotonic() > end:
                    raise
                sleep(0.1)
        yield link
    finally:
        process.terminate()
        process.wait()


def save(root: Path, name: str, text: str) -> None:
    file = root / "desktop-plugins" / name / "plugin.js"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def take(page: Page, root: Path, folder: Path) -> None:
    def shot(name: str, hash_: str, *, theme: str = "light", settle: str | None = None) -> None:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate("hash => { location.hash = hash }", hash_)
        if settle:
            page.wait_for_selector(settle)
        page.wait_for_timeout(700)  # previews load and flashes fade
        page.screenshot(path=folder / f"{name}.png")

    page.wait_for_selector("tr[data-key='standalone:token-meter']")
    # What was checked while the workers were still starting is checked again, for times as they are afterwards.
    for file in sorted((*root.glob("desktop-plugins/*/plugin.js"), *root.glob("plugins/*/desktop/plugin.js"))):
        file.write_text(file.read_text("utf-8") + "\n", "utf-8")
        page.wait_for_timeout(150)
    page.wait_for_timeout(1500)
    save(root, "token-meter", GOOD.replace("12%", "13%"))
    page.wait_for_timeout(900)
    save(root, "token-meter", BROKEN)
    page.wait_for_selector("tr[data-key='standalone:token-meter'] .tag[data-tone=bad]")
    page.wait_for_timeout(1500)
    shot("plugins", "#/plugins")
    shot("plugins-dark", "#/plugins", theme="dark")
    shot("findings", "#/plugins/standalone%3Atoken-meter/findings", settle=".finding")
    shot("history", "#/plugins/standalone%3Atoken-meter/history", settle=".diff")
    shot("preview", "#/plugins/standalone%3Ascratchpad/preview", settle="iframe.preview")
    shot("layout", "#/layout", settle=".chip")
    shot("layout-dark", "#/layout", theme="dark", settle=".chip")
    shot("events", "#/events", settle="table.events tr")
    shot("doctor", "#/doctor", settle=".doctor")
    page.evaluate(PET)
    shot("policy", "#/policy", settle="table.actions tr")
    page.set_viewport_size({"width": 320, "height": 700})
    shot("narrow", "#/plugins", theme="dark")


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/img")
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        root = Path(temporary) / ".hermes"
        root.mkdir()
        browser = playwright.chromium.launch(executable_path=program, args=list(BROWSER_FLAGS))
        with served(root) as link:
            page = browser.new_page(viewport={"width": 1360, "height": 820}, device_scale_factor=1)
            page.on("console", lambda message: print(f"console {message.type}: {message.text}", file=sys.stderr))
            page.on("pageerror", lambda error: print(f"error: {error}", file=sys.stderr))
            page.goto(link)
            take(page, root, folder)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
