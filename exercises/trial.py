"""Try an assignment: its solution gets all points, an empty notebook none, each mistake fewer.

Mistakes are in `mutants*.py` next to the source, other right answers in `alternatives*.py`.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.answers import load, task_of, text_of
from exercises.grader.intake import assignment
from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import proof, reference
from exercises.grader.mark.results import Result
from exercises.grader.run import batch, job
from exercises.grader.run.isolation import kit
from exercises.lint import SOURCE, lint

WORKERS = 2
STUDENTS = 20  # so many sets of numbers are tried where each student has their own


class Entry(NamedTuple):
    """This is a notebook to try: all solutions except one answer, and whether it is right."""

    name: str
    student: str
    task: str
    text: str
    is_right: bool


def entries(folder: Path, made: Assignment) -> list[Entry]:
    """Return the mistakes and the other right answers of an assignment.

    Raises:
        ValueError: one of them belongs to no task.
    """
    functions = {task.cell: bool(task.functions) for task in made.tasks}
    drawn = {task.cell for task in made.tasks if task.is_drawn}
    found = []
    for kind in ("mutants", "alternatives"):
        for name, answer in load(folder, kind).items():
            task = task_of(name)
            if task not in functions:
                raise ValueError(f"{kind}: {name} belongs to no task; call it TASK__WHAT")
            text = text_of(answer, task, functions[task])
            for number in range(STUDENTS if task in drawn else 1):
                student = f"{name}-{number}"
                found.append(Entry(name, student, task, text, kind == "alternatives"))
    return found


def trial(folder: Path, sandboxed: bool = True) -> list[str]:
    """Return a sentence for each result that is not as it should be.

    Raises:
        ValueError: the solution does not get all points, or an empty notebook gets some.
        RuntimeError: there is no sandbox, or the judge could not judge.
    """
    made = assignment.load(folder)
    for name in made.imports:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as place:
        here = Path(place)
        work = job.Batch(made, kit(made.limits, made.imports, sandboxed), here, here, seed=0)
        proof.prove(work, WORKERS)
        todo = entries(folder, made)
        for entry in todo:
            cells = [
                cell._replace(text=entry.text) if cell.grade_id == entry.task else cell
                for cell in reference.solved(made, entry.student)
            ]
            text = reference.notebook_of(cells)
            (here / f"{entry.student}.ipynb").write_text(text, encoding="utf-8")
        found = [
            Submission(entry.student, f"{entry.student}.ipynb", may_compute=True) for entry in todo
        ]
        graded = batch.run(work, found, WORKERS, lambda done: None)
    pairs = zip(todo, graded, strict=True)
    said = [_odd(entry, result, made) for entry, result in pairs]
    return list(dict.fromkeys(filter(None, said)))


def _odd(entry: Entry, result: Result, made: Assignment) -> str:
    """Say what is wrong with the points of one entry, "" if nothing is."""
    parts = {task.name: task.is_drawn for task in made.tasks if task.cell == entry.task}
    own = [task for task in result.tasks if task.name in parts]
    lost = [task for task in own if task.points < task.possible]
    if entry.is_right and lost:
        return f"{entry.name} is right and loses points in {lost[0].name}: {lost[0].reason}"
    if entry.is_right:
        return ""
    if not lost and any(parts.values()):
        return (
            f"{entry.name} is a mistake and keeps all points with numbers of some students: draw "
            "only such that tell it from the right answer"
        )
    if not lost:
        return f"{entry.name} is a mistake and keeps all points: add a test that it fails"
    if any("NameError" in task.reason for task in lost):
        return f"{entry.name} loses its points for a name that it lacks: {lost[0].reason}"
    return ""


def main(words: Sequence[str] | None = None) -> int:
    """Lint and try; return 0 if all is right, 1 if something is wrong, 2 if it cannot be tried."""
    reader = argparse.ArgumentParser(prog="python -m exercises.trial", description=__doc__)
    reader.add_argument("name", metavar="NAME")
    reader.add_argument("--source", metavar="BANK", type=Path, default=SOURCE)
    words_of_walls = "run it with your own rights, where there is no bubblewrap"
    reader.add_argument("--no-sandbox", action="store_true", help=words_of_walls)
    given = reader.parse_args(words)
    folder = given.source / given.name
    try:
        found = lint(folder)
        found += [] if found else trial(folder, not given.no_sandbox)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"trial: {error}", file=sys.stderr)
        return 2
    for what in found:
        print(what)
    if not found:
        print(f"{given.name}: the solution gets all points, an empty notebook none; each mistake")
        print("loses points, each other right answer keeps them.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
