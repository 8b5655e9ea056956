"""Which hosts are this machine itself, and which addresses are read without encryption."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Of a host's name or address as a URL has it, without brackets and port."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_plain_http(address: str) -> bool:
    """Whatever is not surely plain is to be verified: schemes are spelled in either case."""
    return urlsplit(address).scheme == "http"
