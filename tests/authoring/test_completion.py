"""What a new plugin gives its author at once: TypeScript's language server, as editors start it, completes the SDK."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from loader.authoring.creating import plan_new, write_new
from tests.requirements import node, peers

pytestmark = [pytest.mark.real, pytest.mark.anyio, pytest.mark.timeout(120)]


async def completed(path: Path, root: Path, marked: str) -> set[str]:
    """The labels offered at ``‸``, in a session of its own."""
    client = LanguageClient("a test", "1")
    tsc = peers() / "node_modules" / "typescript" / "bin" / "tsc"
    await client.start_io(node(), str(tsc), "--lsp", "--stdio")
    try:
        folder = types.WorkspaceFolder(root.as_uri(), root.name)
        parameters = types.InitializeParams(
            types.ClientCapabilities(), root_uri=root.as_uri(), workspace_folders=[folder]
        )
        async with asyncio.timeout(60):
            await client.initialize_async(parameters)
            client.initialized(types.InitializedParams())
            before, after = marked.split("‸")
            document = types.TextDocumentItem(path.as_uri(), "javascript", 1, before + after)
            client.text_document_did_open(types.DidOpenTextDocumentParams(document))
            position = types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
            found = await client.text_document_completion_async(
                types.CompletionParams(types.TextDocumentIdentifier(path.as_uri()), position)
            )
    finally:
        assert client._server is not None
        client._server.kill()
        await client.stop()  # type: ignore[no-untyped-call]
    assert isinstance(found, types.CompletionList)
    return {item.label for item in found.items}


@pytest.mark.parametrize("template", ["pane", "package"])
async def test_an_editor_completes_the_sdk_and_ctx(template: str, tmp_path: Path) -> None:
    new = plan_new("my-plugin", template, tmp_path)
    write_new(new)
    text = new.entry.read_text(encoding="utf-8")
    names = await completed(new.entry, tmp_path, text.replace("import { Button", "import { ‸, Button", 1))
    assert {"THEMES_AREA", "StatusDot", "host"} <= names
    members = await completed(new.entry, tmp_path, text.replace("register(ctx) {\n", "register(ctx) {\n    ctx.‸\n", 1))
    assert {"register", "rest", "storage", "onDispose"} <= members
