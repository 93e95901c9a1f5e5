"""Grade a folder of submissions: one process each, so that none can hold up or harm another."""

import hashlib
import json
import multiprocessing
import os
import resource
import secrets
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NamedTuple

from exercises.grader import judge, notebook, results
from exercises.grader.assignment import Assignment
from exercises.grader.limits import MEBIBYTE
from exercises.grader.results import Result
from exercises.grader.sandbox import Nurseries, Nursery
from exercises.grader.submissions import Submission
from exercises.grader.walls import Kit

GRACE = 4.0  # seconds beyond the limit of a submission until its process is killed
MEMORY_OF_JUDGE = 4096 * MEBIBYTE
FORK = multiprocessing.get_context("fork")


class Batch(NamedTuple):
    """All that the submissions of one run share."""

    assignment: Assignment
    kit: Kit
    folder: Path
    out: Path
    seed: int


class Job(NamedTuple):
    """A submission that is being graded in a process of its own."""

    process: ForkProcess
    submission: Submission
    deadline: float
    slot: int


def seed_of(out: Path, assignment: str, wanted: int | None) -> int:
    """Return the seed of this batch: the wanted one, else the recorded one, else a new one.

    Raises:
        ValueError: `out` holds the results of another assignment.
    """
    record = out / "batch.json"
    if record.exists():
        old = json.loads(record.read_text("utf-8"))
        if not isinstance(old, dict) or type(old.get("seed")) is not int:
            raise ValueError(f"{record} does not hold the seed of a batch: take another --out")
        if old.get("assignment") != assignment:
            raise ValueError(
                f"{out} holds the results of {old.get('assignment')}: take another --out"
            )
        wanted = old["seed"] if wanted is None else wanted
    seed = secrets.randbelow(2**31) if wanted is None else wanted
    results.write(record, json.dumps({"assignment": assignment, "seed": seed}))
    return seed


def run(
    batch: Batch, found: Sequence[Submission], workers: int, tell: Callable[[int], None]
) -> list[Result]:
    """Grade what is not yet graded; `tell` hears how many are done."""
    (batch.out / "results").mkdir(parents=True, exist_ok=True)
    waiting = deque(found)
    free = list(range(workers))
    running: list[Job] = []
    nurseries = Nurseries(batch.kit)
    done: dict[str, Result] = {}
    try:
        while waiting or running:
            while waiting and free:
                submission = waiting.popleft()
                ready = _at_once(batch, submission)
                if isinstance(ready, Result):
                    done[submission.key] = ready
                else:
                    running.append(_start(batch, submission, ready, nurseries, free.pop()))
            tell(len(done))
            _await(running)
            for job in [job for job in running if _is_over(job)]:
                running.remove(job)
                free.append(job.slot)
                done[job.submission.key] = _collect(batch, job)
                if job.process.exitcode != 0:
                    nurseries.close(job.slot)
    finally:
        for job in running:
            job.process.kill()
        for slot in range(workers):
            nurseries.close(slot)
    tell(len(done))
    return [done[submission.key] for submission in found]


def path_of(batch: Batch, submission: Submission) -> Path:
    """Return where the result of a submission is kept."""
    return batch.out / "results" / f"{submission.key}.json"


def _at_once(batch: Batch, submission: Submission) -> Result | bytes:
    """Return the result if it is known without running anything, else the notebook's bytes."""
    try:
        if submission.problem:
            raise notebook.Unreadable(submission.problem)
        raw = notebook.read_bytes(batch.folder, submission.inside)
    except notebook.Unreadable as error:
        return judge.unread(batch.assignment, submission.student, str(error))
    known = results.load(path_of(batch, submission))
    return known if known is not None and known.made_from == _origin(batch, raw) else raw


def _origin(batch: Batch, raw: bytes) -> str:
    parts = (batch.assignment.digest, str(batch.seed), str(batch.kit.limits))
    return hashlib.sha256("\n".join(parts).encode() + raw).hexdigest()


def _start(
    batch: Batch, submission: Submission, raw: bytes, nurseries: Nurseries, slot: int
) -> Job:
    path_of(batch, submission).unlink(missing_ok=True)
    nursery = nurseries.of(slot)
    process = FORK.Process(target=_grade, args=(batch, submission, raw, nursery))
    with warnings.catch_warnings():
        # Python 3.12 warns of threads at a fork; numpy's stand still here.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    return Job(process, submission, time.monotonic() + batch.kit.limits.total + GRACE, slot)


def _grade(batch: Batch, submission: Submission, raw: bytes, nursery: Nursery) -> None:
    """Grade one submission; this runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_OF_JUDGE, hard))
    path = path_of(batch, submission)
    result = judge.grade(
        batch.assignment,
        nursery,
        batch.kit.limits,
        submission.student,
        batch.seed,
        raw,
        lambda so_far: results.save(so_far, path),
    )
    results.save(result._replace(made_from=_origin(batch, raw)), path)


def _await(running: list[Job]) -> None:
    if running:
        first = min(job.deadline for job in running)
        wait([job.process.sentinel for job in running], max(0.0, first - time.monotonic()))


def _is_over(job: Job) -> bool:
    if job.process.is_alive() and time.monotonic() >= job.deadline:
        job.process.kill()
        job.process.join()
    return not job.process.is_alive()


def _collect(batch: Batch, job: Job) -> Result:
    job.process.join()
    code = job.process.exitcode
    path = path_of(batch, job.submission)
    result = results.load(path)
    if result is not None and result.made_from:
        return result
    # The process died on the way: what it had judged by then counts.
    late = time.monotonic() >= job.deadline
    problem = "the time is over" if late else f"the judge's own process ended (code {code})"
    whole = judge.unread(batch.assignment, job.submission.student, problem)
    if result is not None:
        kept = {task.name: task for task in result.tasks}
        whole = whole._replace(tasks=tuple(kept.get(task.name, task) for task in whole.tasks))
    flag = f"graded in part: {problem}"
    whole = whole._replace(flags=(flag,), seconds=batch.kit.limits.total)
    results.save(whole, path)
    return whole
