import json
import subprocess
from pathlib import Path

import pytest

from loader.server.shims import ExportNames, shim
from tests.requirements import node

ODD = ["host", "delete", "café", 'with "quotes"', "a\nb", "*/", "</script>", "x0", "found", "standard", "\u2028"]


def names(shipped: dict[str, tuple[str, ...]] | None = None) -> ExportNames:
    return ExportNames(lambda specifier: (shipped or {"react": ("b", "a", "default")}).get(specifier, ()))


def test_without_a_shell_the_shipped_names_count() -> None:
    assert names().of("react") == ("a", "b")


def test_a_shells_own_names_win_module_by_module() -> None:
    exports = names({"react": ("a",), "@hermes/plugin-sdk": ("host",)})
    exports.announce("s1", {"react": ("useState", "default", "useState")})
    assert exports.of("react") == ("useState",)
    assert exports.of("@hermes/plugin-sdk") == ("host",)
    exports.announce("s2", {"react": ("memo",)})
    assert exports.of("react") == ("memo", "useState")
    exports.announce("s1", None)
    exports.announce("s2", None)
    assert exports.of("react") == ("a",)


def test_a_name_that_no_module_can_export_is_left_out() -> None:
    exports = names()
    exports.announce("s1", {"react": ("ok", "\ud800")})
    assert exports.of("react") == ("ok",)


def test_a_default_export_is_always_there_and_no_name_is_written_unescaped() -> None:
    text = shim("react", ['"; hack(); "'])
    assert "export { standard as default };" in text
    assert 'found["\\"; hack(); \\""]' in text


RUN = """
const modules = globalThis[Symbol.for('hermes.modules')] = JSON.parse(process.argv[2]);
const shim = await import('./shim.mjs');
console.log(JSON.stringify(Object.fromEntries(Object.entries(shim))));
"""


def import_shim(folder: Path, text: str, modules: object) -> subprocess.CompletedProcess[str]:
    (folder / "shim.mjs").write_text(text, "utf-8")
    (folder / "run.mjs").write_text(RUN, "utf-8")
    return subprocess.run(
        [node(), "run.mjs", json.dumps(modules)], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.real
def test_a_shim_gives_exactly_what_the_shell_put_there(tmp_path: Path) -> None:
    found = {name: f"value of {name}" for name in ODD} | {"default": "the default", "unlisted": 1}
    done = import_shim(tmp_path, shim("react", sorted(ODD)), {"react": found})
    assert done.returncode == 0, done.stderr
    del found["unlisted"]
    assert json.loads(done.stdout) == found


@pytest.mark.real
def test_a_module_without_a_default_is_its_own_default(tmp_path: Path) -> None:
    done = import_shim(tmp_path, shim("react", ["memo", "newer"]), {"react": {"memo": 1}})
    assert done.returncode == 0, done.stderr
    # A name that this app lacks is undefined, as JSON shows by leaving it out.
    assert json.loads(done.stdout) == {"default": {"memo": 1}, "memo": 1}


@pytest.mark.real
def test_a_shell_that_put_nothing_there_is_told_so(tmp_path: Path) -> None:
    done = import_shim(tmp_path, shim("react/jsx-runtime", ["jsx"]), {"react": {}})
    assert done.returncode != 0
    assert "react/jsx-runtime is not in globalThis[Symbol.for('hermes.modules')]" in done.stderr
