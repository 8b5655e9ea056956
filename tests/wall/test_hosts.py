"""Which Host opens a plugin's wall: one spelling, on our port, and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.packages.walled import host_of
from loader.server.access import host_is_loopback
from loader.wall.hosts import is_walled_origin, names_walled_host, origin_of, walled_host
from tests.wall.fakes import NOTES, OTHER

HOST = host_of(NOTES)
PORT = 8787


def test_the_host_of_a_plugin_on_our_port_is_its_own() -> None:
    assert walled_host(f"{HOST}:{PORT}", PORT) == HOST
    assert walled_host(HOST, 80) == HOST
    assert host_of(NOTES) != host_of(OTHER)
    assert origin_of(HOST, PORT) == f"http://{HOST}:{PORT}"
    assert origin_of(HOST, 80) == f"http://{HOST}"


SPELLINGS = [
    *(None, "", HOST, f"{HOST}:", f"{HOST}:80", f"{HOST}:8788", f"{HOST}:08787", f"{HOST}:+8787", f"{HOST}:8787:8787"),
    *(
        f"{HOST.upper()}:8787",
        f"P{HOST[1:]}:8787",
        f"{HOST}.:8787",
        f"{HOST}..:8787",
        f"x.{HOST}:8787",
        f".{HOST}:8787",
    ),
    *(
        f"{HOST}:8787.",
        f" {HOST}:8787",
        f"{HOST}:8787 ",
        f"{HOST}:8787\n",
        f"{HOST}\t:8787",
        f"{HOST}:8787/",
        f"a@{HOST}:8787",
    ),
    *(
        f"{HOST}:8787@evil.example",
        f"evil.example#{HOST}:8787",
        f"{HOST},localhost:8787",
        f"[{HOST}]:8787",
        f"http://{HOST}:8787",
    ),
    *(
        f"{HOST[:-1]}:8787",
        f"{HOST.replace('p-', 'p')}:8787",
        f"{HOST.replace('p-', 'q-')}:8787",
        f"p-{'g' * 32}.localhost:8787",
    ),
    *(f"p-{'0' * 31}.localhost:8787", f"p-{'0' * 33}.localhost:8787", f"p-{'0' * 32}.localhost.evil.example:8787"),
    *(
        f"p-{'0' * 32}.local:8787",
        f"p-{'0' * 32}:8787",
        f"p-{'٠' * 32}.localhost:8787",
        f"{HOST}:８７８７",
        f"{HOST.replace('.', '。')}:8787",
    ),
    *(f"{HOST}%00:8787", f"{HOST}%2e:8787", f"{HOST.replace('-', '‐')}:8787", f"{HOST}:0x2253", f"{HOST}:8787\0"),
]


@pytest.mark.parametrize("host", SPELLINGS, ids=ascii)
def test_no_other_spelling_of_it_is_anybody(host: str | None) -> None:
    assert walled_host(host, PORT) is None
    assert not host_is_loopback(host)


def test_without_a_port_of_our_own_no_host_is_walled() -> None:
    assert walled_host(f"{HOST}:8787", None) is None


@given(st.text(alphabet=st.sampled_from("pP-0123456789abcdefABCDEF.:localhostLOCAL\t\n %@[]"), max_size=60))
def test_what_is_taken_for_a_plugins_host_is_spelled_as_browsers_do(host: str) -> None:
    found = walled_host(host, PORT)
    assert found is None or host == f"{found}:{PORT}"
    assert found is None or not host_is_loopback(host)


@pytest.mark.parametrize(
    "origin",
    [
        *(
            f"http://{HOST}:8787",
            f"http://{HOST}",
            f"https://{HOST}:1",
            f"HTTP://{HOST.upper()}:8787",
            f"http://{HOST}.:8787",
        ),
        *("http://p-.localhost", "http://p-0.localhost:5", f" http://{HOST}:8787 "),
    ],
)
def test_origins_of_that_family_are_told_in_every_spelling(origin: str) -> None:
    assert is_walled_origin(origin)


@pytest.mark.parametrize(
    "origin", ["null", "http://localhost:8787", "http://app.localhost:3000", "https://p-x.example", "http://["]
)
def test_other_origins_are_not_taken_for_one(origin: str) -> None:
    assert not is_walled_origin(origin)


@pytest.mark.parametrize(
    "address", [f"blob:http://{HOST}:1/x", f"view-source:http://{HOST}/", f"https://a.example/?u={HOST.upper()}"]
)
def test_an_address_may_name_a_plugins_host_in_its_middle(address: str) -> None:
    assert names_walled_host(address)
