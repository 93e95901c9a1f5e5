"""Is the assignment itself right? Its own solution gets all points, an empty notebook none.

Otherwise an error in a test would give a whole class zero points, or full points.
"""

import hashlib
import importlib.metadata
import tempfile
from pathlib import Path

from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import results
from exercises.grader.mark.reference import empty, notebook_of, solved
from exercises.grader.mark.results import Result, Status
from exercises.grader.run import batch, job
from exercises.grader.run.job import Batch

SOLVED, EMPTY = "proof-solved", "proof-empty"
MOST = 3  # so many tasks are named


def prove(work: Batch, workers: int) -> None:
    """Check that the solution gets all points and an empty notebook none, unless this is known.

    Args:
        work: the batch that will be judged.
        workers: how many submissions are judged at a time.

    Raises:
        ValueError: this is not true; the error names the tasks and the messages of their tests.
        RuntimeError: the judge could not find out.
    """
    record = work.out / "proof.sha256"
    digest = _digest(work)
    if record.is_file() and record.read_text("utf-8") == digest:
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, make in {SOLVED: solved, EMPTY: empty}.items():
            text = notebook_of(make(work.assignment, name))
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
        found = [Submission(name, f"{name}.ipynb", may_compute=True) for name in (SOLVED, EMPTY)]
        trial = work._replace(folder=folder, out=folder)
        full, none = batch.run(trial, found, workers, lambda done: None)
    _check(work.assignment.name, full, none)
    results.write(record, digest)


def _digest(work: Batch) -> str:
    versions = [importlib.metadata.version(name.partition(".")[0]) for name in work.kit.imports]
    parts = [work.assignment.digest, job.version(), str(work.kit.limits), str(work.seed)]
    return hashlib.sha256("\n".join([*parts, *versions]).encode()).hexdigest()


def _check(name: str, full: Result, none: Result) -> None:
    wrong = [
        task.instructor
        or f"the source's own solution gets {task.points:g} of {task.possible:g} points in "
        f"{task.title!r} ({task.name}): {task.status}, {task.reason}"
        for task in full.tasks
        if task.status != Status.RIGHT
    ]
    wrong += [
        f"an empty notebook gets {task.points:g} points in {task.title!r} ({task.name}): its test "
        "checks nothing that the student has to write"
        for task in none.tasks
        if task.points
    ]
    if full.not_judged and not any(task.instructor for task in full.tasks):
        raise RuntimeError(f"{name} could not be tried: {full.problem or full.flags}")
    if wrong:
        more = f"\nand {len(wrong) - MOST} more" if len(wrong) > MOST else ""
        raise ValueError(
            f"no submission was judged, because the assignment {name} itself is wrong: "
            "fix it first.\n" + "\n".join(wrong[:MOST]) + more
        )
