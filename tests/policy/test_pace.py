import math

from hypothesis import given
from hypothesis import strategies as st

from loader.policy.pace import Pace


def test_the_first_go_at_once_and_the_next_when_the_first_is_old_enough() -> None:
    pace = Pace(2, 1.0)
    assert pace.free_at_s() == -math.inf
    assert [pace.take(5.0), pace.take(5.5), pace.take(5.9)] == [True, True, False]
    assert pace.free_at_s() == 6.0
    assert not pace.take(5.999)
    assert pace.take(6.0)
    assert pace.free_at_s() == 6.5
    assert not pace.take(5.0)


@given(st.lists(st.floats(0, 0.4), max_size=80), st.integers(1, 6))
def test_no_stretch_holds_more(steps: list[float], count: int) -> None:
    pace, now_s, went = Pace(count, 1.0), 0.0, list[float]()
    for step in steps:
        now_s += step
        if pace.take(now_s):
            went.append(now_s)
        else:
            assert now_s < pace.free_at_s() <= now_s + 1.0
    assert all(later - first >= 1.0 for first, later in zip(went, went[count:], strict=False))
