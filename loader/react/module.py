"""React for the page: npm ships CommonJS, browsers import modules, so its files are wrapped into one module.

The files are the user's (``serve --react-dir``) or fetched ones (``fetching``); nothing of React is in this project.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from loader.errors import UsageError

FILE_LIMIT_BYTES = 4 * 1024 * 1024
# What is required under which name, and where npm's packages keep it: React 19, then 18.
FILES: dict[str, tuple[str, ...]] = {
    "react": ("react/cjs/react.production.js", "react/cjs/react.production.min.js"),
    "react/jsx-runtime": (
        "react/cjs/react-jsx-runtime.production.js",
        "react/cjs/react-jsx-runtime.production.min.js",
    ),
    "scheduler": ("scheduler/cjs/scheduler.production.js", "scheduler/cjs/scheduler.production.min.js"),
    "react-dom": ("react-dom/cjs/react-dom.production.js", "react-dom/cjs/react-dom.production.min.js"),
    # React 18 has its client in react-dom itself.
    "react-dom/client": (
        "react-dom/cjs/react-dom-client.production.js",
        "react-dom/cjs/react-dom.production.min.js",
    ),
}
EXPORTS = {
    "React": "react",
    "jsxRuntime": "react/jsx-runtime",
    "ReactDOM": "react-dom",
    "client": "react-dom/client",
}


def react_module(folder: Path) -> str:
    """The text of a module that exports React, jsxRuntime, ReactDOM and client. Blocks.

    ``folder`` holds react, react-dom and scheduler as npm installs them, or a node_modules that does.

    Raises UsageError naming the first file that is missing or cannot be read.
    """
    base = folder / "node_modules" if (folder / "node_modules" / "react").is_dir() else folder
    return wrapped({name: _read(base, name) for name in FILES})


def wrapped(texts: Mapping[str, str]) -> str:
    """The module around what npm ships; ``texts`` has one for each name of ``FILES``."""
    parts = [f"{json.dumps(name)}: function (exports, require, module) {{\n{texts[name]}\n}}" for name in FILES]
    exports = "".join(f"export const {name} = need({json.dumps(of)});\n" for name, of in EXPORTS.items())
    return (
        "const made = {};\n"
        f"const files = {{\n{','.join(parts)}\n}};\n"
        "function need(name) {\n"
        "  if (made[name]) return made[name].exports;\n"
        "  if (!files[name]) throw new Error(`React asks for ${name}, which is not wrapped`);\n"
        "  const module = (made[name] = { exports: {} });\n"
        "  files[name].call(module.exports, module.exports, need, module);\n"
        "  return module.exports;\n"
        "}\n"
        f"{exports}"
    )


def _read(base: Path, name: str) -> str:
    for place in FILES[name]:
        file = base / place
        if not file.is_file():
            continue
        try:
            if file.stat().st_size > FILE_LIMIT_BYTES:
                raise UsageError(f"{file} is larger than {FILE_LIMIT_BYTES} bytes: that is not React.")
            return file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{file} cannot be read: {error}") from error
    raise UsageError(f"There is no {FILES[name][0]} in {base}: run `npm install react react-dom` there.")
