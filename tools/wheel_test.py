"""Test what a stranger installs: build the wheel, install it away from the tree, run the tests against it.

The wheel's own environment sees the development environment's packages behind its own, except the editable
install of this tree (a path from a .pth file is not searched for further .pth files), so ``loader`` and
``sdk_stubs`` can only come from the wheel. The tests that need the source tree itself stay behind.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
# These read the source tree (layers, docs, tools), not the installed package.
TREE_ONLY = (
    "test_layers.py",
    "test_docs.py",
    "test_mistakes_page.py",
    "test_ci_files.py",
    "test_formats_page.py",
    "test_skill.py",
    "test_editors_page.py",
    "test_agents_page.py",
    "tools",
    "bench",
    "proof",
)
# These find the stubs, the page or the documents by their path in the source tree, not in the installed package.
BY_PATH = (
    "tests/backends/test_host_backend.py",
    "tests/cli/test_hermes_command.py",
    "tests/cli/test_real_service.py",
    "tests/pages/test_page_docs.py",
    "tests/policy/test_host_policy.py",
    "tests/policy/test_host_policy_served.py",
    "tests/policy/test_rehearsed_actions.py",
    "tests/sdk_stubs",
    "tests/server/test_openapi.py",
)
# Minutes of comparing our text with a peer's, of killing and of drawing: the tree's own run has shown it, and a wheel
# can only differ by what it lacks, which the rest would miss.
SHOWN_BY_THE_TREE = (
    "tests/analysis/engine/test_sandbox.py",
    "tests/analysis/test_ground_truth.py",
    "tests/analysis/test_pathological.py",
    "tests/analysis/test_pool.py",
    "tests/analysis/test_worker.py",
    "tests/analysis/rules",
    "tests/analysis/syntax",
    "tests/backends/test_faults.py",
    "tests/backends/test_lifecycle.py",
    "tests/cli/test_check_watch.py",
    "tests/inventory",
    "tests/packages",
    "tests/pages/test_check.py",
    "tests/pages/test_page_as_shown.py",
    "tests/pages/test_renderer.py",
    "tests/pages/test_schema.py",
    "tests/policy/test_pet_properties.py",
    "tests/wall/test_attacks.py",
    "tests/watching",
    "tests/workbench/test_attacks.py",
    "tests/workbench/test_by_other_means.py",
    "tests/workbench/test_crowd.py",
    "tests/workbench/test_looks.py",
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as name:
        away = Path(name)
        python = install(build(away / "dist"), away / "venv")
        stage = away / "stage"
        shutil.copytree(
            ROOT / "tests",
            stage / "tests",
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__", "node_modules", *TREE_ONLY),
        )
        for folder in ("example_plugins",):
            shutil.copytree(ROOT / folder, stage / folder)
        shutil.copy(ROOT / "pyproject.toml", stage)
        link_or_copy(ROOT / "tests" / "peers" / "node_modules", stage / "tests" / "peers" / "node_modules")
        environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environ["PATH"] = os.pathsep.join((str(python.parent), environ.get("PATH", "")))
        where = "import loader, sdk_stubs; print(loader.__file__); print(sdk_stubs.__file__)"
        found = subprocess.run(
            [str(python), "-c", where], cwd=stage, env=environ, check=True, capture_output=True, text=True
        )
        for path in found.stdout.split():
            if not path.startswith(str(away)):
                print(f"the tests would run against {path}, not against the wheel", file=sys.stderr)
                return 1
        left_out = [f"--ignore={path}" for path in (*BY_PATH, *SHOWN_BY_THE_TREE)]
        arguments = sys.argv[1:] or ["-q", "-n", "2", "-m", "not slow", *left_out]
        return subprocess.run([str(python), "-m", "pytest", *arguments], cwd=stage, env=environ, check=False).returncode


def build(target: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = target.glob("*.whl")
    return wheel


def install(wheel: Path, target: Path) -> Path:
    venv.create(target, with_pip=True)
    python = target / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run(
        [str(python), "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", str(wheel)], check=True
    )
    packages = next(target.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"))
    (packages / "development-packages.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def link_or_copy(source: Path, target: Path) -> None:
    if not source.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.symlink_to(source, target_is_directory=True)
    except OSError:  # Windows without the right to make links
        shutil.copytree(source, target)


if __name__ == "__main__":
    sys.exit(main())
