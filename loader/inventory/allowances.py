"""Which plugins may be heavy: the user's word that a plugin which used too much in the rehearsal (HP404) may load.

Kept by id and for one revision: other bytes have to be answered for anew.
"""

from __future__ import annotations

import re

from loader.home import Home
from loader.inventory.ledger import Ledger
from loader.nouns import Json
from loader.state import StateFile

ALLOWANCES_FILE = "allowed-heavy.json"
_REVISION = re.compile(r"[0-9a-f]{64}")


class _Revision:
    def read(self, stored: Json) -> str | None:
        return stored if isinstance(stored, str) and _REVISION.fullmatch(stored) else None

    def write(self, value: str) -> Json:
        return value


class Allowances(Ledger[str]):
    """``by_id()`` gives the allowed revision (sha256, hex) of each id; ``set(id, None)`` takes it back."""

    @classmethod
    def of(cls, home: Home) -> Allowances:
        """Those of this root. Read with ``refresh``."""
        return cls(lambda report: StateFile(home.state_dir / ALLOWANCES_FILE, report=report), _Revision())
