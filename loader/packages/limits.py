"""How large what is installed may be. All limits hold while reading, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """``entries`` counts everything that an archive lists, folders and what is left out too.

    ``ratio`` is how often the packed size may fit into the unpacked one; it counts above ``ratio_floor_bytes`` only,
    since a small text of one letter compresses a thousandfold. ``header_bytes`` is for one extended header (a long
    name, pax records), which a reader holds in memory whole.
    """

    packed_bytes: int = 50 * MIB
    files: int = 2_000
    entries: int = 6_000
    file_bytes: int = 10 * MIB
    total_bytes: int = 200 * MIB
    ratio: int = 200
    ratio_floor_bytes: int = 16 * MIB
    header_bytes: int = 16 * 1024
    name_bytes: int = 1_024
    part_bytes: int = 255
    depth: int = 32


LIMITS = Limits()
