from hypothesis import given
from hypothesis import strategies as st

from loader.server.ring import Ring


def filled(count: int, **limits: int) -> Ring:
    ring = Ring(**limits)
    for seq in range(1, count + 1):
        ring.append(seq, f"event {seq}")
    return ring


def test_what_was_missed_comes_in_order_and_once() -> None:
    assert filled(5).after(3) == ["event 4", "event 5"]


def test_nothing_was_missed() -> None:
    assert filled(5).after(5) == []
    assert Ring().after(0) == []


def test_the_whole_history_while_it_is_there() -> None:
    assert filled(3).after(0) == ["event 1", "event 2", "event 3"]


def test_a_seq_that_is_gone_or_never_was_has_no_answer() -> None:
    ring = filled(10, limit_events=4)
    assert ring.after(6) == ["event 7", "event 8", "event 9", "event 10"]
    assert ring.after(5) is None
    assert ring.after(11) is None
    assert ring.after(-1) is None


def test_the_ring_is_bounded_in_bytes_too() -> None:
    ring = Ring(limit_bytes=1000)
    for seq in range(1, 100):
        ring.append(seq, "x" * 300)
    assert ring.size_bytes <= 1000
    assert ring.after(96) == ["x" * 300] * 3


def test_an_event_larger_than_the_ring_is_not_kept() -> None:
    ring = Ring(limit_bytes=10)
    ring.append(1, "x" * 11)
    assert ring.size_bytes == 0
    assert ring.after(0) is None
    assert ring.after(1) == []


@given(st.integers(0, 60), st.integers(0, 70), st.integers(1, 20))
def test_the_answer_is_always_all_or_none(count: int, since: int, limit: int) -> None:
    found = filled(count, limit_events=limit).after(since)
    if found is None:
        assert since > count or since < count - limit
    else:
        assert found == [f"event {seq}" for seq in range(since + 1, count + 1)]
