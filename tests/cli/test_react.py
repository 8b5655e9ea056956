"""react: what there is or would be fetched, a person's word before it is, and the way to take it away."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.react.registry import packages_of, registry

TEXTS = {
    name: f"exports.name = {name!r}".encode()
    for name in ("react", "react/jsx-runtime", "scheduler", "react-dom", "react-dom/client")
}


@pytest.fixture(autouse=True)
def own_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("loader.react.choosing", "loader.react.pinned"):
        monkeypatch.setattr(f"{module}.pinned_packages", lambda: packages_of(TEXTS)[0])


def test_it_is_shown_asked_for_fetched_once_and_removed(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with registry(packages_of(TEXTS)[1]) as (url, mood):
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", url)
        shown = cli("react")
        assert (shown.code, f"{url}/react/-/react-19.0.0.tgz" in shown.out, mood.asked) == (0, True, [])
        asked = cli("react", "fetch")
        assert (asked.code, mood.asked) == (4, [])
        assert "no terminal" in asked.err
        mood.how = "wrong"
        refused = cli("react", "fetch", "--yes")
        assert refused.code == 3
        assert "is not react 19.0.0" in refused.err
        assert not (home / "desktop-loader").exists()
        mood.how = "whole"
        assert cli("react", "fetch", "--yes").code == 0
        asked_paths = list(mood.asked)
        fetched = cli("react", "fetch", "--json").json
        assert (fetched["ready"], fetched["origin"], mood.asked) == (True, "fetched", asked_paths)
    assert "was removed" in cli("react", "remove").out
    assert cli("react", "--json").json["ready"] is False
    assert "none" in cli("react", "remove").out


def test_a_person_is_asked_and_what_was_changed_since_is_fetched_anew(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("loader.cli.consent.has_terminal", lambda: True)
    with registry(packages_of(TEXTS)[1]) as (url, mood):
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", url)
        for answer in ("n\n", "", "perhaps\n"):
            monkeypatch.setattr("sys.stdin", Terminal(answer))
            refused = cli("react", "fetch")
            assert (refused.code, mood.asked) == (4, [])
            assert "Nothing was fetched." in refused.err
        monkeypatch.setattr("sys.stdin", Terminal("y\n"))
        fetched = cli("react", "fetch")
        assert fetched.code == 0
        assert "React 19.0.0 is here, verified:" in fetched.out
        assert "React 19.0.0 is here, verified:" in cli("react").out
        kept = next(path for path in (home / "desktop-loader" / "react").rglob("*.js"))
        kept.write_bytes(kept.read_bytes() + b"// and more")
        assert cli("react", "--json").json["ready"] is False
        asked = len(mood.asked)
        assert cli("react", "fetch", "--yes").code == 0
        assert len(mood.asked) > asked
        assert b"and more" not in kept.read_bytes()


def test_a_registry_that_is_none_is_wrong_usage(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://registry.example")
    assert cli("react", "fetch", "--yes").code == 2
