"""Start one submission in a process of its own, watch it, and collect its result."""

import ctypes
import functools
import hashlib
import multiprocessing
import os
import resource
import signal
import time
import warnings
from collections.abc import Mapping
from enum import IntEnum
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NamedTuple

from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import judge, results
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.run import interruption
from exercises.grader.run.errors import Postponed, Trouble
from exercises.grader.run.isolation import Kit
from exercises.grader.run.newer import running
from exercises.grader.run.sandbox import ForkServer
from exercises.grader.sandboxed.limits import MEBIBYTE, Limits

GRACE = 4.0  # seconds beyond the limit of a submission until its process is killed
TRIES = 3  # how often a submission is judged when the judge itself has trouble
PATIENCE = 3  # how many times longer a call and a task may take on the clock, when put off
SPARE = 1 / 20  # how much of the limit of a submission two turns may take beyond it
MEMORY_OF_JUDGE = 4096 * MEBIBYTE
FORK = multiprocessing.get_context("fork")
PARENT_DEATH_SIGNAL = 1  # from prctl.h
STARVED = "other programs took the processor: grade again on a machine that is less busy"
REFUSED = "the system refused the judge a file or a process. Is the disk full?"
libc = ctypes.CDLL(None)


class Exit(IntEnum):
    """This is the exit code of the process of a submission, unless it is killed."""

    DONE = 0
    TROUBLE = 70
    REFUSED = 71
    POSTPONED = 75


class Batch(NamedTuple):
    """All that the submissions of one run share."""

    assignment: Assignment
    kit: Kit
    folder: Path
    out: Path
    seed: int
    versions: frozenset[int] = frozenset()  # earlier ones that are judged too


class Turn(NamedTuple):
    """This is a submission to be judged, with the results of its earlier turns."""

    submission: Submission
    raw: bytes
    known: Mapping[str, TaskResult]
    tries: int = 1
    is_last: bool = False  # it runs when nothing else does, and a time-out is a verdict
    seconds: float = 0.0  # how long the turn took that was put off


class Job(NamedTuple):
    """This is a turn whose process runs."""

    process: ForkProcess
    turn: Turn
    begun: float
    deadline: float
    slot: int
    fork_server: ForkServer


def path_of(batch: Batch, submission: Submission) -> Path:
    """Return the file with the result of a submission."""
    return batch.out / "results" / f"{submission.key}.json"


@functools.cache
def version() -> str:
    """Return a digest of the grader's own code."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"\n".join(path.read_bytes() for path in files)).hexdigest()


def origin(batch: Batch, submission: Submission, raw: bytes) -> str:
    """Return a digest of everything that a result depends on."""
    parts = [batch.assignment.digest, str(batch.seed), str(batch.kit.limits), version()]
    parts += [running(), submission.student, submission.drawn_for, submission.dispute]
    parts += [str(sorted(batch.versions)), str(submission.may_compute), str(submission.is_unnamed)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace") + raw).hexdigest()


def start(batch: Batch, turn: Turn, fork_server: ForkServer, slot: int) -> Job:
    """Start the process of a submission."""
    path_of(batch, turn.submission).unlink(missing_ok=True)
    process = FORK.Process(target=_grade, args=(batch, turn, fork_server, os.getpid()))
    with warnings.catch_warnings():
        # Python 3.12 warns of threads at a fork; numpy's stand still here.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    begun = time.monotonic()
    return Job(process, turn, begun, begun + caps_of(batch, turn).total + GRACE, slot, fork_server)


def caps_of(batch: Batch, turn: Turn) -> Limits:
    """Return the limits of a turn: the last turn gets more time, but both together are bounded."""
    caps = batch.kit.limits
    if not turn.is_last:
        return caps
    spare = SPARE * caps.total
    total = round(max(spare, caps.total + spare - turn.seconds), 1)  # a message names it
    return caps._replace(call=PATIENCE * caps.call, task=PATIENCE * caps.task, total=total)


def _grade(batch: Batch, turn: Turn, fork_server: ForkServer, parent: int) -> None:
    """Grade one submission; this runs in a process of its own."""
    interruption.let_through()
    # Nobody collects what an orphan finds out, and the sandboxes end with the parent.
    libc.prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(Exit.TROUBLE)
    _bound_memory()
    path = path_of(batch, turn.submission)
    submission, found = turn.submission, list(turn.known.values())
    student = submission.student

    def tell(so_far: Result) -> None:
        found[:] = so_far.tasks
        results.save(so_far, path)

    case = Case(
        *(student, turn.raw, batch.seed, turn.known, turn.is_last),
        *(submission.drawn_for, submission.dispute, submission.is_unnamed),
        versions=batch.versions,
        may_compute=submission.may_compute,
    )
    caps = caps_of(batch, turn)
    try:
        try:
            result = judge.grade(batch.assignment, fork_server, caps, case, tell)
        except (Trouble, Postponed) as stop:
            results.save(Result(student, tuple(found), problem=str(stop)), path)
            os._exit(Exit.TROUBLE if isinstance(stop, Trouble) else Exit.POSTPONED)
        results.save(result._replace(made_from=origin(batch, submission, turn.raw)), path)
    except OSError:
        os._exit(Exit.REFUSED)  # who started it says so, or meets the same


def _bound_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * os.sysconf(
        "SC_PAGE_SIZE"
    )
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_OF_JUDGE, hard))


def await_one(running: list[Job], stop: int) -> bool:
    """Wait until one of these may be over, and return whether the command should stop instead."""
    first = min(job.deadline for job in running)
    sentinels = [job.process.sentinel for job in running]
    return stop in wait([*sentinels, stop], max(0.0, first - time.monotonic()))


def is_over(job: Job) -> bool:
    """Return whether a job has ended, and kill a job that is late."""
    if job.process.is_alive() and time.monotonic() >= job.deadline:
        job.process.kill()
        job.process.join()
    return not job.process.is_alive()


def collect(batch: Batch, job: Job) -> Result | Turn:
    """Return the result of a job that is over, or the turn that its submission takes next."""
    job.process.join()
    code = job.process.exitcode
    path = path_of(batch, job.turn.submission)
    result = results.load(path)
    if result is not None and result.made_from:
        return result
    turn = job.turn
    if result is not None:
        turn = turn._replace(known={task.name: task for task in result.tasks})
    late = code == -signal.SIGKILL and time.monotonic() >= job.deadline
    if late and not job.fork_server.answers():
        return after_trouble(batch, turn, "the process that starts the sandboxes does not respond")
    if code == Exit.POSTPONED and turn.is_last:
        return _in_part(batch, turn, Status.NOT_JUDGED, STARVED)
    if late and turn.is_last:
        return _in_part(batch, turn, Status.TIMED_OUT, "the time for this submission is over")
    if late or code == Exit.POSTPONED:
        return turn._replace(is_last=True, seconds=time.monotonic() - job.begun)
    said = code == Exit.TROUBLE and result is not None and result.problem
    said = REFUSED if code == Exit.REFUSED else said
    return after_trouble(batch, turn, said or f"the judge's own process ended (code {code})")


def after_trouble(batch: Batch, turn: Turn, why: str) -> Result | Turn:
    """Return the next turn after trouble or, after too much of it, a result that reports it."""
    if turn.tries < TRIES:
        return turn._replace(tries=turn.tries + 1)
    return _in_part(batch, turn, Status.NOT_JUDGED, why)


def _in_part(batch: Batch, turn: Turn, status: Status, why: str) -> Result:
    """Return a result with what was judged; one that time did not end is judged anew next time."""
    whole = judge.rest(batch.assignment, turn.submission.student, status, why, turn.known)
    final = origin(batch, turn.submission, turn.raw) if status == Status.TIMED_OUT else ""
    flag = f"graded in part: {why}" if final else f"not judged: {why}"
    seconds = batch.kit.limits.total
    whole = whole._replace(flags=(flag,), seconds=seconds, made_from=final)
    results.save(whole, path_of(batch, turn.submission))
    return whole
