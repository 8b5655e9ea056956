"""Manifests: each field's own words when it is wrong; and what is granted of what they ask for."""

import json
from pathlib import Path
from typing import Any

import pytest

from loader.packages.grants import NOTHING, Grants, after_reinstall, approved, grown, missing_to_enable
from loader.packages.manifest import Manifest, Problem, parse_manifest, read_manifest

GOOD: dict[str, Any] = {"kind": "web-app", "id": "com.example.notes", "name": "Notes"}


def problems(**changes: Any) -> list[str]:
    found = parse_manifest({**GOOD, **changes})
    return [] if isinstance(found, Manifest) else [str(problem) for problem in found]


def test_the_least_that_a_manifest_says() -> None:
    assert parse_manifest(GOOD) == Manifest(
        "web-app", "com.example.notes", "Notes", "0.0.0", "", "index.html", NOTHING, "plugin.json"
    )


def test_all_that_a_manifest_says() -> None:
    found = parse_manifest(
        {**GOOD, "version": "1.4.0-rc.1", "description": "Two\nlines", "entry": "./dist/app.html"}
        | {"permissions": ["read-only"], "requestedApis": ["tools", "storage"], "icon": "any"}
    )
    assert isinstance(found, Manifest)
    assert (found.version, found.entry) == ("1.4.0-rc.1", "dist/app.html")
    assert found.requested == Grants(frozenset({"tools", "storage"}), frozenset({"read-only"}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "webapp"}, "plugin.json: kind: 'webapp' is not known. Did you mean 'web-app'?"),
        ({"kind": 1}, "plugin.json: kind: it is a number, not a string"),
        ({"id": "notes"}, "plugin.json: id: 'notes' is no reverse domain name"),
        ({"id": "Com.Example"}, "no reverse domain name"),
        ({"id": "com..example"}, "no reverse domain name"),
        ({"id": "com.-x"}, "no reverse domain name"),
        ({"id": "a." + "b" * 200}, "no reverse domain name"),
        ({"id": None}, "plugin.json: id: it is null, not a string"),
        ({"name": " "}, "plugin.json: name: it is empty"),
        ({"name": "x" * 81}, "name: it has 81 letters; 80 are shown"),
        ({"name": "a\u202eb"}, "name: it holds control characters"),
        ({"version": "1.0"}, "version: a version has three numbers"),
        ({"version": "01.0.0"}, "version: a version has three numbers"),
        ({"description": ["x"]}, "description: it is a list, not a string"),
        ({"entry": "../index.html"}, "entry: the name leads out"),
        ({"entry": "/index.html"}, "entry: the name is absolute"),
        ({"entry": "app/"}, "entry: it names no file"),
        ({"entry": "."}, "entry: it names no file"),
        ({"permissions": "read-only"}, "permissions: it is a string, not a list"),
        (
            {"permissions": ["read-only", "readonly"]},
            "permissions[1]: 'readonly' is not known. Did you mean 'read-only'?",
        ),
        ({"permissions": ["read-only", "read-only"]}, "permissions[1]: 'read-only' stands there twice"),
        ({"requestedApis": ["files"]}, "requestedApis[0]: 'files' is not known"),
        ({"requestedApis": [{}]}, "requestedApis[0]: it is an object, not a string"),
        ({"requestedApi": ["ai"]}, "requestedApi: no such field. Did you mean 'requestedApis'?"),
    ],
)
def test_each_field_says_what_is_wrong_with_it(changes: dict[str, Any], said: str) -> None:
    found = problems(**changes)
    assert len(found) == 1
    assert said in found[0]


def test_all_problems_are_said_at_once() -> None:
    assert [str(problem) for problem in parse_manifest({"kind": "web-app", "version": 1})] == [  # type: ignore[union-attr]
        "plugin.json: id: it is missing",
        "plugin.json: name: it is missing",
        "plugin.json: version: it is a number, not a string",
    ]


def read(tmp_path: Path, name: str, text: str | bytes) -> Manifest | tuple[Problem, ...]:
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return read_manifest(tmp_path)


def test_where_a_manifest_is_read_from(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) == ()
    found = read(tmp_path, "package.json", json.dumps({"name": "x", "version": "2.0.0", "meith": GOOD}))
    assert isinstance(found, Manifest)
    assert (found.version, found.file) == ("2.0.0", "package.json (meith)")
    found = read(tmp_path, "plugin.json", "\ufeff" + json.dumps({**GOOD, "name": "Own"}))
    assert isinstance(found, Manifest)
    assert found.name == "Own"


def test_manifests_of_others_are_left_alone(tmp_path: Path) -> None:
    assert read(tmp_path, "plugin.json", '{"name": "agent", "kind": "standalone", "version": 1}') == ()
    assert read(tmp_path, "package.json", "{broken") == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "no JSON at line 1"),
        (b"\xff", "no UTF-8"),
        (b"[]", "it holds a list"),
        (b"[" * 5000, "no JSON"),
        (b" " * 70_000, "more than 65536 bytes"),
    ],
)
def test_files_that_are_no_manifest(tmp_path: Path, text: bytes, said: str) -> None:
    found = read(tmp_path, "plugin.json", text)
    assert isinstance(found, tuple)
    assert said in str(found[0])


# ---------------------------------------------------------------- grants

ASKED = Grants(frozenset({"tools", "storage"}), frozenset({"read-only"}))


def test_never_more_is_granted_than_was_asked_for() -> None:
    assert approved(ASKED, ["tools", "ai"], ["controls-browser"]) == Grants(frozenset({"tools"}))
    assert approved(NOTHING, ["tools"], ["read-only"]) == NOTHING
    assert not approved(ASKED, [], [])


def test_a_plugin_is_enabled_with_all_its_namespaces_only() -> None:
    assert missing_to_enable(ASKED, approved(ASKED, ["tools"], [])) == {"storage"}
    assert missing_to_enable(ASKED, approved(ASKED, ["tools", "storage"], [])) == frozenset()


def test_an_approval_outlives_a_new_version_only_while_all_of_it_is_still_asked_for() -> None:
    given = approved(ASKED, ["tools"], ["read-only"])
    assert after_reinstall(ASKED, given) == given
    assert after_reinstall(Grants(frozenset({"storage"})), given) == NOTHING
    assert after_reinstall(Grants(frozenset({"tools", "ai"}), frozenset({"read-only"})), given) == given


def test_what_a_new_version_asks_for_beyond_the_old_one() -> None:
    assert grown(ASKED, Grants(frozenset({"tools", "cdp"}))) == Grants(frozenset({"cdp"}))
    assert not grown(ASKED, Grants(frozenset({"tools"})))
