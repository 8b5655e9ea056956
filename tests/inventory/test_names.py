"""Who goes by an id: the same answers as looking through everybody, whatever came in which order."""

import random

import pytest

from loader.inventory.names import Names


def test_the_first_that_claims_an_id_owns_it_and_the_next_takes_over() -> None:
    names = Names()
    names.name("unified:a", (1, "a"), "a", claims=True)
    names.name("standalone:b", (0, "b"), "a", claims=True)
    names.name("standalone:a", (0, "a"), "a", claims=False)
    assert names.owner("a") == "standalone:b"
    assert names.going_by({"a", "zzz"}) == {"unified:a", "standalone:b", "standalone:a"}
    names.forget("standalone:b")
    assert names.owner("a") == "unified:a"
    names.name("unified:a", (1, "a"), "other", claims=True)
    assert names.owner("a") is None
    assert names.owner("other") == "unified:a"


def test_one_that_waits_is_expected_under_its_folder_and_owns_nothing() -> None:
    names = Names()
    names.expect("unified:a", (1, "a"), "a")
    names.expect("standalone:a", (0, "a"), "a")
    assert names.expected("a") == "standalone:a"
    assert names.owner("a") is None
    assert names.going_by({"a"}) == set()
    names.name("standalone:a", (0, "a"), "a", claims=True)
    assert names.expected("a") == "unified:a"
    assert names.owner("a") == "standalone:a"


def test_forgetting_somebody_unknown_is_nothing() -> None:
    Names().forget("standalone:x")


@pytest.mark.parametrize("seed", range(5))
def test_it_says_what_looking_through_all_would_say(seed: int) -> None:
    chance = random.Random(seed)
    names = Names()
    known: dict[str, tuple[tuple[int, str], str, bool, bool]] = {}
    for _ in range(300):
        rank = (chance.randrange(2), chance.choice("abcd"))
        key = f"{rank[0]}:{rank[1]}"
        plugin_id, claims = chance.choice("abcd"), chance.random() < 0.7
        match chance.randrange(4):
            case 0:
                names.expect(key, rank, rank[1])
                known[key] = (rank, rank[1], False, False)
            case 1:
                names.forget(key)
                known.pop(key, None)
            case _:
                names.name(key, rank, plugin_id, claims=claims)
                known[key] = (rank, plugin_id, True, claims)
        for each in "abcd":
            in_order = sorted((row, key) for key, row in known.items() if row[1] == each)
            assert names.owner(each) == next((key for row, key in in_order if row[3]), None)
            assert names.expected(each) == next((key for row, key in in_order if not row[2]), None)
            assert names.going_by({each}) == {key for row, key in in_order if row[2]}
