"""The names of plugins' own origins, as they come in Host and Origin headers. Pure.

One spelling opens the wall: what a browser sends. Every other one that a resolver or a parser might take for the same
name is nobody's host, and no origin of that family is ever let in to the service itself.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from loader.packages.walled import HOST_DIGITS, HOST_SUFFIX

_HOST = re.compile(
    rf"(?P<name>p-[0-9a-f]{{{HOST_DIGITS}}}{re.escape(HOST_SUFFIX)})(?::(?P<port>[1-9][0-9]{{0,4}}))?", re.ASCII
)
_FAMILY = re.compile(rf"p-[^.]*{re.escape(HOST_SUFFIX)}\.*", re.IGNORECASE)
_NAMED = re.compile(rf"p-[0-9a-f]{{{HOST_DIGITS}}}{re.escape(HOST_SUFFIX)}", re.IGNORECASE)
_HTTP_PORT = 80


def walled_host(host: str | None, port: int | None) -> str | None:
    """The name without its port when this Host is a plugin's on the port where we listen, else None."""
    found = _HOST.fullmatch(host or "")
    if found is None or port is None:
        return None
    # A browser leaves the port out where it is the scheme's own, and never writes it then.
    spelled = found["port"]
    fits = spelled is None if port == _HTTP_PORT else spelled == str(port)
    return found["name"] if fits else None


def origin_of(host: str, port: int) -> str:
    """The origin of a plugin's frame, as a browser writes it."""
    return f"http://{host}{'' if port == _HTTP_PORT else f':{port}'}"


def is_walled_origin(origin: str) -> bool:
    """Whether a web origin may be a plugin's, in any spelling, on any port. Too many are better than one too few."""
    try:
        name = urlsplit(origin.strip()).hostname or ""
    except ValueError:
        return False
    return _FAMILY.fullmatch(name) is not None


def names_walled_host(text: str) -> bool:
    """Whether a plugin's host stands anywhere in an address (``blob:``, ``view-source:``, a parameter)."""
    return _NAMED.search(text) is not None
