"""Runs a check in this process's own pool of killable workers: what `check`, `rehearse` and `reload` share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loader.analysis.pool import AnalysisPool
from loader.checking.checked import CheckRun
from loader.checking.run import CheckSettings, check_targets
from loader.checking.suppressing import without_suppressed
from loader.checking.targets import Target
from loader.settings import AnalysisSettings

WORKERS = 2


async def check_now(
    targets: Sequence[Target],
    analysis: AnalysisSettings,
    *,
    strict: bool = False,
    pins: Mapping[str, str] | None = None,
    workers: int = WORKERS,
) -> CheckRun:
    """Check the targets; the workers end with it, whatever happens."""
    if not targets:
        return CheckRun((), strict=strict)
    pool = AnalysisPool(min(workers, len(targets)))
    await pool.start()
    try:
        return await check_targets(targets, pool, CheckSettings(analysis, strict, pins), excuse=without_suppressed)
    finally:
        await pool.close()
