"""Writes a new plugin: whole or not at all, and never over anything that is there."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from loader.authoring.templates import BY_NAME, NewFile, Template, app_id_of, files_of
from loader.discovery import candidates_named, is_plugin_name
from loader.errors import UsageError
from loader.home import PACKAGES_FOLDER, Home
from loader.inventory.identity import is_valid_id
from loader.packages.manifest import is_app_id

_ID_RULE = "1 to 64 of a-z, 0-9, '-' and '_', beginning with a letter or a digit, and no device name of Windows"


@dataclass(frozen=True, slots=True)
class NewPlugin:
    """What is to be written; nothing is yet. ``folder`` does not exist. ``id`` is what the plugin will be known by."""

    id: str
    template: Template
    folder: Path
    files: tuple[NewFile, ...]

    @property
    def entry(self) -> Path:
        return self.folder / self.template.entry


def plan_new(plugin_id: str, template_name: str, into: Path | Home) -> NewPlugin:
    """Everything about a new plugin in ``into``: a folder, or a home, whose door the template chooses.

    A home's standalone plugins lie in its root, since the app reads no profile's; packages in the profile that counts.
    A web app lies in no home until it is installed. It may be named by the id that it will have, a reverse domain name.

    Raises:
        UsageError: the id is no id, there is no such template, or something is there already (it is named).
    """
    template = BY_NAME.get(template_name)
    if template is None:
        raise UsageError(f"there is no template '{template_name[:40]}': use one of {', '.join(BY_NAME)}.")
    is_id = is_valid_id(plugin_id) and is_plugin_name(plugin_id)
    if not is_id and not (template.is_app and is_app_id(plugin_id)):
        raise UsageError(f"'{plugin_id[:80]}' cannot be an id: {_ID_RULE}.{_guess(plugin_id)}")
    if isinstance(into, Home) and template.is_app:
        raise UsageError("a web app lies in no home until it is installed: say in which folder to make it.")
    if isinstance(into, Home):
        taken = candidates_named(into, plugin_id)
        if taken:
            raise UsageError(f"{taken[0].path} has that id already. {_WAYS_OUT}")
        parent = into.home / PACKAGES_FOLDER if template.is_package else into.desktop_roots[0]
    else:
        parent = into
    folder = parent / plugin_id
    if os.path.lexists(folder):
        raise _exists(folder)
    known_as = app_id_of(plugin_id) if template.is_app else plugin_id
    return NewPlugin(known_as, template, folder, files_of(template, plugin_id))


_WAYS_OUT = "Choose another id, or take that away first: nothing is ever overwritten."


def _exists(folder: Path) -> UsageError:
    return UsageError(f"{folder} is there already. {_WAYS_OUT}")


def _guess(plugin_id: str) -> str:
    near = re.sub(r"[^a-z0-9_]+", "-", plugin_id[:64].casefold()).strip("-_")
    return f" Did you mean '{near}'?" if is_valid_id(near) and near != plugin_id else ""


def write_new(new: NewPlugin, *, token: Callable[[], str] = lambda: secrets.token_hex(4)) -> None:
    """Write it beside its place under a name that nobody takes for a plugin, then rename: a watcher sees it whole.

    Raises:
        UsageError: it appeared meanwhile, or the place cannot be written to. Nothing is left behind.
    """
    parent = new.folder.parent
    staging = parent / f".{new.folder.name}.staging-{token()}"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        staging.mkdir()
        try:
            for file in new.files:
                path = staging / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(file.text, encoding="utf-8", newline="\n")
            # A rename takes an empty folder's place on POSIX and a full one's nowhere.
            if os.path.lexists(new.folder):
                raise _exists(new.folder)
            staging.rename(new.folder)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        if os.path.lexists(new.folder):
            raise _exists(new.folder) from error
        raise UsageError(f"cannot write {new.folder}: {error.strerror or error}.") from error
