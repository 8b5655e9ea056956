"""Our own look for changes, where the system gives no events: time stamps, sizes and inodes, in nanoseconds.

Whole seconds are not enough (a second save within one is lost), nor is the time of change alone (a copy may keep
its old one): size, inode and, where it means something, the time of the inode's change count too.
"""

from __future__ import annotations

import os
from typing import TypeAlias

from loader.discovery import DESKTOP_HALF, ENTRIES_LIMIT, is_plugin_name
from loader.home import PACKAGES_FOLDER, Home
from loader.watching.plan import CONFIG_FILE, PLUGIN_FILES

Stamp: TypeAlias = tuple[int, ...] | None
Snapshot: TypeAlias = dict[str, tuple[Stamp, ...]]
"""By hint (plugin folder, door, ``config.yaml``, the folder of records): the stamps of all files that count there."""

_FILES = tuple(sorted(PLUGIN_FILES))


def take_snapshot(home: Home) -> Snapshot:
    """Look at everything that a hint may be about. Blocking; about 10 µs for each plugin folder."""
    snapshot: Snapshot = {}
    desktop_roots, homes = [str(path) for path in home.desktop_roots], [str(path) for path in home.homes]
    for own in homes:
        config = f"{own}{os.sep}{CONFIG_FILE}"
        snapshot[config] = (_stamp(config),)
    records = str(home.records_dir)
    snapshot[records] = tuple(_stamp(path) for path in _records(records))
    for door in desktop_roots:
        _look_into(door, "", snapshot)
    for own in homes:
        _look_into(f"{own}{os.sep}{PACKAGES_FOLDER}", f"{os.sep}{DESKTOP_HALF}", snapshot)
    return snapshot


def changed(before: Snapshot, after: Snapshot) -> frozenset[str]:
    """The hints whose stamps differ, or that came or went."""
    return frozenset(hint for hint in before.keys() | after.keys() if before.get(hint) != after.get(hint))


def _look_into(door: str, half: str, snapshot: Snapshot) -> None:
    names: list[str] = []
    try:
        with os.scandir(door) as entries:
            for number, entry in enumerate(entries):
                if number >= ENTRIES_LIMIT:
                    break
                if is_plugin_name(entry.name) and _is_folder(entry):
                    names.append(entry.name)
    except OSError as error:
        snapshot[door] = ((error.errno or 0,),)
        return
    for name in names:
        folder = f"{door}{os.sep}{name}"
        snapshot[folder] = tuple(_stamp(f"{folder}{half}{os.sep}{file}") for file in _FILES)


def _records(folder: str) -> list[str]:
    try:
        return sorted(f"{folder}{os.sep}{name}" for name in os.listdir(folder) if name.endswith(".json"))  # noqa: PTH208
    except OSError:
        return []


def _stamp(path: str) -> Stamp:
    """Links are followed: a linked file changes when its target does."""
    try:
        found = os.stat(path)  # noqa: PTH116 - thousands of them each second
    except (OSError, ValueError):
        return None
    # On Windows this is the time of making, which never lies about a change.
    return (found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev, found.st_ctime_ns, found.st_mode)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
