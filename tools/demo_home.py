"""Fill a demo home with the example plugins: ``python tools/demo_home.py FOLDER``. What is there already stays."""

import shutil
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "example_plugins"


def fill(home: Path, examples: Path = EXAMPLES) -> list[str]:
    """Copy each example that the home lacks and return their names; an author's changes are never overwritten."""
    copied = []
    for example in sorted(examples.iterdir()):
        if not example.is_dir() or example.name == "broken":
            continue
        package = (example / "desktop" / "plugin.js").is_file()
        target = home / ("plugins" if package else "desktop-plugins") / example.name
        if (package or (example / "plugin.js").is_file()) and not target.exists():
            shutil.copytree(example, target, ignore=shutil.ignore_patterns("__pycache__"))
            copied.append(example.name)
    return copied


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    home = Path(sys.argv[1])
    home.mkdir(parents=True, exist_ok=True)
    copied = fill(home)
    print(f"Demo home {home.resolve()}: " + (f"added {', '.join(copied)}" if copied else "already filled"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
