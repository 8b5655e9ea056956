"""What the command line changes, in the log of who did what."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loader.home import Home
    from loader.packages.audit import Line


def noted(home: Home, action: str, package_id: str) -> AbstractContextManager[Line]:
    """Whatever comes of the block is one line of the log: done, or refused by a person or a rule, or failed."""
    from loader.cli.console import remark
    from loader.packages.audit import Audit
    from loader.reports.safe import visible

    return Audit(home).noted("cli", action, package_id, lambda text: remark(f"warning: {visible(text)}"))
