"""Integrity values: one match is enough, and nothing that is written is ever ignored."""

import base64
import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.integrity import check_form, check_integrity, declared_integrity, integrity_of, parse_declaration
from loader.nouns import Candidate, Diagnostic, Source

TEXT = (
    "import { host } from '@hermes/plugin-sdk'\n// build 8\n"
    "export default { id: 'demo', name: 'Demo', register(ctx) {} }\n"
)
GOOD = "sha256-rTg+AdKcXC4EHwzku/E+k9fD2/2wxXN5v9zaGcZ/wwA="
OTHER = "sha256-9B8/piX/Eg3cp+9Fa/ZjcezqI8Ep9OTDI2cQHttRbPg="
HEX = "ad383e01d29c5c2e041f0ce4bbf13e93d7c3dbfdb0c57379bfdcda19c67fc300"


def source_of(data: bytes | str) -> Source:
    data = data.encode() if isinstance(data, str) else data
    mark = data.startswith(b"\xef\xbb\xbf")
    return Source(data, data.decode("utf-8-sig"), hashlib.sha256(data).hexdigest(), mark)


DEMO = source_of(TEXT)


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [row.code for row in found]


def said(found: tuple[Diagnostic, ...]) -> str:
    return "\n".join(f"{row.message} | {row.hint}" for row in found)


def test_the_value_of_a_digest() -> None:
    assert integrity_of(HEX) == GOOD
    for wrong in ("", "ad", "zz" * 32, HEX + "00"):
        with pytest.raises(ValueError):
            integrity_of(wrong)


def test_no_value_is_unchecked() -> None:
    assert check_integrity(None, DEMO) == ()


# ---------------------------------------------------------------- lists


@pytest.mark.parametrize(
    "expected",
    [
        GOOD,
        f"{OTHER} {GOOD}",
        f"{GOOD}\t{OTHER}",
        f"  {GOOD}\n",
        f"{OTHER}\r\n{GOOD}",
        f"\ufeff{GOOD}\u00a0\u2028{OTHER}\x0b\x0c\x85",
        " ".join([OTHER] * 60 + [GOOD]),
    ],
)
def test_one_match_among_several_is_enough_and_any_white_space_separates(expected: str) -> None:
    assert check_integrity(expected, DEMO) == ()


def test_several_hashes_without_a_match_are_refused_with_all_of_them_named() -> None:
    found = check_integrity(f"{OTHER} {OTHER}", DEMO)
    assert codes(found) == ["HP010"]
    assert OTHER in said(found) and GOOD in said(found)


def test_a_malformed_item_refuses_the_list_even_beside_a_match() -> None:
    for other in (
        "sha512-X/EeMdzkr7xzS6sc1wAW8ct6c4pPac03yV2cTueEL8ehVSz1pU4JtfdsyvYR7uFuejVMRxa4Tqmyb14qWQMLVw==",
        "...",
    ):
        assert codes(check_integrity(f"{GOOD} {other}", DEMO)) == ["HP011"]


def test_every_malformed_item_is_reported_once() -> None:
    found = check_integrity("... md5-x sha256- ...", DEMO)
    assert codes(found) == ["HP011"] * 3


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("...", "placeholder"),
        ("…", "placeholder"),
        ("sha256-", "is empty"),
        ("sha256", "without a hash"),
        ("sha256-...", "placeholder"),
        ("sha256-…", "placeholder"),
        ("md5-wzPDJZ9uN6/A4eK8TkTy/A==", "md5 is not supported, only sha256"),
        ("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1 is not supported"),
        ("sha384-" + base64.b64encode(bytes(48)).decode(), "sha384 is not supported, only sha256"),
        ("sha512-" + base64.b64encode(bytes(64)).decode(), "sha512 is not supported, only sha256"),
        ("SHA-512-" + base64.b64encode(bytes(64)).decode(), "sha512 is not supported"),
        ("crc32-abcd", "'crc32' is unknown"),
        ("hello", "not of the form"),
        (f"sha256-{HEX}", "hex"),
        (f"sha256-{HEX.upper()}", "hex"),
        (HEX, "bare hex"),
        (GOOD.removeprefix("sha256-"), "without its algorithm"),
        ("sha256-rTg-AdKcXC4EHwzku_E-k9fD2_2wxXN5v9zaGcZ_wwA=", "base64url"),
        ("sha256-rTg-AdKcXC4EHwzku_E-k9fD2_2wxXN5v9zaGcZ_wwA", "base64url"),
        (GOOD[:-1], "'=' at the end is missing"),
        (GOOD + "=", "wrong length or padding"),
        (GOOD[:-4], "30 bytes"),
        ("sha256-AAAA", "3 bytes, sha256 has 32"),
        ("sha256-" + base64.b64encode(bytes(64)).decode(), "64 bytes"),
        (GOOD[:-2] + "B=", "canonical"),
        (GOOD + "?ct=text/javascript", "options"),
        (f"{GOOD},{OTHER}", "commas"),
        (f'"{GOOD}"', "quotes"),
        (f"{GOOD}'", "no letter of it"),
        (GOOD.replace("sha256-", "SHA256-"), "lower case"),
        (GOOD.replace("sha256-", "sha-256-"), "one hyphen"),
        (GOOD.replace("sha256-", "sha256:"), "one hyphen"),
        ("sha256-rTg+AdKcXC4EHwzku/E+k9fD2/2wxXN5v9zaGcZ/ww😀=", "no letter of it"),
        ("sha256-" + "A" * 10_000, "10007 characters"),
        (" ".join([GOOD] * 65), "65 hashes"),
    ],
)
def test_each_malformed_value_is_refused_with_its_reason(expected: str, reason: str) -> None:
    found = check_integrity(expected, DEMO)
    assert codes(found) == ["HP011"]
    assert reason in said(found)
    assert found[0].severity == "error" and found[0].hint


@pytest.mark.parametrize(
    "near",
    [
        f"sha256-{HEX}",
        HEX,
        GOOD.removeprefix("sha256-"),
        GOOD[:-1],
        GOOD.replace("+", "-").replace("/", "_"),
        GOOD[:-2] + "B=",
    ],
)
def test_a_near_miss_is_told_the_right_form(near: str) -> None:
    assert GOOD in said(check_form(near))


HOW = "`hermes-desktop pin ID` computes and stores the right one for the file as it is."


@pytest.mark.parametrize(
    ("expected", "reason", "hint"),
    [
        ("sha256-", "the hash behind 'sha256-' is empty", HOW),
        ("sha256", "the algorithm without a hash", HOW),
        ("sha256-.", "a placeholder, not a hash", HOW),
        ("sha256-.…", "a placeholder, not a hash", HOW),
        (".…", "a placeholder, not a hash", HOW),
        (f"{GOOD}?ct=x", "options behind '?' are not supported", "Write the hash alone."),
        (f"{GOOD},{OTHER}", "hashes are separated by white space, not by commas", "Put a space between them."),
        (f"{GOOD};{OTHER}", "hashes are separated by white space, not by commas", "Put a space between them."),
        (f"sha256-{HEX}", "hex, where base64 belongs", f"Write {GOOD}."),
        (HEX, "a bare hex digest", f"Write {GOOD}."),
        (GOOD.removeprefix("sha256-"), "base64 without its algorithm", f"Write {GOOD}."),
        (
            GOOD.replace("+", "-").replace("/", "_"),
            "base64url ('-' and '_'), where standard base64 ('+' and '/') belongs",
            f"Write {GOOD}.",
        ),
        (
            "sha256-" + "-" * 50,
            "base64url ('-' and '_'), where standard base64 ('+' and '/') belongs",
            HOW,
        ),
        (GOOD[:-1], "not base64: the '=' at the end is missing", f"Write {GOOD}."),
        (f"{GOOD}=", "not base64 of 32 bytes: wrong length or padding", HOW),
        (
            f"{GOOD[:-2]}B=",
            "not canonical base64: its last letter holds bits that mean nothing",
            f"Write {GOOD}.",
        ),
        (f'"{GOOD}"', "the quotes do not belong to the value", "Write it without them."),
        ("crc32-abcd", "the algorithm 'crc32' is unknown; only sha256 is supported", HOW),
        ("hello", "not of the form sha256-<base64>", HOW),
    ],
)
def test_what_is_said_of_a_wrong_form_and_the_way_out(expected: str, reason: str, hint: str) -> None:
    (found,) = check_integrity(expected, DEMO)
    assert (found.message, found.hint) == (f"'{expected}': {reason}", hint)


def test_x_is_a_letter_of_base64_and_no_placeholder_or_padding() -> None:
    assert "placeholder" not in said(check_form("sha256-XX"))
    url = "sha256-" + base64.urlsafe_b64encode(bytes([0xFB, *[0xFF] * 29, 0x5D, 0x7F])).decode()
    standard = "sha256-" + base64.b64encode(bytes([0xFB, *[0xFF] * 29, 0x5D, 0x7F])).decode()
    (found,) = check_form(url)
    assert found.hint == f"Write {standard}."
    assert check_form(standard) == ()


@pytest.mark.parametrize("quote", list("\"'`"))
def test_a_quote_at_either_end_does_not_belong_to_the_value(quote: str) -> None:
    for written in (f"{quote}{GOOD}", f"{GOOD[7:]}{quote}", f"{quote}{GOOD}{quote}"):
        (found,) = check_form(written)
        assert (found.message, found.hint) == (
            f"'{written}': the quotes do not belong to the value",
            "Write it without them.",
        )
    assert "quotes" not in said(check_form(f"X{GOOD}X"))


def test_an_algorithm_is_named_up_to_its_first_hyphen_and_in_one_spelling() -> None:
    assert "the algorithm 'crc32' is unknown" in said(check_form("crc32-a-b-c"))
    for written in ("SHA-1-x", "sha1-x", "Sha-1:x"):
        assert "the algorithm sha1 is not supported, only sha256 is" in said(check_form(written))


def test_another_spelling_of_the_algorithm_is_told_the_right_one() -> None:
    for written in (GOOD.replace("sha256-", "SHA-256-"), GOOD.replace("sha256-", "sha256:")):
        (found,) = check_form(written)
        said_of_it = "the algorithm is written 'sha256-', in lower case and with one hyphen"
        assert (found.message, found.hint) == (f"'{written}': {said_of_it}", HOW)


def test_the_bounds_of_a_list_are_inclusive() -> None:
    assert check_form(" ".join([GOOD] * 64)) == ()
    assert codes(check_form(" ".join([GOOD] * 65))) == ["HP011"]
    at_most = GOOD + " " * (8192 - len(GOOD))
    assert check_form(at_most) == ()
    assert codes(check_form(at_most + " ")) == ["HP011"]
    assert [found.message for found in check_form(" ")] == ["the integrity value is empty"]


def test_long_values_are_quoted_in_part() -> None:
    whole, cut = "x" * 120, "x" * 121
    assert said(check_form(whole)).startswith(f"'{whole}': ")
    assert said(check_form(cut)).startswith(f"'{'x' * 100}…' (121 characters): ")


def test_what_was_expected_is_named_one_or_all() -> None:
    (one,) = check_integrity(OTHER, DEMO)
    assert one.message == f"the file is {GOOD}, expected was {OTHER}"
    third = integrity_of("0" * 64)
    (two,) = check_integrity(f"{OTHER} {third}", DEMO)
    assert two.message == f"the file is {GOOD}, expected was one of {OTHER}, {third}"


def test_what_is_no_digest_has_no_value() -> None:
    with pytest.raises(ValueError, match="a SHA-256 digest has 32 bytes, not 2"):
        integrity_of("abcd")


@given(st.binary(min_size=32, max_size=32))
def test_every_digest_is_well_formed(digest: bytes) -> None:
    assert check_form(integrity_of(digest.hex())) == ()


@given(st.text(max_size=200))
def test_whatever_is_written_passes_only_with_the_right_hash(text: str) -> None:
    found = check_integrity(text, DEMO)
    assert found and set(codes(found)) <= {"HP010", "HP011"}


# ---------------------------------------------------------------- mismatch


MARK = b"\xef\xbb\xbf"
CRLF = TEXT.encode().replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("on_disk", "meant", "words"),
    [
        (CRLF, TEXT.encode(), ["LF line ends"]),
        (TEXT.encode(), CRLF, ["CRLF line ends"]),
        (MARK + TEXT.encode(), TEXT.encode(), ["without a byte order mark"]),
        (TEXT.encode(), MARK + TEXT.encode(), ["with a byte order mark"]),
        (MARK + CRLF, TEXT.encode(), ["LF line ends", "without a byte order mark"]),
        (TEXT.encode(), MARK + CRLF, ["CRLF line ends", "with a byte order mark"]),
        (TEXT.encode(), TEXT.encode().rstrip(b"\n"), ["without the line end"]),
        (TEXT.encode().rstrip(b"\n"), TEXT.encode(), ["with a line end"]),
    ],
)
def test_a_mismatch_says_what_an_editor_or_git_did(on_disk: bytes, meant: bytes, words: list[str]) -> None:
    expected = integrity_of(hashlib.sha256(meant).hexdigest())
    found = check_integrity(f"{OTHER} {expected}", source_of(on_disk))
    assert codes(found) == ["HP010"]
    assert "would match" in said(found)
    for word in words:
        assert word in said(found)


@pytest.mark.parametrize(
    ("on_disk", "meant", "said_exactly"),
    [
        (CRLF, TEXT.encode(), "with LF line ends"),
        (TEXT.encode(), CRLF, "with CRLF line ends"),
        (MARK + TEXT.encode(), TEXT.encode(), "without a byte order mark"),
        (TEXT.encode(), MARK + TEXT.encode(), "with a byte order mark"),
        (MARK + CRLF, TEXT.encode(), "with LF line ends and without a byte order mark"),
        (MARK + TEXT.encode(), MARK + CRLF, "with CRLF line ends"),
        (TEXT.encode(), TEXT.encode().rstrip(b"\n"), "without the line end at its end"),
        (TEXT.encode().rstrip(b"\n"), TEXT.encode(), "with a line end at its end"),
    ],
)
def test_a_mismatch_says_one_thing_and_what_to_do(on_disk: bytes, meant: bytes, said_exactly: str) -> None:
    (found,) = check_integrity(integrity_of(hashlib.sha256(meant).hexdigest()), source_of(on_disk))
    changed = "an editor or git changed the file on its way. Hash the file as it lies here."
    assert found.hint == f"It would match {said_exactly}: {changed}"


@pytest.mark.parametrize("end", [b"X", b" ", b"\t"])
def test_other_bytes_at_the_end_are_another_file(end: bytes) -> None:
    """Only a line end may be there or not: white space and letters are somebody's change."""
    (found,) = check_integrity(
        integrity_of(hashlib.sha256(TEXT.encode().rstrip(b"\n")).hexdigest()),
        source_of(TEXT.encode().rstrip(b"\n") + end),
    )
    assert found.hint == (
        "If you meant to change the file, pin it again: `hermes-desktop pin ID`. If not, somebody else did."
    )


def test_any_other_mismatch_names_both_and_guesses_nothing() -> None:
    found = check_integrity(OTHER, DEMO)
    assert codes(found) == ["HP010"]
    assert OTHER in said(found) and GOOD in said(found) and "would match" not in said(found)


# ---------------------------------------------------------------- what a plugin declares


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    folder = tmp_path / "desktop-plugins/demo"
    folder.mkdir(parents=True)
    (folder / "plugin.js").write_text(TEXT)
    return Candidate("standalone", "demo", str(folder / "plugin.js"), str(tmp_path))


def declare(candidate: Candidate, text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    Path(candidate.path).with_name("integrity.json").write_bytes(data)


def test_no_declaration_is_none(candidate: Candidate) -> None:
    assert declared_integrity(candidate) is None


def test_the_declared_value_is_given_as_written(candidate: Candidate) -> None:
    declare(candidate, json.dumps({"plugin.js": f" {GOOD}\n", "other.css": "sha256-x"}))
    assert declared_integrity(candidate) == f" {GOOD}\n"
    declare(candidate, b"\xef\xbb\xbf" + json.dumps({"plugin.js": ""}).encode())
    assert declared_integrity(candidate) == ""


@pytest.mark.parametrize("text", ["{}", '{"other.css": "x"}', '{"plugin.js": null}'])
def test_saying_nothing_of_this_file_is_unchecked(text: str) -> None:
    assert parse_declaration(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ("{", "line 1"),
        ("[]", "no object"),
        (f'"{GOOD}"', "no object"),
        ('{"plugin.js": 7}', "no string"),
        ('{"plugin.js": ["a"]}', "no string"),
        ('{"plugin.js": "a", "plugin.js": "b"}', "twice"),
        ('{"./plugin.js": "a"}', "not 'plugin.js'"),
        ('{"Plugin.js": "a"}', "not 'plugin.js'"),
        ('{"desktop\\\\plugin.js": "a"}', "not 'plugin.js'"),
        ('{"plugn.js": "a"}', "not 'plugin.js'"),
        ('{"integrity": "sha256-AA"}', "has its hash under 'integrity', not under 'plugin.js'"),
        ('{"sha256": "' + "ab" * 32 + '"}', "under 'sha256'"),
        ('{"version": 1, "files": {"plugin.js": "sha256-AA"}}', "under 'files'"),
        ('{"files": [{"path": "plugin.js", "digest": "sha512-AA"}]}', "under 'files'"),
        ("[" * 60_000, "no JSON"),
        ('{"x": ' + "9" * 6000 + "}", "no JSON"),
    ],
)
def test_a_declaration_that_cannot_be_understood_is_never_ignored(text: str, reason: str) -> None:
    found = parse_declaration(text)
    assert isinstance(found, Diagnostic)
    assert found.code == "HP011" and reason in found.message and found.hint


def test_a_declaration_that_names_a_key_twice_or_almost_names_the_file_says_so(candidate: Candidate) -> None:
    for text, reason in (
        ('{"plugin.js": "x", "plugin.js": "y"}', "integrity.json names 'plugin.js' twice"),
        ('{"plugin.jsx": "x"}', "integrity.json names 'plugin.jsx', not 'plugin.js'"),
        ('{"a/Plugin.JS ": "x"}', "integrity.json names 'a/Plugin.JS ', not 'plugin.js'"),
    ):
        declare(candidate, text)
        found = declared_integrity(candidate)
        assert isinstance(found, Diagnostic) and found.message == reason
    declare(candidate, '{"main.js": "x", "styles.css": "y"}')
    assert declared_integrity(candidate) is None, "other files are no near misses"
    for text in ('{"styles.css": "sha256-AA"}', '{"version": 2, "tool": "sri", "note": "none yet"}', "{}"):
        declare(candidate, text)
        assert declared_integrity(candidate) is None, "and no hash is none"


def test_the_declaration_is_about_the_candidates_own_file(candidate: Candidate) -> None:
    other = replace(candidate, path=candidate.path.replace("plugin.js", "other.js"))
    declare(candidate, '{"plugin.js": "mine", "other.js": "its own"}')
    assert (declared_integrity(candidate), declared_integrity(other)) == ("mine", "its own")


def test_an_unreadable_declaration_is_a_finding(candidate: Candidate, tmp_path: Path) -> None:
    path = Path(candidate.path).with_name("integrity.json")

    def finding() -> Diagnostic:
        found = declared_integrity(candidate)
        assert isinstance(found, Diagnostic) and found.code == "HP011"
        return found

    path.mkdir()
    assert "a folder" in finding().message
    path.rmdir()
    os.mkfifo(path)
    assert "a FIFO" in finding().message
    path.unlink()
    path.symlink_to("gone.json")
    assert "does not exist" in finding().message
    path.unlink()
    declare(candidate, " " * 70_000)
    assert "limit" in finding().message
    declare(candidate, json.dumps({"plugin.js": GOOD}).encode("utf-16"))
    assert "UTF-16" in finding().message


def test_a_packages_declaration_may_not_lead_outside(tmp_path: Path) -> None:
    desktop = tmp_path / "plugins/demo/desktop"
    desktop.mkdir(parents=True)
    (tmp_path / "outside.json").write_text(json.dumps({"plugin.js": GOOD}))
    (desktop / "integrity.json").symlink_to(tmp_path / "outside.json")
    found = declared_integrity(Candidate("unified", "demo", str(desktop / "plugin.js"), str(tmp_path)))
    assert isinstance(found, Diagnostic) and "outside its package" in found.message
