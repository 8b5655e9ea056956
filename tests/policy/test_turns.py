import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.policy.turns import Turns


def held(turns: Turns, plugin: str, stack: list[object]) -> int:
    """Take turns until one is refused; how many were given."""
    count = 0
    while True:
        turn = turns.take(plugin)
        given_one = turn.__enter__()
        stack.append(turn)
        if not given_one:
            return count
        count += 1


def test_one_plugin_holds_half_and_the_next_still_finds_room() -> None:
    turns, stack = Turns(256), list[object]()
    assert [held(turns, plugin, stack) for plugin in ("flood", "second", "third")] == [128, 64, 32]


def test_a_turn_that_ends_is_free_again_and_nothing_is_remembered() -> None:
    turns = Turns(2)
    with turns.take("a") as first:
        assert first
        with turns.take("a") as second, turns.take("b") as other, turns.take("c") as third:
            assert (second, other, third) == (False, True, False)
            assert turns.remembered() == 2
        with turns.take("b") as again:
            assert again
    assert turns.remembered() == 0
    with turns.take("b") as given_one:
        assert given_one


def test_a_call_that_fails_gives_its_turn_back() -> None:
    turns = Turns(2)
    with pytest.raises(ConnectionError), turns.take("a"):
        raise ConnectionError
    assert turns.remembered() == 0


@given(st.lists(st.sampled_from("abcdefgh"), max_size=200), st.integers(1, 64))
def test_never_more_than_the_limit_wait(plugins: list[str], limit: int) -> None:
    turns, stack, waiting = Turns(limit), list[object](), 0
    for plugin in plugins:
        turn = turns.take(plugin)
        waiting += turn.__enter__()
        stack.append(turn)
    assert waiting <= limit
