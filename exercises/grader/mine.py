"""Grade your own notebook: `make grade-mine FILE=my/exercises/.../..._exercise.ipynb`.

The judge and the page are those of a class. The code runs with all your rights, as it does in
JupyterLab, so use this only for a notebook that you wrote yourself.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from exercises.grader.intake import assignment, claims
from exercises.grader.intake.source import assignments
from exercises.grader.mark import judge, results
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Result
from exercises.grader.report.feedback import feedback
from exercises.grader.run.errors import Trouble
from exercises.grader.run.isolation import kit
from exercises.grader.run.sandbox import ForkServer
from exercises.grader.sandboxed.limits import FILE_BYTES, MEBIBYTE

SOURCE = Path(__file__).resolve().parents[1] / "source"
EXAMPLE = "my/exercises/04_attention/04_attention_exercise.ipynb"
SEED = 0  # the same hidden numbers every time, so that a mistake can be found again


def grade(file: Path, bank: Path = SOURCE) -> Result:
    """Return the result of one notebook, judged without isolation.

    Args:
        file: the notebook. If its first cell contains no id, its numbers are those of the empty id.
        bank: the folder of the assignments; the notebook's cells show which one it is.

    Raises:
        ValueError: there is no such notebook, or it belongs to no assignment of the bank.
    """
    if file.suffix != ".ipynb" or not file.is_file():
        raise ValueError(f"FILE must be a notebook, such as {EXAMPLE}, but {str(file)!r} is not")
    if file.stat().st_size > FILE_BYTES:
        raise ValueError(f"{file} is larger than {FILE_BYTES // MEBIBYTE} MB: clear its outputs")
    raw = file.read_bytes()
    name = claims.most_like(raw, bank)
    if not name:
        known = ", ".join(path.name for path in assignments(bank))
        raise ValueError(f"{file} does not belong to any of these assignments: {known}")
    # Its owner knows which version it is of, so each is judged by its own numbers.
    task_set = assignment.load(bank / name)
    versions = frozenset(task_set.earlier)
    task_set = task_set.judging(versions)
    for module in task_set.imports:
        importlib.import_module(module)
    case = Case(claims.student_of(raw), raw, SEED, versions=versions)
    fork_server = ForkServer(kit(task_set.limits, task_set.imports, sandboxed=False))
    try:
        return judge.grade(task_set, fork_server, task_set.limits, case)
    finally:
        fork_server.close()


def main(words: Sequence[str] | None = None) -> int:
    """Grade a notebook, write the page next to it and print the file of the page."""
    reader = argparse.ArgumentParser(prog="python -m exercises.grader.mine", description=__doc__)
    reader.add_argument("file", metavar="FILE", type=Path, help="a notebook of your own")
    file = reader.parse_args(words).file
    try:
        result = grade(file)
    except (ValueError, RuntimeError, OSError, Trouble) as error:
        print(f"grade-mine: {error}", file=sys.stderr)
        return 2
    page = file.with_suffix(".feedback.html")
    named = result._replace(student=result.student or "A learner without an id")
    results.write(page, feedback(file.stem, named))
    for task in result.tasks:
        print(f"{results.shown(task.earned):>4} of {task.possible:g}  {task.title}: {task.status}")
    print(f"{results.shown(result.earned)} of {result.possible:g} points: {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
