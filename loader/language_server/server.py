"""The language server: wires the protocol's messages to the checks and to what is shown of them."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from loader import __version__
from loader.analysis.surface import shipped_surface
from loader.checking.run import Analyzer
from loader.home import Home
from loader.language_server import showing
from loader.language_server.checks import Checked, Checks
from loader.language_server.documents import Document, is_plugin
from loader.language_server.page import Encoding, Page
from loader.settings import AnalysisSettings

_TRIGGERS = ['"', "'", "`", "{", ",", ".", " "]


class PluginServer(LanguageServer):
    """One per editor. Texts are synchronised whole: pygls ends lines where the protocol does not (U+2028, form feed),
    so that ranges of a change would be put in the wrong place in some files."""

    def __init__(self, analyzer: Analyzer, *, find_home: Callable[[], Home], analysis: AnalysisSettings) -> None:
        super().__init__(
            "hermes-desktop", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full, max_workers=1
        )
        self.checks = Checks(analyzer, self._publish, self._complain, find_home=find_home, analysis=analysis)
        self._shown: set[str] = set()
        _wire(self)

    @property
    def encoding(self) -> Encoding:
        chosen = self.workspace.position_encoding
        value = chosen.value if isinstance(chosen, types.PositionEncodingKind) else chosen
        return value if value in ("utf-8", "utf-32") else "utf-16"  # type: ignore[return-value]

    # ------------------------------------------------------------ documents

    def document(self, uri: str) -> Document:
        text = self.workspace.get_text_document(uri)
        path = to_fs_path(uri) if uri.startswith("file:") else None
        return Document(uri, path, text.language_id or "", text.version, text.source)

    def changed(self, uri: str, *, at_once: bool = False) -> None:
        document = self.document(uri)
        if is_plugin(document):
            self.checks.check(document, self.encoding, at_once=at_once)
        else:
            self.forget(uri)

    def forget(self, uri: str) -> None:
        self.checks.forget(uri)
        if uri in self._shown:
            self._shown.discard(uri)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def current(self, uri: str) -> Checked | None:
        """The findings of exactly the text that the editor has now: an edit made for another one would destroy it."""
        checked = self.checks.latest(uri)
        if checked is None or uri not in self.workspace.text_documents:
            return None
        return checked if checked.page.text == self.workspace.get_text_document(uri).source else None

    # ------------------------------------------------------------ what the checks say

    def _publish(self, checked: Checked) -> None:
        uri = checked.document.uri
        self._shown.add(uri)
        found = [showing.diagnostic(checked, one) for one in checked.findings]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version=checked.document.version)
        )

    def _complain(self, text: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))


def _wire(server: PluginServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        checked = server.current(params.text_document.uri)
        return None if checked is None else showing.hover(checked, params.position)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, showing.FIX_ALL]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        checked = server.current(params.text_document.uri)
        return [] if checked is None else showing.code_actions(checked, params)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(params: types.CompletionParams) -> types.CompletionList | None:
        uri = params.text_document.uri
        if uri not in server.workspace.text_documents:
            return None  # closed while the question was under way
        document = server.document(uri)
        if not is_plugin(document):
            return None
        return showing.completion(Page(document.text, server.encoding), params.position, shipped_surface())
