"""page connect, hosts, disconnect: the token comes by standard input and is shown nowhere."""

from __future__ import annotations

import io
import json

import pytest

from tests.cli.conftest import Cli


def test_a_host_is_connected_listed_and_disconnected(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No host is connected" in cli("page", "hosts").err
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret\n"))
    outcome = cli("page", "connect", "office", "http://hermes.example/", "--token-stdin", "--host-profile", "work")
    assert outcome.code == 0
    assert "not encrypted" in outcome.err
    assert cli("page", "connect", "home", "http://127.0.0.1:9119").err == ""
    listed = cli("page", "hosts")
    assert listed.out.splitlines() == [
        "home  http://127.0.0.1:9119  without a token",
        "office  http://hermes.example  with a token  profile work",
    ]
    rows = json.loads(cli("page", "hosts", "--format", "json").out)["hosts"]
    assert [(row["name"], row["has_token"]) for row in rows] == [("home", False), ("office", True)]
    assert "s3cret" not in outcome.out + outcome.err + listed.out + json.dumps(rows)
    assert cli("page", "disconnect", "office").code == 0
    assert cli("page", "disconnect", "office").code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("connect", "office"), "NAME URL"),
        (("connect", "office", "hermes.example"), "http"),
        (("disconnect",), "which one"),
        (("check",), "what is to be checked"),
        (("connect", "office", "https://x", "--token-stdin"), "no token"),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    outcome = cli("page", *words)
    assert outcome.code == 2
    assert said in outcome.err
