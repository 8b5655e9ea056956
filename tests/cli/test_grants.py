"""`approve`, `trust`, `untrust`, `audit`, and what `enable` says of what came from elsewhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from loader.home import Home
from loader.packages.grants import Grants
from loader.packages.install import Packages
from loader.packages.record import Consent
from tests.cli.conftest import Cli, RunningService
from tests.packages.conftest import make_app, make_package, make_plugin
from tests.packages.test_shelf import asking

pytestmark = pytest.mark.usefixtures("no_engine")

APP = "com.example.board"
BOTH = Grants(frozenset({"tools", "storage"}), frozenset({"read-only"}))


@pytest.fixture
def app(cli: Cli, home: Path, tmp_path: Path) -> Packages:
    assert cli("install", str(make_app(tmp_path / "app")), "--yes").code == 0
    return Packages(Home(home, home, None, "a test"))


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def answers(text: str) -> None:
        import io

        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        monkeypatch.setattr("loader.cli.consent.has_terminal", lambda: True)
        monkeypatch.setattr("loader.cli.installing.has_terminal", lambda: True)

    return answers


def consent(packages: Packages, package_id: str = APP) -> Consent:
    return packages.entry(package_id).consent


def test_without_a_flag_it_is_only_shown(cli: Cli, app: Packages) -> None:
    outcome = cli("approve", APP)
    assert (outcome.code, outcome.out) == (
        0,
        f"{APP} asks for the namespaces storage, tools; tools that are read-only\ngranted: nothing\n",
    )
    assert cli("approve", APP, "--json").json["lacks"] == ["storage", "tools"]
    assert consent(app) == Consent()


def test_what_is_named_is_granted_and_never_more_than_was_asked_for(cli: Cli, app: Packages) -> None:
    outcome = cli("approve", APP, "--api", "storage", "--api", "cdp", "--capability", "controls-browser", "--yes")
    assert outcome.code == 0
    assert "It does not ask for the namespaces cdp; tools that are controls-browser" in outcome.err
    assert consent(app).approved == Grants(frozenset({"storage"}))
    answer = cli("approve", APP, "--all", "--yes", "--json").json
    assert (answer["approved"]["apis"], answer["lacks"]) == (["storage", "tools"], [])
    assert consent(app).approved == BOTH
    assert cli("approve", APP, "--none").code == 0, "to allow less needs no leave"
    assert consent(app) == Consent()


def test_approving_needs_a_persons_word(cli: Cli, app: Packages, person: Callable[[str], None]) -> None:
    assert cli("approve", APP, "--all").code == 4
    person("n\n")
    assert cli("approve", APP, "--all").code == 4
    assert consent(app) == Consent()
    person("y\n")
    outcome = cli("approve", APP, "--all")
    assert outcome.code == 0
    assert "and nothing else? [y/N]" in outcome.err
    assert consent(app).approved == BOTH


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--api", "file"), "there is no file"),
        (("--capability", "all"), "there is no all"),
        (("--all", "--none"), "or --all, or --none"),
        (("--all", "--api", "tools"), "or --all, or --none"),
    ],
)
def test_what_is_no_grant_is_refused(cli: Cli, app: Packages, args: tuple[str, ...], said: str) -> None:
    outcome = cli("approve", APP, *args, "--yes")
    assert (outcome.code, said in outcome.err) == (2, True)
    assert consent(app) == Consent()


def test_what_was_not_installed_or_asks_for_nothing(cli: Cli, home: Path, tmp_path: Path) -> None:
    assert cli("approve", "nothing", "--all", "--yes").code == 2
    assert cli("trust", "../up", "--yes").code == 2
    cli("install", str(make_plugin(tmp_path / "p", "notes")), "--yes")
    assert cli("approve", "notes", "--api", "tools", "--yes").code == 2


def test_a_web_app_is_switched_only_when_it_is_approved(cli: Cli, app: Packages) -> None:
    outcome = cli("enable", APP)
    assert outcome.code == 2
    assert f"hermes-desktop approve {APP} --api storage --api tools" in outcome.err
    cli("approve", APP, "--all", "--yes")
    assert cli("enable", APP, "--json").json == {"id": APP, "enabled": True}
    assert consent(app).on
    assert cli("disable", APP).out == f"{APP} is off\n"
    assert not consent(app).on
    assert cli("enable", "com.example.none").code == 2


def test_a_desktop_plugin_is_switched_only_when_it_is_approved(cli: Cli, home: Path, tmp_path: Path) -> None:
    cli("install", str(asking(tmp_path / "p")), "--yes")
    outcome = cli("enable", "notes")
    assert outcome.code == 2
    assert "hermes-desktop approve notes --api storage" in outcome.err
    cli("approve", "notes", "--all", "--yes")
    assert cli("enable", "notes").code == 0
    told = [(entry["action"], entry["outcome"]) for entry in cli("audit", "--json").json["audit"]]
    assert told == [("install", "done"), ("enable", "refused"), ("approve", "done"), ("enable", "done")]


def test_the_service_refuses_the_same(cli: Cli, home: Path, tmp_path: Path, service: RunningService) -> None:
    cli("install", str(asking(tmp_path / "p")), "--yes")
    outcome = cli("enable", "notes")
    assert outcome.code == 2
    assert "hermes-desktop approve notes --api storage" in outcome.err
    cli("approve", "notes", "--all", "--yes")
    assert cli("enable", "notes").code == 0


def test_install_can_approve_and_enable_in_one_word(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = str(make_app(tmp_path / "app"))
    assert cli("install", source, "--yes", "--enable").code == 0
    packages = Packages(Home(home, home, None, "a test"))
    assert consent(packages) == Consent(), "enable alone turns nothing on that asks for something"
    assert cli("install", source, "--yes", "--force", "--enable", "--approve").code == 0
    assert consent(packages) == Consent(BOTH, on=True)


def test_an_update_that_asks_for_more_is_asked_about_or_off(
    cli: Cli, home: Path, tmp_path: Path, person: Callable[[str], None]
) -> None:
    source = make_app(tmp_path / "app", apis=("storage",), capabilities=())
    cli("install", str(source), "--yes", "--enable", "--approve")
    packages = Packages(Home(home, home, None, "a test"))
    make_app(source, apis=("storage", "ai"), capabilities=())
    person("y\nn\n")
    outcome = cli("update", APP)
    assert outcome.code == 0
    assert "Approve what it asks for: the namespaces ai? [y/N]" in outcome.err
    assert "+ asks for more: the namespaces ai" in outcome.out
    assert consent(packages) == Consent(Grants(frozenset({"storage"})), on=False)
    make_app(source, apis=("storage", "ai", "cdp"), capabilities=())
    person("y\ny\n")
    assert cli("update", APP).code == 0
    assert consent(packages).approved == Grants(frozenset({"storage", "ai", "cdp"}))


def test_trust_is_a_persons_word_and_can_be_taken_back(
    cli: Cli, home: Path, tmp_path: Path, person: Callable[[str], None]
) -> None:
    source = str(make_plugin(tmp_path / "p", "notes"))
    cli("install", source, "--yes")
    packages = Packages(Home(home, home, None, "a test"))
    assert cli("trust", "notes").code == 4
    person("no\n")
    assert cli("trust", "notes").code == 4
    assert not consent(packages, "notes").trusted
    person("y\n")
    outcome = cli("trust", "notes")
    assert outcome.code == 0
    assert f"notes came from {source}" in outcome.err
    assert consent(packages, "notes").trusted
    assert cli("list", "--json").json["plugins"][0]["walled"] is False
    assert cli("untrust", "notes", "--json").json == {"id": "notes", "trusted": False}
    assert cli("list", "--json").json["plugins"][0]["walled"] is True


def test_a_web_app_is_never_trusted(cli: Cli, app: Packages) -> None:
    outcome = cli("trust", APP, "--yes")
    assert (outcome.code, "has no desktop half" in outcome.err) == (2, True)


def test_parts_that_are_left_out_are_not_installed(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = str(make_package(tmp_path / "pack"))
    assert cli("install", source, "--yes", "--without", "backend", "--without", "agent").code == 0
    folder = home / "plugins" / "pack"
    assert sorted(path.name for path in folder.iterdir()) == ["desktop", "skills"]
    assert cli("verify").code == 0
    assert "is up to date" in cli("update", "pack", "--yes").out, "what was left out is no news"
    (tmp_path / "pack" / "plugin.yaml").write_text("name: pack\nversion: 2.0.0\n")
    assert "is up to date" in cli("update", "pack", "--yes").out, "nor is a change of it"
    (tmp_path / "pack" / "skills" / "write" / "SKILL.md").write_text("# Write more\n")
    assert cli("update", "pack", "--yes").out.splitlines()[-1].startswith("Updated pack")
    assert sorted(path.name for path in folder.iterdir()) == ["desktop", "skills"], "it stays left out"
    assert cli("install", source, "--yes", "--force", "--without", "everything").code == 2
    names = [name for part in ("desktop", "agent", "backend", "skills") for name in ("--without", part)]
    assert cli("install", source, "--yes", "--force", *names).code == 2, "nothing would be left"


def test_what_was_done_and_refused_is_in_the_log(
    cli: Cli, home: Path, tmp_path: Path, person: Callable[[str], None]
) -> None:
    assert cli("audit").code == 0
    source = str(make_app(tmp_path / "app"))
    person("n\n")
    cli("install", source)
    cli("install", source, "--yes")
    cli("approve", APP, "--all", "--yes")
    cli("enable", APP)
    cli("uninstall", APP, "--yes")
    told = cli("audit", "--json").json["audit"]
    assert [(entry["caller"], entry["action"], entry["id"], entry["outcome"]) for entry in told] == [
        ("cli", "install", APP, "refused"),
        ("cli", "install", APP, "done"),
        ("cli", "approve", APP, "done"),
        ("cli", "enable", APP, "done"),
        ("cli", "uninstall", APP, "done"),
    ]
    assert len(cli("audit", "--last", "2").out.splitlines()) == 2
    assert source not in (home / "desktop-loader" / "audit.jsonl").read_text()


def test_what_fails_or_is_refused_by_a_rule_is_in_the_log_too(cli: Cli, app: Packages, tmp_path: Path) -> None:
    bad = make_app(tmp_path / "bad", "com.example.bad")
    (bad / "index.html").unlink()
    assert cli("install", str(bad), "--yes").code == 2
    assert cli("install", str(make_plugin(tmp_path / "p", "notes"))).code == 4, "nobody can be asked"
    assert cli("install", str(tmp_path / "app"), "--yes").code == 2, "it is there already"
    assert cli("approve", "nosuch", "--all", "--yes").code == 2
    assert cli("approve", APP, "--all").code == 4
    assert cli("trust", APP, "--yes").code == 2
    assert cli("untrust", "nosuch").code == 2
    assert cli("enable", APP).code == 2
    assert cli("uninstall", APP).code == 4
    # Looking is no change, and neither is an update where there is nothing new.
    assert cli("install", str(bad), "--probe").code == 1
    assert cli("update", APP, "--yes").code == 0
    assert cli("approve", APP).code == 0
    told = cli("audit", "--json").json["audit"]
    assert [(entry["action"], entry["id"], entry["outcome"]) for entry in told] == [
        ("install", APP, "done"),
        ("install", "com.example.bad", "refused"),
        ("install", "notes", "refused"),
        ("install", APP, "refused"),
        ("approve", "nosuch", "refused"),
        ("approve", APP, "refused"),
        ("trust", APP, "refused"),
        ("untrust", "nosuch", "refused"),
        ("enable", APP, "refused"),
        ("uninstall", APP, "refused"),
    ]


def test_the_switch_of_a_desktop_plugin_is_in_the_log_whoever_answers(
    cli: Cli, home: Path, tmp_path: Path, service: RunningService
) -> None:
    cli("install", str(asking(tmp_path / "p")), "--yes")
    assert cli("enable", "notes").code == 2
    cli("approve", "notes", "--all", "--yes")
    assert cli("enable", "notes").code == 0
    told = cli("audit", "--json").json["audit"]
    assert [(entry["caller"], entry["action"], entry["outcome"]) for entry in told] == [
        ("cli", "install", "done"),
        ("cli", "enable", "refused"),
        ("cli", "approve", "done"),
        ("cli", "enable", "done"),
    ]


def test_open_shows_the_tab_of_one(cli: Cli, app: Packages, service: RunningService) -> None:
    outcome = cli("open", APP, "--json")
    assert outcome.code == 2
    assert f"hermes-desktop enable {APP}" in outcome.err
    cli("approve", APP, "--all", "--yes")
    cli("enable", APP)
    from time import monotonic, sleep

    from tests.server.served import PATIENCE_S

    end = monotonic() + PATIENCE_S
    while cli("open", APP, "--json").code != 0:
        assert monotonic() < end
        sleep(0.05)  # a poll with a deadline: the service looks for what the command line did
    assert cli("open", APP, "--json").json["url"].endswith(f"&view=/app/{APP}")
    assert cli("open", "nothing").code == 2
