"""What lies on disk during a soak, changed in every way in which editors and people change files."""

# ruff: noqa: E501 - plugins are written as their authors write them

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from bench.texts import plugin

Kind: TypeAlias = Literal["good", "broken", "empty", "foreign id"]
BACKEND = "board"
_BACKEND_API = """\
import os
from fastapi import APIRouter

router = APIRouter()


@router.get("/ok")
async def ok():
    return "ok"


@router.get("/crash")
async def crash():
    os._exit(3)
"""
# Editors and archives set time stamps too: far behind and far ahead of the clock.
_STAMPS_S = (0, 86_400, 1_000_000_000, 4_000_000_000)
FOLDERS = tuple(f"plugin-{number:02}" for number in range(14))


def good(folder: str, number: int) -> str:
    if number % 9 == 0:
        return plugin(6, folder, name=f"Version {number}", seed=number)
    return f"import {{ host }} from '@hermes/plugin-sdk'\nexport default {{ id: '{folder}', name: 'v{number}', register() {{ host.x }} }}\n"


@dataclass
class Disk:
    """``kinds``: of each folder that stands, what its file is; the rest is read from the disk itself.

    ``moved``: of those that were good before they were moved, the folder whose name is their id.
    """

    root: Path
    chance: random.Random
    kinds: dict[str, Kind] = field(default_factory=dict)
    saves: int = 0
    moved: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """A home with some plugins, and a package whose backend answers or crashes as it is asked."""
        dashboard = self.root / "plugins" / BACKEND / "dashboard"
        dashboard.mkdir(parents=True)
        (dashboard / "manifest.json").write_text(json.dumps({"name": BACKEND, "api": "plugin_api.py"}), "utf-8")
        (dashboard / "plugin_api.py").write_text(_BACKEND_API, "utf-8")
        (self.root / "config.yaml").write_text(f"plugins:\n  enabled: [{BACKEND}]\n", "utf-8")
        for _ in range(8):
            self.save("plain")

    @property
    def door(self) -> Path:
        return self.root / "desktop-plugins"

    def file(self, folder: str) -> Path:
        return self.door / folder / "plugin.js"

    def revision(self, folder: str) -> str:
        return hashlib.sha256(self.file(folder).read_bytes()).hexdigest()

    def next(self) -> int:
        """The number of the save that comes now; no two texts are the same."""
        self.saves += 1
        return self.saves

    def _is(self, folder: str, kind: Kind) -> None:
        self.kinds[folder] = kind
        self.moved.pop(folder, None)

    def put(self, folder: str, kind: Kind, data: bytes) -> None:
        path = self.file(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._is(folder, kind)

    def put_what_fits(self, folder: str, data: bytes) -> int:
        """As an editor on a full disk: how many bytes came through. What is there now is broken."""
        self._is(folder, "broken")
        written = 0
        with contextlib.suppress(OSError), self.file(folder).open("wb", buffering=0) as file:
            while written < len(data):
                written += file.write(data[written : written + 64])
        return written

    def remove_folder(self, folder: str) -> None:
        shutil.rmtree(self.door / folder)
        del self.kinds[folder]
        self.moved.pop(folder, None)

    def text(self, folder: str) -> tuple[Kind, bytes]:
        self.saves += 1
        kind: Kind = self.chance.choices(("good", "broken", "empty", "foreign id"), (80, 12, 4, 4))[0]
        match kind:
            case "good":
                text = good(folder, self.saves)
            case "broken":
                text = f"export default {{ id: '{folder}', register() {{ // {self.saves}\n"
            case "empty":
                text = ""
            case "foreign id":
                text = f"export default {{ id: 'other-{folder}', register() {{}} }} // {self.saves}\n"
        return kind, text.encode()

    # ------------------------------------------------------------ one change each

    def save(self, how: str) -> str:
        """Save one plugin; gives what was done, for the log."""
        folder = self.chance.choice(FOLDERS)
        kind, data = self.text(folder)
        path = self.file(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        getattr(self, f"_{how}")(path, data)
        self._is(folder, kind)
        return f"{how} {folder} {kind}"

    def _plain(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)

    def _renamed(self, path: Path, data: bytes) -> None:
        temporary = path.with_name(f".plugin.js.tmp-{self.saves}")
        temporary.write_bytes(data)
        temporary.replace(path)

    def _aside(self, path: Path, data: bytes) -> None:
        """As vim does: the old file becomes the backup, a new one is written, the backup goes."""
        backup = path.with_name("plugin.js~")
        if path.exists():
            path.replace(backup)
        path.write_bytes(data)
        backup.unlink(missing_ok=True)

    def _pieces(self, path: Path, data: bytes) -> None:
        with path.open("wb") as file:
            for start in range(0, len(data), max(1, len(data) // 3)):
                file.write(data[start : start + max(1, len(data) // 3)])
                file.flush()
                time.sleep(0.02)

    def _twice(self, path: Path, data: bytes) -> None:
        path.write_bytes(data[: len(data) // 2])
        path.write_bytes(data)

    def _linked(self, path: Path, data: bytes) -> None:
        """The file is a link that is turned to another target."""
        target = path.parent / f"build-{self.saves % 2}.js"
        target.write_bytes(data)
        link = path.with_name(".link")
        link.unlink(missing_ok=True)
        link.symlink_to(target.name)
        link.replace(path)

    def _stamped(self, path: Path, data: bytes) -> None:
        """Unpacked or synchronised: the time stamp is somebody else's."""
        temporary = path.with_name(f".plugin.js.tmp-{self.saves}")
        temporary.write_bytes(data)
        stamp_s = self.chance.choice(_STAMPS_S)
        os.utime(temporary, (stamp_s, stamp_s))
        temporary.replace(path)

    def _folder_swap(self, path: Path, data: bytes) -> None:
        """A whole folder takes the place of another, as package managers do."""
        staged = self.door / f".staging-{self.saves}"
        staged.mkdir()
        (staged / "plugin.js").write_bytes(data)
        shutil.rmtree(path.parent)
        staged.replace(path.parent)

    def touch(self) -> str:
        folder = self.some()
        if folder:
            self.file(folder).touch()
        return f"touch {folder}"

    def remove(self) -> str:
        folder = self.some()
        if folder:
            self.remove_folder(folder)
        return f"remove {folder}"

    def move(self) -> str:
        """Rename a folder to a free name: its id no longer fits, unless it once was called that."""
        folder = self.some()
        free = [name for name in FOLDERS if name not in self.kinds]
        if not folder or not free:
            return "move nothing"
        target = self.chance.choice(free)
        (self.door / folder).rename(self.door / target)
        kind = self.kinds.pop(folder)
        home = self.moved.pop(folder, folder if kind == "good" else None)
        if home == target:
            kind = "good"
        elif home is not None:
            kind, self.moved[target] = "foreign id", home
        self.kinds[target] = kind
        return f"move {folder} {target}"

    def some(self) -> str | None:
        return self.chance.choice(sorted(self.kinds)) if self.kinds else None


WAYS = ("plain", "renamed", "aside", "pieces", "twice", "linked", "stamped", "folder_swap")
