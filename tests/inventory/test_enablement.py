"""Whose word counts: ours, the app's, the plugin's, the door's."""

import pytest

from loader.inventory.enablement import Enablement, decide
from loader.nouns import Door

ON, OFF = {"demo": True}, {"demo": False}
NONE: dict[str, bool] = {}


@pytest.mark.parametrize(
    ("door", "default", "ours", "app", "expected"),
    [
        ("standalone", True, NONE, NONE, Enablement(True, None, "plugin")),
        ("standalone", False, NONE, NONE, Enablement(False, None, "plugin")),
        ("unified", True, NONE, NONE, Enablement(False, None, "door")),
        ("unified", False, NONE, NONE, Enablement(False, None, "door")),
        ("standalone", True, NONE, OFF, Enablement(False, False, "app")),
        ("standalone", False, NONE, ON, Enablement(True, True, "app")),
        ("unified", False, NONE, ON, Enablement(True, True, "app")),
        ("standalone", True, OFF, ON, Enablement(False, False, "ours")),
        ("unified", False, ON, OFF, Enablement(True, True, "ours")),
        ("standalone", True, {"other": False}, {"another": False}, Enablement(True, None, "plugin")),
    ],
)
def test_decide(door: Door, default: bool, ours: dict[str, bool], app: dict[str, bool], expected: Enablement) -> None:
    assert decide("demo", door, default, ours, app) == expected


@pytest.mark.parametrize("default", [True, False])
def test_what_came_from_elsewhere_is_off_until_someone_chose(default: bool) -> None:
    assert decide("demo", "standalone", default, NONE, NONE, foreign=True) == Enablement(False, None, "door")
    assert decide("demo", "standalone", default, ON, NONE, foreign=True) == Enablement(True, True, "ours")
    assert decide("demo", "standalone", default, NONE, ON, foreign=True) == Enablement(True, True, "app")
