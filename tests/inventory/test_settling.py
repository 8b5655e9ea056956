"""Stillness is counted in content."""

from loader.inventory.settling import Stillness, settle_s
from loader.settings import ServiceSettings


def test_each_kind_of_bad_news_has_its_time() -> None:
    settings = ServiceSettings(failure_settle_ms=250, absence_settle_ms=1000, declared_integrity_settle_ms=1500)
    assert settle_s("failure", settings) == 0.25
    assert settle_s("blank", settings) == 1.0
    assert settle_s("absence", settings) == 1.0
    assert settle_s("declared-integrity", settings) == 1.5


def test_another_content_starts_anew_and_the_same_does_not() -> None:
    still = Stillness()
    still.observe("a", 10.0)
    assert still.remaining_s(0.25, 10.0) == 0.25
    still.observe("a", 10.2)
    assert 0.04 < still.remaining_s(0.25, 10.2) < 0.06
    still.observe("b", 10.2)
    assert still.remaining_s(0.25, 10.2) == 0.25
    assert still.remaining_s(0.25, 10.45) == 0.0
    assert still.remaining_s(0.25, 99.0) == 0.0


def test_rounding_does_not_leave_a_rest() -> None:
    still = Stillness()
    still.observe("a", 10.1)
    assert still.remaining_s(0.25, 10.1 + 0.25) == 0.0
