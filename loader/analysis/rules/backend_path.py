"""A request to the plugin's own backend by an address that does not lead there.

`ctx.rest` and `ctx.socket` take a path of the plugin's own backend: `'/items'` is `/api/plugins/<id>/items`, on the
machine and with the sign-in of the app's connection. With the whole path written out the backend is asked for
`/api/plugins/<id>/items` below itself, and an address is no path at all. A bare `fetch('/api/plugins/…')` asks the
window's own origin, where no backend answers, and knows neither the machine nor the sign-in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.rule import Finding, Rule, Subject
from loader.analysis.syntax.texts import alternatives, leading_text

_OWN = ("ctx.rest", "ctx.socket")
_BARE = ("global.fetch", "global.WebSocket", "global.EventSource")
_WHOLE = re.compile(r"\s*/?api/plugins/(?P<plugin>[\w.-]*)(?P<path>/[^?#]*)?", re.IGNORECASE)
_ADDRESS = re.compile(r"\s*(?:https?|wss?)://(?P<host>[^/?#\s]*)(?P<path>/[^?#]*)?", re.IGNORECASE)
_HERE = re.compile(r"(?:[\w.-]*\.)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?", re.IGNORECASE)
_WORDS = (b"rest", b"socket", b"api/plugins/")
_SHOWN_LETTERS = 60


def check(subject: Subject) -> Iterator[Finding]:
    module = subject.module
    if not any(word in module.tree.data for word in _WORDS):
        return
    for call in module.calls_to(*_OWN, *_BARE):
        if not call.arguments or call.path is None:
            continue
        for one in alternatives(module, call.arguments[0]):
            written = leading_text(module, one)[:2000]
            found = _own(call.path, written) if call.path in _OWN else _bare(call.path, written)
            if found is not None:
                yield Finding(module.head_span(call.arguments[0]), *found)
                break


def _own(path: str, written: str) -> tuple[str, str] | None:
    address = _ADDRESS.match(written)
    if address is not None:
        return (
            f"`{path}` takes a path of the plugin's own backend, not the address `{_cut(written)}`",
            f"Write the path alone: `{path}('{_rest_of(address['path'])}')`. The app knows the machine.",
        )
    whole = _WHOLE.match(written)
    if whole is not None:
        return (
            f"`{path}` counts from `/api/plugins/<id>` by itself: this asks below it for `{_cut(written)}`",
            f"Write what comes after the id: `{path}('{whole['path'] or '/'}')`.",
        )
    return None


def _bare(path: str, written: str) -> tuple[str, str] | None:
    name = path.removeprefix("global.")
    address = _ADDRESS.match(written)
    if address is not None and not _HERE.fullmatch(address["host"]):
        return None  # another machine (HP615)
    whole = _WHOLE.match(address["path"] or "" if address is not None else written)
    if whole is None:
        return None
    instead = "ctx.rest" if name == "fetch" else "ctx.socket"
    return (
        f"`{name}` does not reach the plugin's backend: it knows neither its machine nor the sign-in",
        f"Ask with `{instead}('{whole['path'] or '/'}')`.",
    )


def _rest_of(path: str | None) -> str:
    whole = _WHOLE.match(path or "")
    return (whole["path"] if whole is not None else path) or "/"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_LETTERS else f"{text[: _SHOWN_LETTERS - 1]}…"


RULE = Rule(
    "HP516",
    __doc__,
    check=check,
    bad="""export default {
  id: 'demo',
  register(ctx) {
    const run = async () => ctx.storage.set('items', await ctx.rest('/api/plugins/demo/items'))
    ctx.register({ id: 'load', area: 'palette', data: { id: 'demo:load', label: 'Load items', run } })
  }
}
""",
    good="""export default {
  id: 'demo',
  register(ctx) {
    const run = async () => ctx.storage.set('items', await ctx.rest('/items'))
    ctx.register({ id: 'load', area: 'palette', data: { id: 'demo:load', label: 'Load items', run } })
  }
}
""",
)
