from collections.abc import Iterator
from itertools import count

import pytest

from loader.nouns import PluginCaller
from loader.server.sessions import CODE_LIFE_S, CODES_LIMIT, RETIRED_LIMIT, SESSION_LIFE_S, Credentials, Person, Tool


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def credentials(clock: Clock) -> Credentials:
    names: Iterator[int] = count(1)
    return Credentials("endpoint-secret", now_s=clock, make_token=lambda: f"secret-{next(names)}")


def test_the_endpoint_token_is_a_tool(credentials: Credentials) -> None:
    assert credentials.who("endpoint-secret") == Tool()


@pytest.mark.parametrize(
    "token", ["", "endpoint-secre", "endpoint-secret ", "Endpoint-secret", "\ud800", "x" * 100_000]
)
def test_anything_near_the_endpoint_token_is_nobody(credentials: Credentials, token: str) -> None:
    assert credentials.who(token) is None


def test_a_code_buys_one_session(credentials: Credentials) -> None:
    code = credentials.issue_code()
    session = credentials.redeem(code)
    assert session is not None and session.expires_in_s == SESSION_LIFE_S
    assert credentials.who(session.token) == Person()
    assert credentials.redeem(code) is None


def test_a_code_itself_opens_nothing(credentials: Credentials) -> None:
    assert credentials.who(credentials.issue_code()) is None


def test_a_code_lives_a_minute(credentials: Credentials, clock: Clock) -> None:
    early, late = credentials.issue_code(), credentials.issue_code()
    clock.now_s += CODE_LIFE_S - 0.001
    assert credentials.redeem(early) is not None
    clock.now_s += 0.001
    assert credentials.redeem(late) is None


def test_a_session_ends(credentials: Credentials, clock: Clock) -> None:
    session = credentials.redeem(credentials.issue_code())
    assert session is not None
    clock.now_s += SESSION_LIFE_S
    assert credentials.who(session.token) is None


def test_codes_do_not_pile_up(credentials: Credentials) -> None:
    codes = [credentials.issue_code() for _ in range(CODES_LIMIT + 1)]
    assert credentials.redeem(codes[0]) is None
    assert credentials.redeem(codes[1]) is not None


def test_a_plugin_token_names_plugin_and_revision(credentials: Credentials) -> None:
    assert credentials.who(credentials.mint("demo", "ab")) == PluginCaller("demo", "ab")


def test_a_retired_plugin_token_is_remembered_as_dead(credentials: Credentials) -> None:
    token = credentials.mint("demo", "ab")
    credentials.retire(token)
    assert credentials.who(token) == credentials.plugin(token) == PluginCaller("demo", "ab", alive=False)


def test_only_the_last_thousand_retired_tokens_are_remembered(credentials: Credentials) -> None:
    tokens = [credentials.mint("demo", str(number)) for number in range(RETIRED_LIMIT + 1)]
    for token in tokens:
        credentials.retire(token)
    assert credentials.plugin(tokens[0]) is None
    assert credentials.plugin(tokens[1]) is not None


def test_retiring_what_never_was_changes_nothing(credentials: Credentials) -> None:
    credentials.retire("never")
    assert credentials.plugin("never") is None


def test_other_credentials_are_no_plugin_tokens(credentials: Credentials) -> None:
    session = credentials.redeem(credentials.issue_code())
    assert session is not None
    assert credentials.plugin("endpoint-secret") is None
    assert credentials.plugin(session.token) is None


def test_no_secret_is_kept_in_the_clear(credentials: Credentials) -> None:
    token = credentials.mint("demo", "ab")
    credentials.issue_code()
    assert token not in repr(vars(credentials)) and "endpoint-secret" not in repr(vars(credentials))
