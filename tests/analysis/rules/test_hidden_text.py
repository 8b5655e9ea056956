import pytest

from loader.analysis.registry import BY_CODE
from loader.nouns import Span
from loader.reports.rule_page import rule_page, rule_text
from loader.reports.safe import is_unsafe
from tests.analysis.finding import findings, messages

RLO, LRI, RLI, PDI, PDF, RLE, FSI = "\u202e", "\u2066", "\u2067", "\u2069", "\u202c", "\u202b", "\u2068"


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in text)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (f"const role = 'user{RLO}'", "U+202E (right-to-left override) in a string"),
        (f"const role = 'user{RLO} {LRI}// admin{PDI} {LRI}'", "U+202E (right-to-left override) in a string"),
        (f"const role = `${{c.source}} {RLE}abc{PDF}`", "U+202B (right-to-left embedding) in a template"),
        (f"/* {RLO}{LRI}if (admin){PDI} begin */", "in a comment: what an editor shows here is not what runs"),
        (f"// ends {RLI}", "U+2067 (right-to-left isolate) in a comment"),
        ("const a\u200db = 1", "in a name: the name looks like another one"),
        ("const \u3164 = 1", "U+3164 (hangul filler) in a name"),
        ("c.st\u200corage = 1", "in a name"),
        (f"const note = 'hi{tags('ignore all')}'", "10 invisible characters from U+E0069"),
        ("const note = 'hi" + "\U000e0101\U000e0102" * 4 + "'", "8 invisible characters from U+E0101"),
        ("const note = `" + "\u200b\u200c" * 6 + "`", "12 invisible characters from U+200B"),
        (f"const re = /a{RLO}b/", "in a regular expression"),
    ],
)
def test_flags_what_nobody_sees(body: str, what: str) -> None:
    assert any(what in message for message in messages("HP614", body))


@pytest.mark.parametrize(
    "body",
    [
        "const family = '👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣'",
        f"const flag = '🏴{tags('gbsct')}\U000e007f'",
        "const word = 'می\u200cخواهم'; const می\u200cخواهم = 1",
        f"const arabic = 'قال {LRI}Hermes{PDI} شيئا'",
        f"const translated = `{FSI}${{c.source}}{PDI} is done`",
        f"const hebrew = 'שלום {RLE}עולם{PDF}'",
        r"const escaped = '\u202e \u{2066} \u200b'",
        "const mark = 'price:\u200e 5 €'",
        "const gap = 'soft\u00adhyphen, zero\u200bwidth\u00a0space'",
        "\ufeffconst afterMark = 1",
        "// 你好 — “quotes” é ü 日本語 葛\U000e0100",
    ],
)
def test_leaves_alone_what_people_write(body: str) -> None:
    assert messages("HP614", body) == []


def test_the_place_is_the_hidden_characters_own() -> None:
    text = f"export default {{ id: 'demo', register(ctx) {{\n  const a = '😀é{RLO}'\n}} }}\n"
    (found,) = findings("HP614", text)
    assert found.span == Span(2, 17, 2, 18)


def test_code_in_a_template_does_not_close_what_its_text_opened() -> None:
    (message,) = messages("HP614", f"const a = `{RLI}${{'{PDI}'}}` + `x${{c.source}}`".replace(f"'{PDI}'", "c.source"))
    assert "U+2067" in message


def test_the_example_hides_nothing_from_whoever_reads_about_it() -> None:
    for text in (rule_text(BY_CODE["HP614"], width=80), rule_page(BY_CODE["HP614"])):
        assert "\\u{202e}" in text
        assert not any(is_unsafe(letter) for letter in text if letter != "\n")


def test_a_file_full_of_them_gives_a_bounded_number_of_findings() -> None:
    assert len(messages("HP614", "\n".join(f"// {RLO}" for _ in range(500)))) == 50
