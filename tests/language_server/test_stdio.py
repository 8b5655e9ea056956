"""A real editor's session: `hermes-desktop lsp` in a process of its own, with pygls' client at the other end."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from loader.authoring.creating import plan_new, write_new
from loader.testing import until

pytestmark = [pytest.mark.real, pytest.mark.timeout(120)]

Diagnostics = list[types.Diagnostic]


class Editor:
    """A client that keeps what it was told, as editors do."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.told: list[types.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self._version = 0

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.told.append(params)

        @client.feature(types.WINDOW_LOG_MESSAGE)  # type: ignore[untyped-decorator]
        def logged(params: types.LogMessageParams) -> None:
            self.messages.append(params.message)

    def open(self, path: Path, text: str) -> str:
        uri = path.as_uri()
        item = types.TextDocumentItem(uri, "javascript", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> int:
        self._version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._version, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return self._version

    async def findings(self, uri: str, version: int = 0, *, wanted: set[str] | None = None) -> Diagnostics:
        """What was published for a version; with ``wanted`` once exactly these codes are."""

        def found() -> list[Diagnostics]:
            return [
                list(one.diagnostics)
                for one in self.told
                if one.uri == uri
                and one.version == version
                and (wanted is None or {str(each.code) for each in one.diagnostics} == wanted)
            ]

        await until(lambda: found() != [], deadline_s=60)
        return found()[-1]


@asynccontextmanager
async def editor(
    root: Path, *more: str, encodings: list[types.PositionEncodingKind | str] | None = None
) -> AsyncIterator[Editor]:
    client = LanguageClient("a test", "1")
    it = Editor(client, root)
    await client.start_io(
        sys.executable, "-m", "loader", "lsp", *more, env={**os.environ, "HERMES_HOME": str(root)}, cwd=str(root)
    )
    capabilities = types.ClientCapabilities(general=types.GeneralClientCapabilities(position_encodings=encodings))
    await client.initialize_async(types.InitializeParams(capabilities=capabilities, process_id=os.getpid()))
    client.initialized(types.InitializedParams())
    yield it
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    assert client._server is not None
    assert client._server.returncode == 0
    assert it.messages == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    (root / "desktop-plugins").mkdir(parents=True)
    return root


def made(root: Path, template: str = "status") -> tuple[Path, str]:
    new = plan_new("my-plugin", template, root / "desktop-plugins")
    write_new(new)
    return new.entry, new.entry.read_text(encoding="utf-8")


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """As an editor that counts in UTF-16 would do it."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]

    def offset(position: types.Position) -> int:
        return sum(map(len, lines[: position.line])) + 2 * position.character

    data = b"".join(lines)
    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        data = data[:start] + edit.new_text.encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


@pytest.mark.anyio
async def test_a_session_of_an_author(root: Path) -> None:
    path, good = made(root)
    async with editor(root) as it:
        uri = it.open(path, good)
        assert await it.findings(uri) == []

        # A slip in a name, behind a letter of two units: found, explained.
        slip = "/* 😀 */ " + good.split("\n", 2)[2].replace("StatusDot, Tip", "StatusDott, Tip", 1)
        version = it.change(uri, slip)
        (found,) = [one for one in await it.findings(uri, version) if one.code == "HP204"]
        assert found.severity == types.DiagnosticSeverity.Error
        assert found.source == "hermes-desktop"
        assert "StatusDot" in found.message
        column = len(slip[: slip.index("StatusDott")].encode("utf-16-le")) // 2
        assert found.range == types.Range(types.Position(0, column), types.Position(0, column + len("StatusDott")))
        hover = await it.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, column + 2))
        )
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("**HP204 unknown-export** (error)\n\n")
        assert "Good:" in hover.contents.value
        nowhere = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(3, 0))
        assert await it.client.text_document_hover_async(nowhere) is None

        # What the sandbox alone finds comes too, and goes with its cause.
        version = it.change(uri, good.replace("register(ctx) {", "register(ctx) {\n    throw new Error('oops')"))
        await it.findings(uri, version, wanted={"HP401"})
        version = it.change(uri, good)
        assert await it.findings(uri, version) == []

        it.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        await until(lambda: it.told[-1].version is None)
        assert list(it.told[-1].diagnostics) == []


@pytest.mark.anyio
async def test_a_quick_fix_mends_what_it_says(root: Path) -> None:
    path, good = made(root)
    async with editor(root) as it:
        text = good.replace("StatusDot, Tip", "StatusDot, Button, Tip", 1)
        uri = it.open(path, text)
        await it.findings(uri, wanted={"HP509"})
        line = text[: text.index("Button")].count("\n")
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            types.Range(types.Position(line, 0), types.Position(line, 200)),
            types.CodeActionContext([]),
        )
        actions = await it.client.text_document_code_action_async(params)
        assert actions is not None
        (action,) = actions
        assert isinstance(action, types.CodeAction)
        assert action.kind == types.CodeActionKind.QuickFix
        assert action.edit is not None
        assert action.edit.changes is not None
        mended = applied(text, list(action.edit.changes[uri]))
        assert mended == good

        everything = types.CodeActionParams(
            params.text_document, params.range, types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
        )
        (all_fixes,) = await it.client.text_document_code_action_async(everything) or ()
        assert isinstance(all_fixes, types.CodeAction)
        assert all_fixes.kind == "source.fixAll.hermes-desktop"
        assert all_fixes.edit is not None
        assert all_fixes.edit.changes is not None
        assert applied(text, list(all_fixes.edit.changes[uri])) == good

        # Edits for another text than the editor's would destroy it.
        it.change(uri, "\n" + text)
        assert not await it.client.text_document_code_action_async(params)


@pytest.mark.anyio
async def test_names_areas_and_actions_are_completed(root: Path) -> None:
    path, good = made(root)
    async with editor(root, "--no-rehearse") as it:
        uri = it.open(path, good)
        text = "import { Bu } from '@hermes/plugin-sdk'\nctx.register({ area: 'sta' })\nctx.runAction?.(\"view.sh\")\n"
        it.change(uri, text)

        async def offered(line: int, before: str) -> tuple[dict[str, types.CompletionItem], int]:
            character = text.split("\n")[line].index(before) + len(before)
            found = await it.client.text_document_completion_async(
                types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
            )
            assert isinstance(found, types.CompletionList)
            return {item.label: item for item in found.items}, character

        items, character = await offered(0, "{ Bu")
        edit = items["Button"].text_edit
        assert isinstance(edit, types.TextEdit)
        assert edit == types.TextEdit(
            types.Range(types.Position(0, character - 2), types.Position(0, character)), "Button"
        )
        items, character = await offered(1, "'sta")
        assert "statusBar.right" in items
        items, character = await offered(2, '"view.sh')
        edit = items["view.showBrowser"].text_edit
        assert isinstance(edit, types.TextEdit)
        assert edit.range.start.character == character - len("view.sh")
        other = it.open(root / "notes.js", "import { Bu } from 'x'")
        assert not await it.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(other), types.Position(0, 11))
        )
        for closed in ("untitled:Untitled-1", (root / "gone" / "plugin.js").as_uri()):
            # The question may be on its way while the document is closed.
            assert not await it.client.text_document_completion_async(
                types.CompletionParams(types.TextDocumentIdentifier(closed), types.Position(0, 0))
            )


@pytest.mark.anyio
async def test_a_plugin_that_never_ends_neither_blocks_the_server_nor_the_next_text(root: Path) -> None:
    path, good = made(root)
    async with editor(root) as it:
        uri = it.open(path, good)
        assert await it.findings(uri) == []
        it.change(uri, good + "\nfor (;;) {}\n")
        await asyncio.sleep(0.5)  # into the loop: it is the server's patience that is tested, not ours
        answer = it.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(2, 9))
        )
        assert await asyncio.wait_for(answer, 20) is not None
        version = it.change(uri, good)
        assert await it.findings(uri, version) == []


@pytest.mark.anyio
@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
async def test_the_editors_own_count_is_kept_to(root: Path, encoding: str) -> None:
    path, _ = made(root)
    async with editor(root, "--no-rehearse", encodings=[encoding, "utf-16"]) as it:
        text = (
            "/* é😀 */ import { Buton } from '@hermes/plugin-sdk'\nexport default { id: 'my-plugin', register() {} }\n"
        )
        uri = it.open(path, text)
        (found,) = [one for one in await it.findings(uri) if one.code == "HP204"]
        before = text[: text.index("Buton")]
        assert found.range.start.character == (len(before.encode()) if encoding == "utf-8" else len(before))


def test_it_ends_with_its_editor_and_prints_nothing_but_the_protocol(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loader", "lsp"],
        input=b"Content-Length: 100\r\n\r\n{",
        env={**os.environ, "HERMES_HOME": str(root)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


def test_workers_end_when_the_editor_is_gone_in_the_middle_of_a_check(root: Path) -> None:
    path, good = made(root)
    process = subprocess.Popen(
        [sys.executable, "-m", "loader", "lsp"],
        env={**os.environ, "HERMES_HOME": str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None

    def send(method: str, params: object, number: int | None = None) -> None:
        body: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        data = json.dumps(body if number is None else {**body, "id": number}).encode()
        assert process.stdin is not None
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        process.stdin.flush()

    send("initialize", {"capabilities": {}, "processId": None, "rootUri": None}, 1)
    send("initialized", {})
    document = {"uri": path.as_uri(), "languageId": "javascript", "version": 1, "text": good + "\nfor (;;) {}\n"}
    send("textDocument/didOpen", {"textDocument": document})
    workers: list[psutil.Process] = []
    deadline = time.monotonic() + 60
    while not workers:
        assert time.monotonic() < deadline
        workers = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    process.stdin.close()
    process.stdin = None
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert alive == []
