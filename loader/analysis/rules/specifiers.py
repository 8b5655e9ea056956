"""What an author most likely meant by a module name that plugins cannot import: shared by three rules."""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass

from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER, Edit, Fix, ImportRef

_NODE_BUILTINS = frozenset(
    {
        "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
        "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module",
        "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
        "string_decoder", "timers", "tls", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
    }
)  # fmt: skip
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
# What bundlers, Node.js and Deno write around a name.
_PLAIN = re.compile(r"^(?:npm:|(?:\.{0,2}/)*node_modules/)|(?:/index)?\.[cm]?jsx?$|/index$")
_SERVED = re.compile(
    r"https?://.*/(?:npm:)?(?P<name>react(?:/jsx-runtime)?)(?:@[\w.^~-]+)?(?:/.*|\.[cm]?js)?$", re.IGNORECASE
)
_THREE = "A plugin is one file and may import `@hermes/plugin-sdk`, `react` and `react/jsx-runtime`."
# Letters of other scripts that print like a Latin one; compatibility forms (full width, script, bold) fold by NFKC.
_CONFUSABLE = str.maketrans(
    {
        "а": "a", "ɑ": "a", "α": "a", "с": "c", "ϲ": "c", "ԁ": "d", "е": "e", "ҽ": "e", "є": "e", "ɡ": "g", "ց": "g",
        "һ": "h", "հ": "h", "і": "i", "ı": "i", "ɩ": "i", "ι": "i", "ј": "j", "ϳ": "j", "κ": "k", "к": "k", "ӏ": "l",
        "ⅼ": "l", "м": "m", "ո": "n", "п": "n", "ν": "v", "о": "o", "ο": "o", "օ": "o", "р": "p", "ρ": "p", "г": "r",
        "ѕ": "s", "ꜱ": "s", "т": "t", "τ": "t", "υ": "u", "ս": "u", "ц": "u", "ѵ": "v", "х": "x", "χ": "x", "у": "y",
        "γ": "y", "ʏ": "y", "@": "@", "﹫": "@", "∕": "/", "⁄": "/", "⧸": "/", "／": "/", "‐": "-", "‑": "-", "‒": "-",
        "–": "-", "—": "-", "−": "-", "﹣": "-",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NearMiss:
    """``meant`` is the allowed name that was surely meant (then a fix is safe), None when it is only a guess."""

    hint: str
    meant: str | None = None


def lookalike(specifier: str) -> tuple[str, str] | None:
    """The allowed name that a specifier prints like, and its first foreign letter; None when it is no lookalike.

    Invisible letters count too: a zero-width joiner inside ``react`` prints as nothing at all.
    """
    if specifier.isascii() or len(specifier) > 200:
        return None
    visible = "".join(letter for letter in specifier if unicodedata.category(letter) not in ("Cf", "Mn"))
    folded = unicodedata.normalize("NFKC", visible).translate(_CONFUSABLE)
    folded = unicodedata.normalize("NFKC", folded.casefold()).translate(_CONFUSABLE)
    if folded not in ALLOWED_SPECIFIERS:
        return None
    return folded, next(letter for letter in specifier if not letter.isascii())


def code_point(letter: str) -> str:
    """A letter as a person can look it up: ``U+0430 CYRILLIC SMALL LETTER A``."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'unnamed')}"


def shown(specifier: str) -> str:
    """A specifier inside a message: bounded, and with spaces at its ends made visible by quotes."""
    text = specifier if len(specifier) <= 120 else specifier[:117] + "…"
    return f"`{text}`" if text == text.strip() and text else f'`"{text}"`'


def near_miss(specifier: str) -> NearMiss:
    """Why this name will not do, and the way out."""
    cleaned = specifier.strip()
    for allowed in ALLOWED_SPECIFIERS:
        if cleaned.casefold() == allowed:
            what = "spaces" if cleaned == allowed else "upper and lower case"
            return NearMiss(f"Did you mean `{allowed}`? Names count to the letter, {what} included.", allowed)
    bare = re.split(r"[?#]", cleaned, maxsplit=1)[0].rstrip("/")
    if bare in ALLOWED_SPECIFIERS:
        return NearMiss(f"Write `{bare}` alone: the app provides one version, without query or trailing slash.", bare)
    unversioned = re.sub(r"(?<=.)@[\w.^~-]+$", "", bare)
    if unversioned in ALLOWED_SPECIFIERS and unversioned != bare:
        return NearMiss(f"Write `{unversioned}` alone: the app chooses the version.", unversioned)
    plain = _PLAIN.sub("", bare)
    plain = re.sub(r"(?<=.)@[\w.^~-]+$", "", plain)
    if plain in ALLOWED_SPECIFIERS and plain != bare:
        return NearMiss(f"Write `{plain}` alone: it is no file and no package, but a name that the app knows.", plain)
    served = _SERVED.match(bare)
    if served is not None:
        return NearMiss(f"The app has its own `{served['name']}`: import it by that name, without an address.")
    if bare in ("react/jsx-dev-runtime", "preact/jsx-runtime"):
        return NearMiss(
            "Use `jsx` and `jsxs` from `react/jsx-runtime`; build for production (`jsx: automatic`, no dev transform)."
        )
    if bare == "react-dom" or bare.startswith("react-dom/"):
        return NearMiss(
            "The app renders what you return from `render`; portals and roots are not available. Use the SDK's Dialog, "
            "Popover or `host.openWorkspace`."
        )
    if bare.startswith("react/"):
        return NearMiss("Of React's modules only `react` and `react/jsx-runtime` are there.")
    if bare.startswith(f"{SDK_SPECIFIER}/") or bare == "@hermes/sdk" or bare.startswith(("@hermes/", "@hermes-")):
        return NearMiss(f"Everything that the SDK offers is exported by `{SDK_SPECIFIER}` itself.")
    if bare.startswith("node:") or bare.split("/")[0] in _NODE_BUILTINS:
        return NearMiss(
            "The app's window has no Node.js. Ask your own backend with `ctx.rest`, or the agent with `host.request`."
        )
    if (
        bare.startswith((".", "\\"))
        or (bare.startswith("/") and not bare.startswith("//"))
        or re.match(r"^[A-Za-z]:[\\/]", bare)
    ):
        return NearMiss(f"A plugin is a single file: {_by_ending(bare)}")
    if _SCHEME.match(bare):
        return NearMiss("Nothing is fetched at run time: bundle the code into plugin.js.")
    similar = _similar(bare)
    if similar is not None:
        return NearMiss(f"Did you mean `{similar}`? {_THREE}")
    return NearMiss(f"{_THREE} Bundle other packages into plugin.js.")


def _by_ending(path: str) -> str:
    """What to do instead with a file of this kind."""
    ending = path.rpartition(".")[2].lower()
    if ending in ("css", "scss", "sass", "less"):
        return "write styles as `style: {…}`, or render `jsx('style', { children: '…' })`."
    if ending in ("json", "json5", "yaml", "yml", "toml"):
        return "write the data into plugin.js as an object, or ask your backend for it with `ctx.rest`."
    if ending in ("svg", "png", "jpg", "jpeg", "gif", "webp", "ico", "woff", "woff2"):
        return "put it into plugin.js as a `data:` address."
    return "put the code into plugin.js, or bundle it (esbuild --bundle)."


def _similar(specifier: str) -> str | None:
    if len(specifier) > 60:
        return None
    close = difflib.get_close_matches(specifier.casefold(), ALLOWED_SPECIFIERS, n=1, cutoff=0.86)
    return close[0] if close else None


def respelled(one: ImportRef, miss: NearMiss) -> Fix | None:
    """The edit that writes the allowed name inside the literal's quotes; None where it is only a guess."""
    if miss.meant is None:
        return None
    return Fix(f"Import `{miss.meant}`", (Edit(one.start + 1, one.end - 1, miss.meant),))
