"""What a folder is as a package, and folders as sources."""

import os
import socket
from pathlib import Path

import pytest

from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.packages.contents import chosen_name, contents_of
from loader.packages.limits import Limits
from loader.packages.probe import fetch, staging
from loader.packages.refused import Invalid
from loader.packages.sources import FolderSource
from loader.packages.tree import LINK, OTHER, TreeChanges, compare, copy_folder, hash_tree
from tests.packages.conftest import make_package, make_plugin, write_files


def test_a_plugin_a_package_and_a_web_app_are_told_apart(tmp_path: Path) -> None:
    assert contents_of(make_plugin(tmp_path / "a", "a")).kind == "standalone"
    package = contents_of(make_package(tmp_path / "b"))
    assert (package.kind, package.entry, package.agent_name, package.backend_name) == (
        "package",
        "desktop/plugin.js",
        "pack",
        "pack",
    )
    assert package.parts == ("desktop half", "agent half", "backend", "1 skill")
    app = write_files(
        tmp_path / "c", {"plugin.json": '{"kind": "web-app", "id": "a.b", "name": "C"}', "index.html": ""}
    )
    assert contents_of(app).kind == "web-app"


def test_a_portable_manifest_of_hermes_makes_a_package(tmp_path: Path) -> None:
    found = contents_of(write_files(tmp_path, {"plugin.json": '{"name": "agent-one"}', "plugin.js": "x"}))
    assert (found.kind, found.agent, found.agent_name, found.entry) == ("package", "plugin.json", "agent-one", None)


def test_our_own_manifest_makes_no_package_of_a_plugin(tmp_path: Path) -> None:
    manifest = '{"kind": "desktop", "id": "com.example.x", "name": "X", "requestedApis": ["ai"]}'
    found = contents_of(make_plugin(tmp_path, "x", extra={"plugin.json": manifest}))
    assert (found.kind, found.agent, found.parts) == ("standalone", None, ("desktop half", "manifest"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("name: board\n", "board"),
        ("description: {name: no}\nname: 'board'\n", "board"),
        ("? [a, b]\n: x\nname: board\n", "board"),
        ("name: [x]\n", None),
        ("- name: x\n", None),
        ("deep:\n  name: x\n", None),
        (": : :", None),
        ("x: *unknown\nname: board\n", "board"),
        (
            "\n".join(
                ["a0: &a0 {x: 1}", *(f"a{n}: &a{n}\n  <<: [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)), "name: b"]
            ),
            "b",
        ),
        ("[" * 3000, None),
        ("name: x\n" + "#" * 70_000, None),
    ],
)
def test_what_an_agent_half_calls_itself(text: str, name: str | None, tmp_path: Path) -> None:
    assert contents_of(write_files(tmp_path, {"plugin.yaml": text})).agent_name == name


def test_the_id_is_what_the_plugin_exports_then_what_it_calls_itself_then_its_source(tmp_path: Path) -> None:
    found = contents_of(make_package(tmp_path))
    assert chosen_name(found, "exported", "source") == "exported"
    assert chosen_name(found, "Not An Id", "source") == "pack"
    assert chosen_name(contents_of(make_plugin(tmp_path / "p", "p")), None, "source") == "source"
    with pytest.raises(Invalid, match=r"no name that can be an id .*'No Id', 'com1'"):
        chosen_name(contents_of(tmp_path / "p"), "No Id", "com1")


# ---------------------------------------------------------------- folders


def copied(source: Path, tmp_path: Path) -> tuple[set[str], tuple[str, ...]]:
    into = tmp_path / "into"
    into.mkdir()
    listing = copy_folder(source, into)
    assert not any(path.is_symlink() for path in into.rglob("*"))
    return set(hash_tree(into)), listing.left_out


def test_links_and_what_a_checkout_holds_besides_stay_behind(tmp_path: Path) -> None:
    source = make_plugin(
        tmp_path / "src", "notes", extra={"lib/a.js": "x", "node_modules/b/c.js": "x", ".git/config": "x"}
    )
    (source / "link.js").symlink_to("/etc/passwd")
    (source / "loop").symlink_to(".")
    names, left_out = copied(source, tmp_path)
    assert names == {"plugin.js", "README.md", "lib/a.js"}
    assert set(left_out) == {"link.js", "loop", "node_modules", ".git"}


def test_a_package_cannot_bring_its_own_provenance(tmp_path: Path) -> None:
    marker = '{"package": "trusted", "source": "/elsewhere"}'
    source = make_plugin(
        tmp_path / "src", "notes", extra={".hermes-package.json": marker, ".hermes-catalog.json": "{}"}
    )
    names, left_out = copied(source, tmp_path)
    assert names == {"plugin.js", "README.md"}
    assert set(left_out) == {".hermes-package.json", ".hermes-catalog.json"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file_is_refused_and_never_opened(tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    os.mkfifo(source / "pipe")
    with pytest.raises(Invalid, match="'pipe': it is a device, a FIFO or a socket"):
        copied(source, tmp_path)
    (source / "pipe").unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        monkey = source / "s"
        listening.bind(str(monkey))
        assert hash_tree(source)["s"] == OTHER


def test_a_folder_has_the_limits_of_an_archive(tmp_path: Path) -> None:
    source = write_files(tmp_path / "src", {f"{number}.txt": "x" * 100 for number in range(5)})
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(Invalid, match="more than 4 files"):
        copy_folder(source, into, limits=Limits(files=4))
    with pytest.raises(Invalid, match="a file may have 99"):
        copy_folder(source, tmp_path / "other", limits=Limits(file_bytes=99))


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        copy_folder(tmp_path / "missing", tmp_path)


def test_hashes_tell_links_and_absence(tmp_path: Path) -> None:
    assert hash_tree(tmp_path / "missing") == {}
    (tmp_path / "link").symlink_to(tmp_path)
    assert hash_tree(tmp_path / "link") == {"": LINK}


def test_two_trees_are_compared_path_by_path() -> None:
    assert compare({"a": "1", "b": "1", "c": "1"}, {"b": "1", "c": "2", "d": "1"}) == TreeChanges(
        ("d",), ("a",), ("c",)
    )
    assert not compare({"a": "1"}, {"a": "1"})


# ---------------------------------------------------------------- staging


def test_staging_leaves_a_home_as_it_was(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, None, "a test")
    with staging(home) as place:
        assert place.is_dir()
        assert place.is_relative_to(home.state_dir)
        with pytest.raises(Invalid, match="it is no plugin"):
            fetch(FolderSource(write_files(tmp_path / "src", {"readme.txt": "x"})), place)
    assert [path.name for path in tmp_path.iterdir()] == ["src"]


def test_staging_sweeps_what_the_dead_left_and_spares_the_living(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, None, "a test")
    with staging(home) as living:
        dead = living.with_name(".staging-dead")
        dead.mkdir()
        (dead / "file").write_text("x")
        dead.with_name(".staging-dead.lock").touch()
        with staging(home):
            assert not dead.exists()
            assert living.is_dir()
    assert not home.state_dir.exists()


def test_a_home_that_is_not_there_is_never_made(tmp_path: Path) -> None:
    home = Home(tmp_path / "none", tmp_path / "none", None, "a test")
    with pytest.raises(LoaderError, match="never created"), staging(home):
        pass
    assert not (tmp_path / "none").exists()
