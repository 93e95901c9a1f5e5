"""Grade a folder of submissions in one process each, so that none can delay or harm another."""

import contextlib
import fcntl
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import results
from exercises.grader.mark.results import Result
from exercises.grader.run import interruption, job
from exercises.grader.run.job import Batch, Job
from exercises.grader.run.sandbox import ForkServers
from exercises.grader.run.turns import Turns


def seed_of(out: Path, assignment: str, wanted: int | None) -> int:
    """Return the seed of this batch: the wanted one, or else the recorded one, or else a new one.

    Raises:
        ValueError: `out` contains the results of another assignment.
    """
    record = out / "batch.json"
    if record.exists():
        old = results.stored(record)
        if type(old.get("seed")) is not int:
            raise ValueError(f"{record} does not contain the seed of a batch: choose another --out")
        if old.get("assignment") != assignment:
            raise ValueError(
                f"{out} already contains the results of {old.get('assignment')}: "
                "choose another --out"
            )
        wanted = old["seed"] if wanted is None else wanted
    seed = secrets.randbelow(2**31) if wanted is None else wanted
    results.write(record, json.dumps({"assignment": assignment, "seed": seed}))
    return seed


@contextlib.contextmanager
def locked(out: Path) -> Iterator[None]:
    """Prevent a second command from writing these results.

    Raises:
        ValueError: another command is writing there.
    """
    with (out / ".lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ValueError(f"another command is writing to {out}: wait until it ends") from error
        yield


def run(
    batch: Batch,
    found: Sequence[Submission],
    workers: int,
    tell: Callable[[int], None],
) -> list[Result]:
    """Grade the submissions that are not yet graded; `tell` is called with the number graded.

    Raises:
        KeyboardInterrupt: SIGINT or SIGTERM arrived; the results so far are kept.
    """
    (batch.out / "results").mkdir(parents=True, exist_ok=True)
    job.version()  # once, before the processes part
    turns = Turns(batch, found)
    crew = Crew(batch, workers)
    with interruption.held_back() as stop:
        try:
            while crew.take(turns):
                tell(len(turns.done))
                if job.await_one(crew.running, stop):
                    raise KeyboardInterrupt
                crew.collect(turns)
        finally:
            crew.close()
    tell(len(turns.done))
    return [_with_remarks(turns.done[submission.key], submission) for submission in found]


def _with_remarks(result: Result, submission: Submission) -> Result:
    flags, notes = (*result.flags, *submission.flags), (*submission.notes, *result.notes)
    return result._replace(flags=flags, notes=notes)


class Crew:
    """These are the workers, each with a fork server and at most one job."""

    def __init__(self, batch: Batch, workers: int) -> None:
        self.batch = batch
        self.free = list(range(workers))
        self.running: list[Job] = []
        self.fork_servers = ForkServers(batch.kit)

    def take(self, turns: Turns) -> bool:
        """Start as many turns as there are free workers, and return whether any job runs now."""
        while self.free and (turn := turns.next(quiet=not self.running)) is not None:
            slot = self.free.pop()
            try:
                self.running.append(job.start(self.batch, turn, self.fork_servers.of(slot), slot))
            except (RuntimeError, OSError) as error:
                if not self.fork_servers.proven:
                    raise  # it never worked: better a refusal than a table of nothing
                self.free.append(slot)
                turns.settle(turn, job.after_trouble(self.batch, turn, str(error)))
        return bool(self.running)

    def collect(self, turns: Turns) -> None:
        """Collect the results of the jobs that are over."""
        for done in [each for each in self.running if job.is_over(each)]:
            self.running.remove(done)
            self.free.append(done.slot)
            turns.settle(done.turn, job.collect(self.batch, done))
            if done.process.exitcode != 0:
                self.fork_servers.close(done.slot)

    def close(self) -> None:
        """End all jobs and fork_servers that run."""
        for each in self.running:
            each.process.kill()
            each.process.join()
        for slot in list(self.fork_servers.open):
            self.fork_servers.close(slot)
