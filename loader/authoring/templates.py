"""The templates of `hermes-desktop new`, and the files that one makes of an id.

A template is a folder of ``loader/templates``; its files end in ``.template`` so that no tool takes them for code, and
hold ``{{id}}``, ``{{name}}`` and the other words of ``_words``. ``shared`` is for all that have no file of that name of
their own, and every plugin gets the types of the SDK (a web app those of its bridge), so that an editor completes it
at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from loader.packages.manifest import is_app_id
from loader.packages.walled import host_of

_SUFFIX = ".template"
_SHARED = "shared"
_TYPES = "types"
_BRIDGE_TYPES = "plugin-bridge.d.ts"
_LABEL_LETTERS = 63
_WORD = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Template:
    """``about`` completes the sentence "A plugin: …". A package goes through the other door (``plugins``), a web app
    through none: it is installed."""

    name: str
    about: str
    is_package: bool = False
    is_app: bool = False

    @property
    def entry(self) -> str:
        """The file with the plugin's code, seen from the new folder."""
        if self.is_app:
            return "app.js"
        return "desktop/plugin.js" if self.is_package else "plugin.js"


TEMPLATES: tuple[Template, ...] = (
    Template("pane", "a pane with a state of its own"),
    Template("status", "a chip in the status bar that follows the app's state"),
    Template("page", "a page with its row in the sidebar, and a query that refreshes"),
    Template("theme", "a theme for day and night, worked out from one hue"),
    Template("directive", "a transcript directive, shown as a card"),
    Template("command", "a command for the palette and for a key"),
    Template("package", "a desktop half, a backend and tests in one", is_package=True),
    Template("web-app", "a page of its own, which calls the app's tools as far as a person approves", is_app=True),
)
BY_NAME: Mapping[str, Template] = {template.name: template for template in TEMPLATES}


@dataclass(frozen=True, slots=True)
class NewFile:
    """``path`` is relative to the new folder, with slashes."""

    path: str
    text: str


def title_of(plugin_id: str) -> str:
    """A name for people: ``my-first_plugin`` → ``My first plugin``."""
    words = re.sub(r"[-_]+", " ", plugin_id.rpartition(".")[2]).strip() or plugin_id
    return words[:1].upper() + words[1:]


def app_id_of(name: str) -> str:
    """A web app's id, which is a reverse domain name: ``my_board`` → ``com.example.my-board``; one that is stays."""
    if is_app_id(name):
        return name
    label = re.sub(r"[^a-z0-9]+", "-", name)[:_LABEL_LETTERS].strip("-")
    return f"com.example.{label or 'app'}"


def files_of(template: Template, plugin_id: str) -> tuple[NewFile, ...]:
    """Everything that a new plugin of this id consists of, the plugin's file first, then by path.

    ``plugin_id`` must be a valid one: it is written into code as it is.
    """
    words = _words(template, plugin_id)
    root = resources.files("loader") / "templates"
    found = dict(_read(root / _SHARED, words))
    found.update(_read(root / template.name, words))
    types = resources.files("sdk_stubs") / "types"
    for entry in types.iterdir():
        wanted = entry.name == _BRIDGE_TYPES if template.is_app else entry.name.endswith(".d.ts")
        if wanted:
            found[f"{_TYPES}/{entry.name}"] = entry.read_text(encoding="utf-8")
    ordered = sorted(found, key=lambda path: (path != template.entry, path.startswith(_TYPES), path))
    return tuple(NewFile(path, found[path]) for path in ordered)


def _words(template: Template, plugin_id: str) -> dict[str, str]:
    return {
        "id": app_id_of(plugin_id) if template.is_app else plugin_id,
        "folder": plugin_id,
        "host": host_of(app_id_of(plugin_id)),
        "name": title_of(plugin_id),
        "about": template.about,
        "entry": template.entry,
        # A directive begins with a letter, an id may begin with a digit.
        "directive": plugin_id if plugin_id[0].isalpha() else f"x-{plugin_id}",
    }


def _read(folder: Traversable, words: Mapping[str, str], inside: str = "") -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        path = f"{inside}{entry.name}"
        if entry.is_dir():
            yield from _read(entry, words, f"{path}/")
        elif path.endswith(_SUFFIX):
            text = entry.read_text(encoding="utf-8")
            yield path.removesuffix(_SUFFIX), _WORD.sub(lambda match: words[match[1]], text)
