"""Which hosts are this machine itself, and which addresses are read without encryption."""

from __future__ import annotations

import pytest

from loader.loopback import is_loopback, is_plain_http


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_this_machine_goes_by_these_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", "localhost.evil.example", "10.0.0.1", "0.0.0.0", "127.0.0.1.evil.example", "2130706433"]
)
def test_every_other_host_is_elsewhere(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("address", "plain"),
    [("http://x", True), ("HTTP://x", True), ("https://x", False), ("HTTPS://x", False), ("//x", False), ("", False)],
)
def test_whatever_is_not_surely_plain_is_verified(address: str, plain: bool) -> None:
    assert is_plain_http(address) is plain
