"""open: a link that lets one person in, and a browser where there is one."""

import pytest

from loader.cli.open_page import has_screen, open_link
from tests.cli.conftest import Cli, RunningService


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    links: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", lambda link: not links.append(link))  # type: ignore[func-returns-value]
    return links


def test_the_link_is_printed_and_opened(cli: Cli, service: RunningService, opened: list[str]) -> None:
    outcome = cli("open")
    assert outcome.code == 0
    assert outcome.out.startswith(f"{service.endpoint.url}/#code=")
    assert opened == [outcome.out.strip()]
    assert service.endpoint.token not in outcome.out


def test_an_install_link_is_one_word_of_the_pages_address(cli: Cli, service: RunningService, opened: list[str]) -> None:
    outcome = cli("open", "hermes://plugin/install?repo=https://git.example/~ada/board&enable=1")
    place = "/packages/hermes%3A%2F%2Fplugin%2Finstall%3Frepo%3Dhttps%3A%2F%2Fgit.example%2F%7Eada%2Fboard%26enable%3D1"
    assert outcome.out.strip().endswith(f"&view={place}")
    assert cli("open", "hermes://theme/install?repo=a/b").code == 2


def test_no_browser_is_no_failure(cli: Cli, service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    outcome = cli("open")
    assert outcome.code == 0
    assert "#code=" in outcome.out
    assert outcome.err == "No browser opened: follow the link yourself.\n"


def test_a_program_gets_the_link_alone(cli: Cli, service: RunningService, opened: list[str]) -> None:
    assert cli("open", "--json").json["url"].startswith(service.endpoint.url)
    assert opened == []


def test_each_link_is_another_one(cli: Cli, service: RunningService, opened: list[str]) -> None:
    assert cli("open").out != cli("open").out


def test_without_a_service_there_is_no_page(cli: Cli) -> None:
    outcome = cli("open")
    assert (outcome.code, outcome.out) == (3, "")
    assert "hermes-desktop serve" in outcome.err


def test_serve_opens_the_page_of_the_service_that_has_just_started(
    service: RunningService, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    open_link(service.endpoint)
    assert opened == [capsys.readouterr().out.strip()]


@pytest.mark.parametrize(
    ("environ", "platform", "screen"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "w3m"}, "linux", True),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_text_browser_never_takes_the_terminal_over(environ: dict[str, str], platform: str, screen: bool) -> None:
    assert has_screen(environ, platform) is screen
