"""Faults, one after the other, on a service that goes on: what was done, what was seen, and whether all was well after.

Most are real: done to the process by the kernel, as on a machine that is short of something. What the kernel does
to one process only with a device of its own is injected where the program asks the system (see `ill`), and each row
says which it is. After each fault clients, inventory, disk, choices and pins are compared: first untouched, to see
whether the service mends itself, then after the reload that a person would ask for.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import psutil

from bench.soaking.acts import Soak
from bench.soaking.disk import FOLDERS, Disk, good
from bench.soaking.patient import Patient, patient
from bench.soaking.rest import differences, evidence, leftovers, wishes_on_disk
from bench.texts import plugin

MENDED_WITHIN_S = 20.0
_DISK_BYTES = 96 * 1024 * 1024
_YEAR_S = 365 * 24 * 3600.0


@dataclass
class Ward:
    soak: Soak
    patient: Patient
    on_small_disk: bool

    @property
    def disk(self) -> Disk:
        return self.soak.disk

    def save(self, folder: str) -> None:
        self.disk.put(folder, "good", good(folder, self.disk.next()).encode())

    async def choose(self, folder: str, enabled: bool) -> int:
        """The status of the answer; whatever it is, a yes must have reached the disk."""
        path = f"/v1/plugins/standalone%3A{folder}/enabled"
        try:
            answer = await self.patient.http.put(path, json={"enabled": enabled})
        except httpx.TransportError:
            return 0
        if answer.is_success and wishes_on_disk(self.disk.root).choices.get(answer.json()["id"]) != enabled:
            self.soak.wrong.append(f"answered {answer.status_code}, and the choice is not on the disk")
        return answer.status_code

    async def ready(self, folder: str) -> str:
        """The state of the bytes that lie there now, as soon as they are ready; after a while whatever it is."""
        return await self._becomes(folder, lambda row: row["state"] == "ready" and self._is_now(row))

    async def failed(self, folder: str) -> str:
        return await self._becomes(folder, lambda row: row["state"] in ("failed", "gone"))

    def _is_now(self, row: dict[str, Any]) -> bool:
        return bool(row["revision"] == self.disk.revision(row["folder"]))

    async def _becomes(self, folder: str, holds: Callable[[dict[str, Any]], bool]) -> str:
        ends = time.monotonic() + MENDED_WITHIN_S
        while True:
            answer = await self.patient.http.get(f"/v1/plugins/standalone%3A{folder}")
            row = {"state": "gone"} if answer.status_code == 404 else answer.json()
            if holds(row):
                return str(row["state"])
            if time.monotonic() > ends:
                return f"not what it should be, but {row['state']},"
            await asyncio.sleep(0.1)


Act: TypeAlias = Callable[[Ward], Awaitable[str]]


@dataclass(frozen=True)
class Fault:
    """``how`` says whether it is real; ``act`` brings it, tells what was seen, and takes it away again."""

    name: str
    how: str
    act: Act


@contextmanager
def limited(pid: int, kind: int, soft: int) -> Iterator[None]:
    """A limit of the kernel's on a process that runs."""
    process = psutil.Process(pid)
    before = process.rlimit(kind)
    process.rlimit(kind, (soft, before[1]))
    try:
        yield
    finally:
        process.rlimit(kind, before)


# ---------------------------------------------------------------- the faults


async def disk_full(ward: Ward) -> str:
    """What is written now ends midway, in the editor as in the service."""
    filler = ward.disk.root / "filler"
    if not ward.on_small_disk:
        before = await ward.patient.make(full_below=str(ward.disk.root / "desktop-loader"))
        status = await ward.choose(FOLDERS[0], False)
        after = await ward.patient.make(full_below="")
        return f"a choice was answered with {status}; the disk refused {after.struck - before.struck} times"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    try:
        status = await ward.choose(FOLDERS[0], False)
        cut = ward.disk.put_what_fits(FOLDERS[1], good(FOLDERS[1], 9).encode() * 4)
        state = await ward.failed(FOLDERS[1])
    finally:
        filler.unlink()
    return f"a choice was answered with {status}; a save that ended after {cut} bytes is {state}"


async def no_room_for_files(ward: Ward) -> str:
    """Every write to a file fails (EFBIG), the service's own log among them."""
    with limited(ward.patient.pid, psutil.RLIMIT_FSIZE, 0):
        status = await ward.choose(FOLDERS[0], False)
        ward.save(FOLDERS[2])
        state = await ward.ready(FOLDERS[2])
    return f"a choice was answered with {status}; a save is {state} all the same"


async def rights_taken(ward: Ward) -> str:
    """A file, a folder and the state's folder that may not be read or written."""
    file, folder = ward.disk.file(FOLDERS[3]), ward.disk.file(FOLDERS[4]).parent
    state = ward.disk.root / "desktop-loader"
    ward.save(FOLDERS[3])
    ward.save(FOLDERS[4])
    await ward.ready(FOLDERS[3])
    file.chmod(0)
    folder.chmod(0)
    state.chmod(0o500)
    try:
        seen = [await ward.failed(FOLDERS[3]), await ward.failed(FOLDERS[4])]
        status = await ward.choose(FOLDERS[5], False)
    finally:
        file.chmod(0o644)
        folder.chmod(0o755)
        state.chmod(0o700)
    return f"closed file: {seen[0]}, closed folder: {seen[1]}; a choice was answered with {status}"


async def no_descriptors(ward: Ward) -> str:
    """Not one file more can be opened: no plugin, no state, no connection, no worker."""
    # A new descriptor gets the lowest free number: below this one, none is.
    with limited(ward.patient.pid, psutil.RLIMIT_NOFILE, 3):
        for folder in FOLDERS[:4]:
            ward.save(folder)
        killed = ward.soak.kill_workers(ward.patient, 1)
        # A connection of its own: the one that stands needs none.
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=3) as fresh:
                said = str((await fresh.get(f"{ward.patient.service.endpoint.url}/v1/health")).status_code)
        except httpx.HTTPError as error:
            said = type(error).__name__
        status = await ward.choose(FOLDERS[5], False)
    return f"a new connection: {said}; a choice on one that stood: {status}; workers killed meanwhile: {killed}"


async def queue_overflow(ward: Ward) -> str:
    """The service sleeps while more happens than the kernel keeps for it; what happens after that is told to nobody."""
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    noisy = [ward.disk.file(FOLDERS[0]).with_name(name) for name in ("one.tmp", "two.tmp")]
    ward.save(FOLDERS[0])
    ward.patient.service.process.send_signal(signal.SIGSTOP)
    try:
        for number in range(most // 2 + 1000):
            noisy[number % 2].write_bytes(b"x")
        for folder in FOLDERS[:6]:
            ward.save(folder)
        ward.disk.remove_folder(FOLDERS[6])
    finally:
        ward.patient.service.process.send_signal(signal.SIGCONT)
        for path in noisy:
            path.unlink()
    state = await ward.ready(FOLDERS[0])
    return f"more than {most} events, then six saves and a removal unheard: {state}"


async def read_error_midway(ward: Ward) -> str:
    file = ward.disk.file(FOLDERS[1])
    ward.save(FOLDERS[1])
    await ward.ready(FOLDERS[1])
    before = await ward.patient.make(unreadable=str(file.resolve()))
    ward.save(FOLDERS[1])
    state = await ward.failed(FOLDERS[1])
    after = await ward.patient.make(unreadable="")
    if after.struck == before.struck:
        ward.soak.wrong.append("no read failed: the fault did not come")
    return f"the first 16 bytes came, then an error, {after.struck - before.struck} times: {state}"


async def read_error(ward: Ward) -> str:
    """/proc/self/mem is a file that opens and whose first read the kernel answers with EIO."""
    file = ward.disk.file(FOLDERS[2])
    ward.save(FOLDERS[2])
    await ward.ready(FOLDERS[2])
    link = file.with_name(".link")
    link.symlink_to("/proc/self/mem")
    link.replace(file)
    state = await ward.failed(FOLDERS[2])
    file.unlink()
    ward.save(FOLDERS[2])
    return f"{state}, and {await ward.ready(FOLDERS[2])} once it is a file again"


async def clock_jumps(ward: Ward) -> str:
    """A year ahead and decades back, each in the middle of checks."""
    seen = []
    for ahead_s in (_YEAR_S, -25 * _YEAR_S, 0.0):
        for folder in FOLDERS[:2]:
            text = plugin(100, folder, name=f"Version {ward.disk.next()}", seed=ward.disk.saves)
            ward.disk.put(folder, "good", text.encode())
        await asyncio.sleep(0.1)  # checks are under way now, and take longer than the jump
        await ward.patient.make(clock_ahead_s=ahead_s)
        seen += [await ward.ready(folder) for folder in FOLDERS[:2]]
    return f"three jumps, each during checks of two large plugins: {', '.join(sorted(set(seen)))}"


async def workers_killed(ward: Ward) -> str:
    killed = 0
    for _ in range(5):
        for folder in FOLDERS[:6]:
            ward.save(folder)
        await asyncio.sleep(0.05)  # in the midst of it
        killed += ward.soak.kill_workers(ward.patient, 10)
    states = {await ward.ready(folder) for folder in FOLDERS[:6]}
    return f"{killed} killed during checks: {', '.join(sorted(states))}"


async def no_process(ward: Ward) -> str:
    """No worker can be started, as where the system has no memory or no process left for us."""
    before = await ward.patient.make(no_process=True)
    killed = ward.soak.kill_workers(ward.patient, 10)
    for folder in FOLDERS[:3]:
        ward.save(folder)
    states = {await ward.failed(folder) for folder in FOLDERS[:3]}
    after = await ward.patient.make(no_process=False)
    if after.struck == before.struck:
        ward.soak.wrong.append("no start failed: the fault did not come")
    return f"{killed} workers killed and none to be had: {', '.join(sorted(states))}, the last good ones run on"


async def state_garbled(ward: Ward) -> str:
    """Half a file of choices, as a disk leaves it after a power cut: set aside, and said."""
    path = ward.disk.root / "desktop-loader" / "choices.json"
    await ward.choose(FOLDERS[0], False)
    path.write_bytes(path.read_bytes()[:-20])
    status = await ward.choose(FOLDERS[1], True)
    aside = list(path.parent.glob("choices.json.damaged-*"))
    for each in aside:
        each.unlink()
    return f"a choice was answered with {status}; {len(aside)} file set aside"


async def backend_crashes(ward: Ward) -> str:
    answers = [await ward.soak.crash_backend(ward.patient) for _ in range(7)]
    return f"answers: {', '.join(map(str, answers))}"


def table(on_small_disk: bool) -> tuple[Fault, ...]:
    """All, in the order in which they come."""
    full = (
        "real: a small tmpfs, filled" if on_small_disk else "injected at os.fsync: no file system may be mounted here"
    )
    return (
        Fault("the disk is full (ENOSPC)", full, disk_full),
        Fault("no file may grow (EFBIG)", "real: RLIMIT_FSIZE 0 on the process", no_room_for_files),
        Fault("no rights (EACCES)", "real: chmod, by a service without the powers of root", rights_taken),
        Fault("no descriptors left (EMFILE)", "real: RLIMIT_NOFILE on the process", no_descriptors),
        Fault(
            "inotify's queue overflows (IN_Q_OVERFLOW)", "real: a storm while the process is stopped", queue_overflow
        ),
        Fault("a read fails midway (EIO)", "injected at os.read", read_error_midway),
        Fault("a read fails (EIO)", "real: a link to /proc/self/mem", read_error),
        Fault("the wall clock jumps", "injected at the wall clock; stamps of files are real", clock_jumps),
        Fault("workers are killed", "real: SIGKILL", workers_killed),
        Fault("no process can be started (EAGAIN)", "injected at the calls that start one", no_process),
        Fault("a state file is cut off", "real", state_garbled),
        Fault("a backend crashes", "real: it ends itself in a request", backend_crashes),
    )


# ---------------------------------------------------------------- running them


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system of its own on an empty folder, where that is allowed; whether it is."""
    mounted = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "soak", str(folder)], capture_output=True, check=False
        ).returncode
        == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)


@asynccontextmanager
async def home_of_faults(chance: random.Random) -> AsyncIterator[tuple[Disk, bool]]:
    with tempfile.TemporaryDirectory(prefix="soak-faults-") as folder, small_disk(Path(folder)) as on_small_disk:
        disk = Disk(Path(folder) / "home", chance)
        disk.begin()
        yield disk, on_small_disk


async def run(seed: int) -> list[dict[str, Any]]:
    """A row for each fault: name, how, what was seen, how it mended, what was wrong, and what explains that."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    async with home_of_faults(chance) as (disk, on_small_disk):
        soak = Soak(disk, chance)
        async with patient(disk.root) as ill:
            for _ in range(2):
                soak.connect(ill.service)
            await soak.rest(ill)
            for fault in table(on_small_disk):
                rows += [await _one(fault, Ward(soak, ill, on_small_disk))]
            await soak.drop()
        rows.append(await _killed_while_writing(soak))
    return rows


async def _one(fault: Fault, ward: Ward) -> dict[str, Any]:
    """Each begins with the same plugins, all good and on."""
    soak, ill = ward.soak, ward.patient
    for folder in FOLDERS[:8]:
        ward.save(folder)
        await ward.choose(folder, True)
    await soak.rest(ill)
    before, soak.wrong = soak.wrong, []
    try:
        seen = await fault.act(ward)
    except httpx.TransportError as error:
        seen = f"no answer ({type(error).__name__})"
        soak.wrong.append(f"the service did not answer: {error!r}; it said {ill.service.said[-500:]}")
    mended = "by itself"
    if await differences(ill.http, ward.disk, soak.watchers, within_s=MENDED_WITHIN_S):
        mended = "by a reload"
    await soak.rest(ill)
    wrong, soak.wrong = soak.wrong, []
    if wrong:
        soak.evidence.append(await evidence(ill, ward.disk, wrong))
    return {"fault": fault.name, "how": fault.how, "seen": seen, "mended": mended, "wrong": before + wrong}


async def _killed_while_writing(soak: Soak, times: int = 3) -> dict[str, Any]:
    """The service is killed while it writes, started on what that left, and compared."""
    answered = 0
    for _ in range(times):
        async with patient(soak.disk.root) as ill:
            soak.connect(ill.service)
            await soak.rest(ill)
            await soak.drop()
            told = await soak.kill_midway(ill)
            answered += len(told.choices)
            soak.wrong += told.lost(wishes_on_disk(soak.disk.root).choices) + leftovers(soak.disk.root)
    async with patient(soak.disk.root) as ill:
        await soak.rest(ill)
    wrong, soak.wrong = soak.wrong, []
    seen = f"{times} kills; {answered} choices were answered before, all of them are on the disk"
    if wrong:
        seen = f"{times} kills; {answered} choices were answered before"
    return {
        "fault": "the service is killed while it writes its state",
        "how": "real: SIGKILL",
        "seen": seen,
        "mended": "by a start",
        "wrong": wrong,
    }
