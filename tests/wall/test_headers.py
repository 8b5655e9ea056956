"""What the browser is told: nothing loads from elsewhere, whatever was approved, and no device is there."""

import itertools

import pytest

from loader.packages.grants import APIS, CAPABILITIES, NOTHING, Grants
from loader.wall.headers import walled_headers

EVERY = [
    Grants(frozenset(apis), frozenset(capabilities))
    for apis in itertools.chain.from_iterable(itertools.combinations(APIS, size) for size in range(len(APIS) + 1))
    for capabilities in ((), CAPABILITIES)
]
OURS = ("http://127.0.0.1:8787", "http://localhost:8787")


def directives(grants: Grants = NOTHING, ancestors: tuple[str, ...] = OURS) -> dict[str, list[str]]:
    policy = walled_headers(grants, ancestors)["Content-Security-Policy"]
    return {name: rest for name, *rest in (part.split() for part in policy.split("; "))}


def named(grants: Grants) -> str:
    """The same in every process: the order of a set is not."""
    return "+".join(sorted(grants.apis | grants.capabilities)) or "nothing"


@pytest.mark.parametrize("grants", EVERY, ids=named)
def test_no_grant_opens_the_network_or_another_origin(grants: Grants) -> None:
    found = directives(grants)
    assert found["default-src"] == ["'none'"]
    for name in ("frame-src", "object-src", "base-uri", "form-action"):
        assert found[name] == ["'none'"], name
    assert found["connect-src"] == ["'self'"]
    loads = {source for name, sources in found.items() if name.endswith("-src") for source in sources}
    assert loads <= {"'none'", "'self'", "data:", "blob:", "'unsafe-inline'", "'wasm-unsafe-eval'"}
    assert "'unsafe-inline'" not in found["script-src"]
    assert not {"blob:", "data:"} & {*found["script-src"], *found["worker-src"]}
    assert sorted(found["sandbox"]) == ["allow-forms", "allow-same-origin", "allow-scripts"]


def test_only_our_own_pages_may_embed_it_and_words_that_are_no_origin_are_left_out() -> None:
    assert directives()["frame-ancestors"] == [*OURS]
    assert directives(ancestors=("app:", "https://shell.example"))["frame-ancestors"] == [
        "app:",
        "https://shell.example",
    ]
    hostile = ("*", "http://a.example; script-src *", "null", "'self'", "http://*.example", "http://a b", "")
    assert directives(ancestors=hostile)["frame-ancestors"] == ["'none'"]


def test_devices_connections_and_caches_are_denied_with_every_answer() -> None:
    headers = walled_headers(Grants())
    denied = headers["Permissions-Policy"].split(", ")
    assert all(each.endswith("=()") for each in denied)
    for name in (
        "camera",
        "microphone",
        "geolocation",
        "clipboard-read",
        "clipboard-write",
        "usb",
        "serial",
        "payment",
    ):
        assert f"{name}=()" in denied
    assert headers["Connection-Allowlist"] == "(response-origin)"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert not any("cookie" in name.lower() for name in headers)
