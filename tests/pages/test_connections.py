"""The Hermes hosts elsewhere that a person connected: what is a host, and what is kept of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loader.errors import NeedsPerson, UsageError
from loader.pages.connections import FILE, LIMIT, PageHosts, checked_address


@pytest.fixture
def hosts(tmp_path: Path) -> PageHosts:
    return PageHosts(tmp_path)


@pytest.mark.parametrize("text", ["https://hermes.example/", "http://127.0.0.1:9119", "http://[::1]:1/sub/"])
def test_a_plain_address_loses_its_last_slash_only(text: str) -> None:
    assert checked_address(text) == text.rstrip("/")


@pytest.mark.parametrize(
    "text",
    ["", "hermes.example", "ftp://hermes.example", "https://", "https://a:b@hermes.example", "https://x/?token=1",
     "https://x/#y", "http://[", "https://x:99999", "https://a\n.example", "https://a b", "https://\u202eevil",
     "https://xn--a", f"https://x/{'a' * 2048}"],
)  # fmt: skip
def test_what_is_no_plain_address_is_refused(hosts: PageHosts, text: str) -> None:
    with pytest.raises(UsageError, match="address"):
        hosts.connect("office", text)
    assert hosts.all() == ()


@pytest.mark.parametrize("name", ["", "../x", "a/b", "~x", "-x", "a" * 65, "ü"])
def test_a_name_is_a_plain_word(hosts: PageHosts, name: str) -> None:
    with pytest.raises(UsageError, match="name"):
        hosts.connect(name, "https://x")


@pytest.mark.parametrize("token", ["a\nb", "ü", "a" * 5000, "x\x00"])
def test_what_cannot_be_a_header_is_no_token(hosts: PageHosts, token: str) -> None:
    with pytest.raises(UsageError, match="token"):
        hosts.connect("office", "https://x", token=token)


@pytest.mark.parametrize("profile", ["a\nb", "a" * 129])
def test_what_cannot_be_shown_is_no_profile(hosts: PageHosts, profile: str) -> None:
    with pytest.raises(UsageError, match="profile"):
        hosts.connect("office", "https://x", profile=profile)
    assert hosts.connect("office", "https://x", profile="  ").profile is None


@pytest.mark.parametrize(
    ("url", "token", "read"),
    [
        ("http://hermes.example", "secret", True), ("HTTP://192.168.1.7:9119", "secret", True),
        ("http://hermes.example", None, False), ("https://hermes.example", "secret", False),
        ("http://127.0.0.1:1", "secret", False), ("http://localhost", "x", False), ("http://[::1]", "x", False),
    ],
)  # fmt: skip
def test_who_reads_a_token_on_the_way(hosts: PageHosts, url: str, token: str | None, read: bool) -> None:
    if read:
        with pytest.raises(NeedsPerson, match="not encrypted"):
            hosts.connect("office", url, token=token, read_on_the_way=False)
    assert hosts.connect("office", url, token=token).is_read_on_the_way is read


def test_only_the_host_that_was_meant_is_disconnected(hosts: PageHosts) -> None:
    first = hosts.connect("office", "https://x")
    hosts.disconnect("office")
    second = hosts.connect("office", "https://x")
    assert hosts.disconnect_id(first.connection) is False
    assert hosts.all() == (second,)
    assert hosts.disconnect_id(second.connection) is True


def test_hosts_are_kept_by_name_for_their_owner_alone(hosts: PageHosts, tmp_path: Path) -> None:
    second = hosts.connect("second", "https://b.example", profile="work")
    first = hosts.connect("first", "https://a.example", token="secret")
    assert PageHosts(tmp_path).all() == (first, second)
    if os.name != "nt":
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    with pytest.raises(UsageError, match="already"):
        hosts.connect("first", "https://c.example")
    assert (hosts.disconnect("first"), hosts.disconnect("first")) == (True, False)
    assert hosts.connect("first", "https://a.example").connection != first.connection


def test_there_is_a_most_of_them(hosts: PageHosts) -> None:
    for number in range(LIMIT):
        hosts.connect(f"h{number}", "https://x")
    with pytest.raises(UsageError, match="the most"):
        hosts.connect("one-more", "https://x")


def test_what_others_wrote_into_the_file_is_passed_over(hosts: PageHosts, tmp_path: Path) -> None:
    good = hosts.connect("good", "https://x")
    file = tmp_path / FILE
    file.write_text(file.read_text("utf-8").replace('"good"', '"bad": {"url": 7}, "worse": [], "good"'), "utf-8")
    assert hosts.all() == (good,)
