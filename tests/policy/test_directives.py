import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.nouns import Json
from loader.policy.directives import DirectiveBook, parse
from tests.naming import spelled


@pytest.mark.parametrize(
    ("paragraph", "name", "attributes"),
    [
        ("::card", "card", {}),
        ("::card{}", "card", {}),
        ('::card{title="Hello"}', "card", {"title": "Hello"}),
        ('  ::card{title="Hello" n="1"}\n', "card", {"title": "Hello", "n": "1"}),
        ('::my-plugin_card.v2{ a="x"\n b="y" }', "my-plugin_card.v2", {"a": "x", "b": "y"}),
        (r'::card{title="a \"quoted\" C:\temp \\ "}', "card", {"title": r'a "quoted" C:\temp \ '}),
        ('::card{a="1" a="2"}', "card", {"a": "1"}),
        ('::card{html="<script>alert(1)</script>"}', "card", {"html": "<script>alert(1)</script>"}),
        ('::card{__proto__="x" constructor="y"}', "card", {"__proto__": "x", "constructor": "y"}),
        ('::card{a="}"}', "card", {"a": "}"}),
        ('::card{a=""}', "card", {"a": ""}),
    ],
)
def test_a_whole_paragraph_is_a_directive(paragraph: str, name: str, attributes: dict[str, str]) -> None:
    directive = parse(paragraph)
    assert directive is not None
    assert (directive.name, dict(directive.attributes)) == (name, attributes)


@pytest.mark.parametrize(
    "paragraph",
    [
        *("", "card", ":card", ":::card", "::", "::1card", ":: card", "::card {}", "::card{", "::card}", "::card{a}"),
        *(
            "::card{a=1}",
            "::card{a='1'}",
            '::card{a="1"',
            '::card{a="1"b="2"}',
            '::card{a="1"} tail',
            'see ::card{a="1"}',
        ),
        *('::card{a="1"}\n\n::card', '::card{a = "1"}', "::" + "c" * 65, "::card{" + 'a="1" ' * 20_000 + "}"),
        *(None, 5, [], {}),
    ],
    ids=spelled,
)
def test_anything_else_stays_a_paragraph(paragraph: Json) -> None:
    assert parse(paragraph) is None


@given(st.text(alphabet='::card{}="\\ \n', max_size=300))
def test_no_paragraph_raises(paragraph: str) -> None:
    directive = parse(paragraph)
    assert directive is None or directive.name


def test_a_hostile_paragraph_costs_one_pass() -> None:
    assert parse('::a{b="' + '\\"' * 8_000) is None
    assert parse("::a{" + "b" * 16_000) is None


def test_too_many_attributes_are_no_directive() -> None:
    assert parse("::card{" + " ".join(f'a{n}="1"' for n in range(65)) + "}") is None
    assert parse("::card{" + " ".join(f'a{n}="1"' for n in range(64)) + "}") is not None


def test_the_first_to_register_owns_a_name_until_it_goes() -> None:
    book = DirectiveBook()
    book.load("first", ["card", "list"])
    book.load("second", ["card"])
    assert book.owner("card") == "first"
    book.load("first", ["card"])
    assert book.owner("card") == "first"
    assert book.owner("list") is None
    book.release("first")
    assert book.owner("card") == "second"
    book.load("first", ["card"])
    assert book.owner("card") == "second"


def test_a_reload_that_gives_a_name_up_hands_it_on() -> None:
    book = DirectiveBook()
    book.load("first", ["card"])
    book.load("second", ["card"])
    book.load("first", [])
    assert book.owner("card") == "second"


def test_a_reload_takes_no_name_from_whoever_registered_it_meanwhile() -> None:
    book = DirectiveBook()
    book.load("early", ["card"])
    book.load("late", ["list"])
    book.load("early", ["card", "list"])
    assert (book.owner("card"), book.owner("list")) == ("early", "late")
    book.release("late")
    assert book.owner("list") == "early"
    book.load("late", ["list"])
    assert book.owner("list") == "early"


def test_what_is_known_of_a_revision_later_counts_from_its_load() -> None:
    book = DirectiveBook()
    book.load("z early", [])
    book.load("a late", ["card"])
    book.amend("z early", ["card"])
    assert book.owner("card") == "z early"
    book.amend("a late", ["card", "list"])
    assert (book.owner("card"), book.owner("list")) == ("z early", "a late")
    book.amend("z early", [])
    assert book.owner("card") == "a late"
    book.amend("z early", ["card"])
    assert book.owner("card") == "z early"
    book.load("z early", ["card"])
    book.amend("z early", ["card", "list"])
    assert book.owner("card") == "z early"
    book.amend("unheard of", ["list"])
    assert book.owner("list") == "a late"
    book.release("a late")
    assert book.owner("list") == "z early"
    book.release("z early")
    assert book.owner("list") == "unheard of"


def test_every_load_has_a_moment_of_its_own() -> None:
    book = DirectiveBook()
    for plugin in ("z", "y", "x"):
        book.load(plugin, ["card"])
    assert book.owner("card") == "z"
    book.release("z")
    assert book.owner("card") == "y"


def test_a_paragraph_and_a_name_may_be_as_long_as_is_said() -> None:
    longest = '::card{a="' + "x" * (16_384 - 12) + '"}'
    assert len(longest) == 16_384
    assert parse(longest) is not None
    assert parse(longest + " ") is None
    assert parse("::" + "n" * 64) is not None
    assert parse("::" + "n" * 65) is None


def test_answers_are_values_and_attributes_stay_strings() -> None:
    book = DirectiveBook()
    assert book.resolve("plain text").as_json()["reason"] == "paragraph"
    assert book.resolve("::card").as_json()["reason"] == "unclaimed"
    book.load("demo", ["card"])
    assert book.resolve('::card{n="1"}').as_json() == {
        "ok": True,
        "plugin": "demo",
        "name": "card",
        "attributes": {"n": "1"},
    }
