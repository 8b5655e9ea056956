"""Integrity values: one match is enough, and nothing that is written is ever ignored."""

import base64
import hashlib
import json
import os
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
        ("[" * 60_000, "no JSON"),
        ('{"x": ' + "9" * 6000 + "}", "no JSON"),
    ],
)
def test_a_declaration_that_cannot_be_understood_is_never_ignored(text: str, reason: str) -> None:
    found = parse_declaration(text)
    assert isinstance(found, Diagnostic)
    assert found.code == "HP011" and reason in found.message and found.hint


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
