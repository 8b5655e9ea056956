"""What one call of `check` does, once or again and again: find, mend, check, compare with the baseline, print."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from loader.checking.baseline import Baseline, new_baseline, read_baseline, write_baseline
from loader.checking.checked import CheckedFile, CheckRun
from loader.checking.mending import write_mended
from loader.checking.run import CheckSettings
from loader.checking.targets import FindHome, Target, find_targets
from loader.cli import exits
from loader.cli.check_now import WORKERS, Checker, open_checker
from loader.cli.check_show import Form, prepare, show, show_diff
from loader.cli.console import remark
from loader.cli.rim import reader_left
from loader.errors import LoaderError, UsageError
from loader.preferences import OWN_FILE, SHARED_FILE
from loader.reports.safe import visible

_CLEAR_SCREEN = "\x1b[2J\x1b[3J\x1b[H"
_BESIDE = ("integrity.json", OWN_FILE, SHARED_FILE)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asked for."""

    paths: tuple[str, ...]
    settings: CheckSettings
    form: Form = "text"
    baseline: Path | None = None
    update_baseline: bool = False
    fix: bool = False
    diff: bool = False


class Session:
    """``find_home`` is asked only where a home matters; raises UsageError when there is none."""

    def __init__(self, wish: Wish, find_home: FindHome) -> None:
        self._wish = wish
        self._find_home = find_home

    async def once(self) -> int:
        """One round; the exit code. Raises UsageError and whatever the check raises."""
        targets = self._targets()
        # A second worker for a single file would only take the processor from the first one's start.
        async with open_checker(workers=min(WORKERS, max(len(targets), 1)), kept=True) as checker:
            return await self._round(checker, targets)

    async def watch(self) -> int:
        """A round, and another one at each change, until cancelled."""
        from loader.watching.few import changes  # a single run needs no watcher

        self._targets()  # wrong usage is said and ends it; later on a file may be gone for a moment
        async with open_checker(kept=True) as checker, aclosing(changes(self._folders, self._stamps)) as looks:
            async for _ in looks:
                if sys.stdout.isatty() and self._wish.form in ("text", "concise"):
                    sys.stdout.write(_CLEAR_SCREEN)
                try:
                    targets = self._targets()
                    await self._round(checker, targets)
                except LoaderError as failure:
                    remark(visible(str(failure)))
                sys.stdout.flush()
                remark("Watching for changes; Ctrl-C ends it.")
        return exits.FINE

    # ------------------------------------------------------------ one round

    def _targets(self) -> tuple[Target, ...]:
        return find_targets(self._wish.paths, find_home=self._find_home)

    async def _round(self, checker: Checker, targets: Sequence[Target]) -> int:
        wish = self._wish
        known = read_baseline(wish.baseline) if wish.baseline is not None else None
        whole, _ = await asyncio.gather(checker.check(targets, wish.settings), asyncio.to_thread(prepare, wish.form))
        if wish.diff:
            return await self._diff(checker, targets, whole, _only_new(known))
        if wish.fix and await self._fix(checker, targets, whole, _only_new(known)):
            whole = await checker.check(targets, wish.settings)
        run = self._compared(whole, known)
        try:
            show(run, wish.form)
            sys.stdout.flush()
        except BrokenPipeError:
            reader_left()  # `check | head -1` under pipefail: what was found counts, read or not
        if not targets:
            home = self._find_home()
            remark(f"{visible(str(home.root))} holds no plugin ({visible(home.rule)}).")
        return exits.FINDINGS if run.failed else exits.FINE

    async def _fix(
        self, checker: Checker, targets: Sequence[Target], run: CheckRun, wanted: Callable[[CheckedFile], CheckedFile]
    ) -> bool:
        """Mend what is safe to mend and say so; whether anything was written."""
        written = 0
        for target in _fixable(targets, run, wanted):
            mended = await checker.mend(target, self._wish.settings, wanted)
            shown = visible(target.shown)
            if mended.left:
                remark(f"{shown} is left as it is: {mended.left}.")
            if not mended.changed:
                continue
            await asyncio.to_thread(write_mended, mended)
            written += 1
            for title in mended.titles:
                remark(f"{shown}: {visible(title)}")
        if written:
            remark(f"{written} {'file' if written == 1 else 'files'} mended.")
        return written > 0

    async def _diff(
        self, checker: Checker, targets: Sequence[Target], run: CheckRun, wanted: Callable[[CheckedFile], CheckedFile]
    ) -> int:
        changed = 0
        for target in _fixable(targets, run, wanted):
            mended = await checker.mend(target, self._wish.settings, wanted)
            if mended.left:
                remark(f"{visible(target.shown)} would be left as it is: {mended.left}.")
            if mended.changed:
                changed += 1
                show_diff(target.shown, mended)
        remark(f"{changed} {'file' if changed == 1 else 'files'} would change; nothing was written.")
        return exits.FINDINGS if changed else exits.FINE

    def _compared(self, whole: CheckRun, known: Baseline | None) -> CheckRun:
        """The run without what stands in the baseline, which is made or brought up to date on the way."""
        path = self._wish.baseline
        if path is None:
            return whole
        if known is None or self._wish.update_baseline:
            made = (known or new_baseline(path)).updated(whole, self._looked_for)
            write_baseline(made, path)
            count = len(made.known)
            remark(f"{visible(str(path))} holds {count} {'finding' if count == 1 else 'findings'} from now on.")
            # Who named a file that is not there sees everything once: a misspelt name must not pass for a baseline.
            return made.without_known(whole) if self._wish.update_baseline else whole
        gone = known.gone(whole, self._looked_for)
        if gone:
            what = "1 finding of the baseline is" if gone == 1 else f"{gone} findings of the baseline are"
            remark(f"{what} not there any more: --update-baseline takes such out.")
        return known.without_known(whole)

    def _looked_for(self, code: str) -> bool:
        """Whether this run would have said a finding of that code."""
        settings = self._wish.settings
        return settings.asked.wants(code) and not (settings.analysis.rehearsal == "off" and code.startswith("HP4"))

    # ------------------------------------------------------------ what is watched

    def _folders(self) -> set[str]:
        """The folders of the files, and those in which new ones may appear."""
        found = {str(Path(path).absolute()) for path in self._wish.paths if Path(path).is_dir()}
        for target in self._targets_now():
            own = Path(os.path.realpath(target.candidate.path)).parent
            found |= {str(own), str(Path(target.candidate.path).parent), str(Path(target.candidate.path).parent.parent)}
        return {folder for folder in found if Path(folder).is_dir()}

    def _stamps(self) -> tuple[object, ...]:
        """All that a round depends on and that may change: files, the settings and hashes beside and above them."""
        stamps: list[object] = []
        for target in self._targets_now():
            path = Path(target.candidate.path)
            beside = [folder / name for folder in list(path.parents)[:4] for name in _BESIDE]
            stamps.append((target.shown, *map(_stamp, (path, *beside))))
        if self._wish.baseline is not None and not self._wish.update_baseline:
            stamps.append(_stamp(self._wish.baseline))
        return tuple(stamps)

    def _targets_now(self) -> tuple[Target, ...]:
        try:
            return self._targets()
        except UsageError:
            return ()


def _only_new(known: Baseline | None) -> Callable[[CheckedFile], CheckedFile]:
    return known.only_new if known is not None else lambda file: file


def _fixable(targets: Sequence[Target], run: CheckRun, wanted: Callable[[CheckedFile], CheckedFile]) -> list[Target]:
    return [
        target
        for target, file in zip(targets, run.files, strict=True)
        if any(found.fix for found in wanted(file).diagnostics)
    ]


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
