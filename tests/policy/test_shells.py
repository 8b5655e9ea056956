from loader.policy.shells import Shells


def test_the_last_mounted_is_asked_when_none_is_focused() -> None:
    shells = Shells()
    assert shells.owner_of("a") is None
    shells.mount("one", focused=False, actions=None)
    shells.mount("two", focused=False, actions=None)
    assert shells.owner_of("a") == "two"
    shells.mount("one", focused=False, actions=None)
    assert shells.owner_of("a") == "one"


def test_the_focused_one_is_asked_before_a_later_one() -> None:
    shells = Shells()
    shells.mount("one", focused=True, actions=None)
    shells.mount("two", focused=False, actions=None)
    assert shells.owner_of("a") == "one"
    shells.focus("one", False)
    assert shells.owner_of("a") == "two"
    assert not shells.any_focused


def test_of_two_that_claim_the_focus_the_later_claim_counts() -> None:
    shells = Shells()
    shells.mount("one", focused=True, actions=None)
    shells.mount("two", focused=True, actions=None)
    assert shells.owner_of("a") == "two"
    shells.focus("one", True)
    assert shells.owner_of("a") == "one"


def test_only_a_shell_with_a_handler_is_asked_focus_or_not() -> None:
    shells = Shells()
    shells.mount("one", focused=True, actions=frozenset({"b"}))
    shells.mount("two", focused=False, actions=frozenset({"a"}))
    assert shells.owner_of("a") == "two"
    assert shells.owner_of("b") == "one"
    assert shells.owner_of("c") is None


def test_an_unmounted_shell_is_forgotten() -> None:
    shells = Shells()
    shells.mount("one", focused=True, actions=None)
    assert shells.unmount("one")
    assert not shells.unmount("one")
    shells.focus("one", True)
    assert shells.owner_of("a") is None
    assert len(shells) == 0
