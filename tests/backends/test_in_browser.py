"""ctx.rest and ctx.socket in a real browser, with its rules about origins, against a whole service."""

import shutil
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import sync_playwright

from tests.backends.conftest import BackendHome
from tests.requirements import need
from tests.server.served import served

EXAMPLE = Path(__file__).parents[2] / "example_plugins" / "team-board"

BOARD = """async ([url, token]) => {
  const { createHostBackend } = await import('/workbench/shared/host-backend.js')
  const { ctx, dispose } = createHostBackend({ url }).forPlugin({ id: 'team-board', token })
  const heard = []
  ctx.socket('/events', (data) => heard.push(data))
  const added = await ctx.rest('/cards', { method: 'POST', body: { title: 'from the browser' } })
  for (let tries = 0; heard.length === 0 && tries < 200; tries += 1) {
    await ctx.rest(`/cards/${added.id}/done?done=${tries % 2 === 0}`, { method: 'PUT' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const bytes = new TextEncoder().encode('two')
  const imported = await ctx.rest('/import', { upload: { filename: 'a.txt', bytes } })
  const missing = await ctx.rest('/cards/99/done', { method: 'PUT' }).catch((error) => error.status)
  dispose()
  return { added: added.title, heard: heard[0]?.event, cards: imported.cards.length, missing }
}"""


@pytest.mark.real
def test_the_examples_board_works_in_chromium(at: BackendHome) -> None:
    program = need("chromium")
    shutil.copytree(EXAMPLE, at.root / "plugins" / "team-board")
    at.enable("team-board")
    with served(at.root) as service:
        endpoint = service.endpoint
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            page.goto(endpoint.url)
            found = page.evaluate(BOARD, [endpoint.url, endpoint.token])
            browser.close()
        assert found == {"added": "from the browser", "heard": "changed", "cards": 2, "missing": 404}
        headers = {"Authorization": f"Bearer {endpoint.token}"}
        row = httpx.get(f"{endpoint.url}/v1/plugins/team-board", headers=headers, trust_env=False).json()
        assert row["backend"]["state"] == "running"
        assert row["enabled"] is False  # the two halves have switches of their own
