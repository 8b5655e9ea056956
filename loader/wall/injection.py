"""Puts the bridge's script before every other one of a page; all other bytes stay as they are. Pure.

It is a service to the plugin, no part of the wall: a page that hides from this one only does without its bridge.
"""

from __future__ import annotations

from html.parser import HTMLParser

from loader.wall.paths import BRIDGE_PATH

_TAG = f'<script src="{BRIDGE_PATH}"></script>'.encode("ascii")
_MARK = b"\xef\xbb\xbf"
# A doctype stands at the top or has no meaning: only comments and blanks may come before it.
_LOOK_AT_BYTES = 64 * 1024


class _Top(HTMLParser):
    """Finds the end of the doctype, or the place where anything else begins."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.text = text
        self.end: int | None = None
        self.decided = False

    @property
    def _here(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    def handle_decl(self, decl: str) -> None:
        if not self.decided and decl.lower().startswith("doctype"):
            closes = self.text.find(">", self._here)
            self.end = None if closes < 0 else closes + 1
        self.decided = True

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.decided = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.decided = True


def with_bridge(page: bytes) -> bytes:
    """The page with the bridge's script right after its doctype, or first where it has none."""
    start = len(_MARK) if page.startswith(_MARK) else 0
    # One letter for each byte, so that places are those of the bytes whatever they mean.
    text = page[start : start + _LOOK_AT_BYTES].decode("latin-1")
    top = _Top(text)
    top.feed(text)
    place = start + (top.end or 0)
    return page[:place] + _TAG + page[place:]
