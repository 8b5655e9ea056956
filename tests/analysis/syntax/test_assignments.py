"""Values given to members."""

from loader.analysis.syntax import parse
from loader.analysis.syntax.assignments import member_assignments, member_name, member_owner


def test_plain_and_adding_assignments_are_found_with_owner_and_name() -> None:
    module = parse("a.b.c = 1; a['d'] += 2; a[x] = 3; (a.e) = 4; a.f ??= 5; a.g ||= 6; h = 7; const { i } = a")
    found = [(module.tree.raw(one.owner), one.name, module.tree.raw(one.value)) for one in member_assignments(module)]
    assert found == [("a.b", "c", "1"), ("a", "d", "2"), ("a", None, "3"), ("a", "e", "4")]


def test_the_last_name_of_a_member_needs_no_known_base() -> None:
    module = parse("f().say('x'); f()['tell'](1); g(2); f()[x](3)")
    assert [member_name(module, call.callee) for call in module.calls if call.path != "global.f"] == [
        "say",
        "tell",
        None,
        None,
    ]
    owners = [member_owner(module, call.callee) for call in module.calls if call.path != "global.f"]
    assert [None if one is None else module.tree.raw(one) for one in owners] == ["f()", "f()", None, "f()"]
