"""Showing a file in the file manager: which program, with which arguments, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loader.server.revealing import reveal, reveal_command

FILE = Path("/home/me/a b; touch x/$(id)/plugin.js")


def desktop(tmp_path: Path, script: str) -> tuple[dict[str, str], Path]:
    """An environment whose xdg-open writes down what it was given."""
    told = tmp_path / "told"
    program = tmp_path / "bin" / "xdg-open"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(told)!r}, 'w').write(repr(sys.argv[1:]))\n{script}\n"
    )
    program.chmod(0o755)
    return {"PATH": str(program.parent), "DISPLAY": ":9"}, told


def plugin_in(folder: Path) -> Path:
    file = folder / "a b; touch x" / "$(id)" / "plugin.js"
    file.parent.mkdir(parents=True)
    file.touch()
    return file


def test_every_system_has_its_program_and_a_path_is_one_argument() -> None:
    assert reveal_command(FILE, platform="darwin", environ={}) == ("/usr/bin/open", "-R", str(FILE))
    windows = reveal_command(FILE, platform="win32", environ={"SystemRoot": "/Windows"})
    assert (Path(windows[0]).name, windows[1:]) == ("explorer.exe", ("/select,", str(FILE)))


@pytest.mark.parametrize(("environ", "said"), [({}, "without a desktop"), ({"DISPLAY": ":1", "PATH": ""}, "xdg-open")])
def test_where_no_desktop_is_it_says_so(environ: dict[str, str], said: str) -> None:
    assert said in str(reveal_command(FILE, platform="linux", environ=environ))


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="the fake is a script with a first line that names its interpreter")
async def test_the_folder_is_opened_and_no_shell_reads_its_name(tmp_path: Path) -> None:
    environ, told = desktop(tmp_path, "")
    file = plugin_in(tmp_path)
    assert await reveal(file, platform="linux", environ=environ) is None
    assert told.read_text() == repr([str(file.parent)])
    assert not (tmp_path / "x").exists()


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform == "win32", reason="as above")
async def test_what_the_desktop_refuses_is_said(tmp_path: Path) -> None:
    environ, _ = desktop(tmp_path, "sys.exit(3)")
    file = plugin_in(tmp_path)
    assert await reveal(file, platform="linux", environ=environ) == "xdg-open ended with 3"
    assert await reveal(file.parent / "gone.js", platform="linux", environ=environ) == "the file is not there"
    assert await reveal(Path("plugin.js"), platform="linux", environ=environ) == "the file is not there"
    (tmp_path / "bin" / "xdg-open").write_text("#!/nowhere\n")
    assert "cannot be started" in str(await reveal(file, platform="linux", environ=environ))
