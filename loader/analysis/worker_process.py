"""What a worker process does besides the work: end with the service, ignore Ctrl-C, say when it should be replaced.

The analysis itself is imported by the worker alone: the service only names these functions, and a command that checks
one file would otherwise import engine and parsers twice.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Generic, TypeVar

from loader.analysis.checked import Checked
from loader.analysis.rehearsal.user_event import UserEvent
from loader.errors import LoaderError
from loader.nouns import Diagnostic, Rehearsal, Source, Verdict
from loader.settings import AnalysisSettings

T = TypeVar("T")
_log = logging.getLogger(__name__)

# A worker that swelled this far over a warm one gives its memory back by ending.
RSS_LIMIT_BYTES = 400 * 1024 * 1024
# The engine's own limits end a rehearsal long before; this is for a step that they cannot interrupt.
FENCE_EXTRA_S = 1.5
SLOW_AFTER_S = 1.0
EXIT_CPU_FENCE = 87

_PR_SET_PDEATHSIG = 1
# A third of the usual share: more would starve it on a busy machine until nobody can tell whether it hangs.
_SLOW_NICENESS = 5


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a worker hands back; ``recycle`` when it should not be used again."""

    value: T
    pid: int
    rss_bytes: int
    recycle: bool = False


def begin(parent_pid: int, cache_dir: Path | None) -> None:
    """Runs once in each new worker process, before any job."""
    # Ctrl-C goes to the whole foreground group; the service alone decides what ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not a handler of the service's, which would wait for a native step. A worker has nothing to clean up.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with(parent_pid)
    # Nothing of what is imported here ever becomes garbage: it is not looked through now, nor at any later time.
    gc.disable()
    try:
        from loader.analysis import worker

        worker.prepare(cache_dir)
    except LoaderError:
        # A worker that cannot start would be started again for ever. Each analysis says what is wrong instead.
        _log.exception("a worker could not be prepared")
    finally:
        gc.freeze()
        gc.enable()


@dataclass(frozen=True, slots=True)
class Failed:
    """The function raised something: a fault of ours, by the exception's name; ``trace`` is for the log."""

    error: str
    trace: str


def work(jobs: connection.Connection, parent_pid: int, cache_dir: Path | None) -> None:
    """What a worker process does: one job after the other, until the service closes its end of the pipe.

    What comes is (function, arguments), what goes back is a word that it was taken and then an Answer or a Failed. The
    first message goes to the service, when everything is imported.
    """
    begin(parent_pid, cache_dir)
    try:
        jobs.send(None)
        while True:
            function, args = jobs.recv()
            jobs.send_bytes(b"taken")
            _answer_job(jobs, function, args)
    except (EOFError, OSError):
        # The service has ended, or wants this process no more. Nothing here needs to be cleaned up.
        os._exit(0)


def _answer_job(jobs: connection.Connection, function: Callable[..., object], args: tuple[object, ...]) -> None:
    try:
        answer = ForkingPickler.dumps(function(*args))
    except Exception as error:  # a fault of ours or of a library's: one failed analysis, told to the service's log
        answer = ForkingPickler.dumps(Failed(type(error).__name__, traceback.format_exc()))
    jobs.send_bytes(answer)


def ready() -> Answer[None]:
    """The shortest job: its answer says that the process has started."""
    return _answer(None)


def check(source: Source, settings: AnalysisSettings) -> Answer[Checked]:
    from loader.analysis import worker

    return _answer(worker.check(source, settings))


def rehearse(
    source: Source, checked: Checked, settings: AnalysisSettings, events: tuple[UserEvent, ...] = ()
) -> Answer[Verdict]:
    from loader.analysis import worker

    with _Watchdog(2 * settings.rehearsal_cpu_s + FENCE_EXTRA_S) as watchdog:
        verdict = worker.rehearse_checked(source, checked, settings, events)
    return _answer(verdict, recycle=watchdog.slow or _used_up(verdict.diagnostics, verdict.rehearsal))


def play_ahead(source: Source, settings: AnalysisSettings) -> Answer[bytes]:
    """Rehearse a text beside its check; `finish` puts both together. Opaque: the service itself knows no stage."""
    from loader.analysis import worker

    with _Watchdog(2 * settings.rehearsal_cpu_s + FENCE_EXTRA_S) as watchdog:
        played_for = worker.play(source, (), settings)
    played = played_for.played
    recycle = watchdog.slow or _used_up(played.findings, played.rehearsal)
    return _answer(bytes(ForkingPickler.dumps(played_for)), recycle=recycle)


def finish(source: Source, checked: Checked, played: bytes) -> Answer[Verdict]:
    """The verdict of a text that was checked and, beside that, played."""
    from loader.analysis import worker

    return _answer(worker.with_played(source, checked, ForkingPickler.loads(played)))


def _used_up(findings: Iterable[Diagnostic], rehearsal: Rehearsal | None) -> bool:
    """After a trap, a timeout or a memory limit nothing of this process is kept, however sound it looks."""
    return any(one.code in ("HP402", "HP404") for one in findings) or bool(rehearsal and rehearsal.stopped_by)


def _answer(value: T, *, recycle: bool = False) -> Answer[T]:
    rss = rss_bytes()
    return Answer(value, os.getpid(), rss, recycle or rss > RSS_LIMIT_BYTES)


def rss_bytes() -> int:
    """Resident memory of this process; where only the peak is known, the peak; 0 where nothing is."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        pass
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _end_with(parent_pid: int) -> None:
    """End when the service ends, also when it is killed and can tell nobody."""
    parent = parent_process()
    if parent is not None:

        def wait_for_parent() -> None:
            connection.wait([parent.sentinel])
            os._exit(0)

        threading.Thread(target=wait_for_parent, name="parent-watch", daemon=True).start()
    if sys.platform == "linux":
        # The thread above needs the interpreter, which a long native parse may hold; the kernel does not.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent_pid:
            os._exit(0)


def _yield_way() -> None:
    """Lower the priority of every thread here: others wait for their first answer, and a slow worker is replaced."""
    if sys.platform != "linux":
        return  # elsewhere the priority belongs to the process, and the service's own share is unaffected enough
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError, ValueError):
            os.setpriority(os.PRIO_PROCESS, int(task.name), _SLOW_NICENESS)


class _Watchdog:
    """Ends this process when a job has used more CPU time than any of its limits allows; yields way when it is slow."""

    def __init__(self, cpu_limit_s: float, *, exit_process: Callable[[int], None] = os._exit) -> None:
        self._cpu_limit_s = cpu_limit_s
        self._exit = exit_process
        self._done = threading.Event()
        self.slow = False

    def __enter__(self) -> _Watchdog:
        self._started = time.process_time()
        self._thread = threading.Thread(target=self._watch, name="cpu-watch", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done.set()

    def _watch(self) -> None:
        # By processor time: on a busy machine everything takes a second, and a new process would take longer still.
        wait_s = SLOW_AFTER_S
        while not self._done.wait(wait_s):
            wait_s = 0.1
            used_s = time.process_time() - self._started
            if used_s >= SLOW_AFTER_S and not self.slow:
                self.slow = True
                _yield_way()
            if used_s > self._cpu_limit_s:
                self._exit(EXIT_CPU_FENCE)
