"""Results of the small assignment, most of them made without a judge."""

import json

from exercises.grader.intake import assignment
from exercises.grader.intake.forms import Handed
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import judge
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course

ABSENT = dict.fromkeys(course.POINTS, Status.ABSENT)
"""What `judged` is told of a student who handed in nothing."""


def demo(root):
    """Return the small assignment from a bank in this folder."""
    return assignment.load(course.write_source(root / "bank") / "demo")


def right(task):
    """Return the result of a task that need not be judged."""
    return TaskResult(task.name, task.title, task.points, task.points, Status.RIGHT)


def graded(root, fork_server, source, notebook):
    """Judge a notebook of ann by the assignment that the source describes."""
    folder = course.write(root / "source", "demo", source).parent
    case = Case("ann", json.dumps(notebook).encode(), seed=1)
    return judge.grade(assignment.load(folder), fork_server, Limits(), case)


def handed(student, form="plain", late=False, number=""):
    """Return a submission of a student."""
    file = Handed(form, student, number=number, file="demo.ipynb", late=late)
    return Submission(student, f"{student}/demo.ipynb", handed=file)


def judged(student, **statuses):
    """Return what the judge found; what is not named is right."""
    tasks = []
    for name, possible in course.POINTS.items():
        status = statuses.get(name, Status.RIGHT)
        points = possible if status == Status.RIGHT else 0
        tasks.append(TaskResult(name, f"The task {name}", points, possible, status))
    return Result(student, tuple(tasks))


def unread(task_set, student):
    """Return the result of a notebook that nobody can read."""
    return judge.rest(task_set, student, Status.BROKEN, "it is not JSON")
