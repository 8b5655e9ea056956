"""Archives of every kind, made as nobody's packer would, and homes to install into."""

import gzip
import io
import json
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PLUGIN = b"import { host } from '@hermes/plugin-sdk'\nexport default { id: 'notes', name: 'Notes', register(ctx) {} }\n"

Member = tuple[str, Any]


def tar_bytes(*members: Any, format: int = tarfile.GNU_FORMAT, packed: bool = True) -> bytes:  # noqa: A002
    """Each member is ``(name, bytes)``, a name ending in a slash (a folder), a TarInfo or ``(TarInfo, bytes)``."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=format) as archive:
        for member in members:
            info, data = _tar_member(member)
            archive.addfile(info, io.BytesIO(data) if data is not None else None)
    return gzip.compress(raw.getvalue(), 6, mtime=0) if packed else raw.getvalue()


def _tar_member(member: Any) -> tuple[tarfile.TarInfo, bytes | None]:
    if isinstance(member, tarfile.TarInfo):
        return member, None
    if isinstance(member, str):
        info = tarfile.TarInfo(member)
        info.type = tarfile.DIRTYPE
        info.mode = 0o755
        return info, None
    name, data = member
    info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
    info.size = len(data)
    return info, data


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def raw_header(name: bytes, size: bytes = b"00000000000\0", kind: bytes = b"0", prefix: bytes = b"") -> bytes:
    """A tar header with any fields; the checksum is right."""
    block = bytearray(512)
    block[0 : len(name)] = name
    block[100:108] = b"0000644\0"
    block[108:116] = block[116:124] = b"0000000\0"
    block[124 : 124 + len(size)] = size
    block[136:148] = b"00000000000\0"
    block[148:156] = b" " * 8
    block[156:157] = kind
    block[257:265] = b"ustar\x0000"
    block[345 : 345 + len(prefix)] = prefix
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def octal(size: int) -> bytes:
    return b"%011o\0" % size


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def raw_file(name: bytes, data: bytes, kind: bytes = b"0") -> bytes:
    return raw_header(name, octal(len(data)), kind) + padded(data)


def pax(**records: str) -> bytes:
    """A pax header for the next member; ``__`` in a key stands for a dot."""
    data = b""
    for key, value in records.items():
        body = b" %s=%s\n" % (key.replace("__", ".").encode(), value.encode("utf-8", "surrogateescape"))
        length = len(body) + 1
        while len(str(length)) + len(body) != length:
            length += 1
        data += str(length).encode() + body
    return raw_file(b"pax", data, b"x")


END = bytes(1024)


def zip_bytes(*members: Any, comment: bytes = b"", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Each member is ``(name, bytes)``, a folder's name, or ``(ZipInfo, bytes)``."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", method) as archive:
        archive.comment = comment
        for member in members:
            name, data = (member, b"") if isinstance(member, str) else member
            with warnings.catch_warnings():  # of a name that is there already
                warnings.simplefilter("ignore")
                archive.writestr(name, data)
    return raw.getvalue()


def unix_zip(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def windows_zip(name: str) -> zipfile.ZipInfo:
    """An entry as Compress-Archive of Windows PowerShell writes it."""
    info = zipfile.ZipInfo("x")
    info.filename, info.create_system = name, 0
    return info


@pytest.fixture
def archive(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes, name: str = "a.tgz") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


# ---------------------------------------------------------------- plugins on the disk


def make_plugin(folder: Path, plugin_id: str, *, version: int = 1, extra: dict[str, str] | None = None) -> Path:
    files = {
        "plugin.js": f"export default {{ id: '{plugin_id}', name: 'v{version}', register() {{}} }}\n",
        "README.md": "# Read me\n",
        **(extra or {}),
    }
    return write_files(folder, files)


def make_package(folder: Path, plugin_id: str = "pack") -> Path:
    return write_files(
        folder,
        {
            "plugin.yaml": f"name: {plugin_id}\nversion: 1.0.0\n",
            "desktop/plugin.js": f"export default {{ id: '{plugin_id}', name: 'Pack', register() {{}} }}\n",
            "dashboard/manifest.json": f'{{"name": "{plugin_id}", "api": "plugin_api.py"}}',
            "dashboard/plugin_api.py": "raise SystemExit('nobody imports this')\n",
            "skills/write/SKILL.md": "# Write\n",
        },
    )


def make_app(
    folder: Path,
    app_id: str = "com.example.board",
    *,
    apis: tuple[str, ...] = ("tools", "storage"),
    capabilities: tuple[str, ...] = ("read-only",),
    text: str = "board",
) -> Path:
    """A web app; by default one that asks for something."""
    manifest = {
        "kind": "web-app",
        "id": app_id,
        "name": "Board",
        "requestedApis": [*apis],
        "permissions": [*(capabilities if apis else ())],
    }
    page = f"<!doctype html><title>Board</title><script src='app.js'></script><p>{text}</p>\n"
    return write_files(folder, {"plugin.json": json.dumps(manifest), "index.html": page, "app.js": "// nothing\n"})


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
