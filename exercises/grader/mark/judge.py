"""Grade one submission: read it, judge its tasks one after the other, note what was odd."""

import contextlib
import time
from collections.abc import Callable, Mapping

from exercises.grader.intake import notebook
from exercises.grader.intake.assignment import Assignment, Task
from exercises.grader.mark import carried, review
from exercises.grader.mark.attempt import UNNAMED, Case, judge_task
from exercises.grader.mark.cells import explained
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.run import selection
from exercises.grader.run.clock import OutOfTime, alarm
from exercises.grader.run.errors import Stopped, Trouble
from exercises.grader.run.sandbox import ForkServer
from exercises.grader.run.scopes import own_cells
from exercises.grader.run.session import Session
from exercises.grader.sandboxed.limits import Limits

NOTES = 12
RENUMBERED = "it names version {}, but its cells are those of version {}, by which it was judged"
NO_VERSION = (
    "the notebook names no VERSION, so nobody can tell which numbers it showed: its cell of "
    "helpers was changed, or it is of a release without versions"
)
RIGHT_FOR_NOBODY = (
    "are right for a notebook without an id (--aliases accepts them by a row with an empty typed), "
    "for example in"
)
UNLIKE = "the text of {0} and the value of {0} in the notebook differ: the text counts"
REVIEW_SECONDS = 2.0


def grade(
    assignment: Assignment,
    fork_server: ForkServer,
    caps: Limits,
    case: Case,
    tell: Callable[[Result], None] = lambda so_far: None,
) -> Result:
    """Return the result of one submission; `tell` is called after each task with the result so far.

    Raises:
        Trouble: the judge's own machinery broke.
        Postponed: the machine was too busy to find out whether the code is slow.
    """
    start = time.monotonic()
    try:
        cells = notebook.code_cells(case.raw)
    except notebook.Unreadable as error:
        return rest(assignment, case.student, Status.BROKEN, str(error))
    chosen = selection.select(assignment, cells, case.student_id)
    if chosen.version not in {assignment.version, *case.versions}:
        return _of_other_version(assignment, case, chosen.version)
    present, assignment = assignment, chosen.assignment
    session = Session(fork_server, caps, chosen.cells, case.patient)
    try:
        tasks = _judge_tasks(assignment, session, case, tell)
        tasks, unnamed = _unnamed(assignment, tasks)
        tasks, replaced = explained(assignment, session, tasks)
    finally:
        # What a verdict needs is known; whoever needs this fork server next will meet its trouble.
        with contextlib.suppress(Trouble):
            session.close()
    disputes = [case.dispute] if case.dispute else []
    notes = [*disputes, *chosen.notes]
    notes += [str(error) for error in session.errors.values()]
    flags = [*_reviewed(chosen.own, assignment), *disputes]
    if chosen.named != chosen.version:
        flags.append(RENUMBERED.format(chosen.named, chosen.version))
    flags += [*unnamed, *replaced]
    flags += carried.flags(tasks)
    flags += dict.fromkeys(f"not judged: {t.instructor}" for t in tasks if t.instructor)
    flags += dict.fromkeys(f"not judged yet: {t.question}" for t in tasks if t.question)
    flags += [UNLIKE.format(name) for name in sorted(session.unlike)]
    flags += [f"timed out in {t.title!r}" for t in tasks if t.status == Status.TIMED_OUT]
    flags += [f"timed out in {session.cells[n].label}" for n in sorted(session.hung)]
    seconds = round(time.monotonic() - start, 3)
    named = zip(tasks, present.tasks, strict=False)
    tasks = tuple(task._replace(name=now.name) for task, now in named)
    tasks += tuple(_not_asked(task) for task in present.tasks[len(tasks) :])
    short = tuple(notes[:NOTES])
    return Result(case.student, tasks, notes=short, flags=tuple(flags), seconds=seconds)


def _not_asked(task: Task) -> TaskResult:
    """Return the result of a task that the version of a notebook did not have."""
    return TaskResult(task.name, task.title, 0.0, 0.0, Status.NOT_ASKED)


def _of_other_version(assignment: Assignment, case: Case, version: int) -> Result:
    """Return a result without points that says which version the notebook is of."""
    said = f"the notebook is of version {version}, but version {assignment.version} is judged"
    reason = f"{said}: --version {version} judges such notebooks by what they showed"
    if not version:
        said = reason = NO_VERSION
    elif version not in assignment.earlier:
        said = reason = f"the notebook names version {version}, which {assignment.name} never had"
    whole = rest(assignment, case.student, Status.NOT_JUDGED, said)
    tasks = (task._replace(instructor=reason) for task in whole.tasks)
    return whole._replace(tasks=tuple(tasks), flags=(f"not judged: {reason}",))


def _unnamed(
    assignment: Assignment, tasks: tuple[TaskResult, ...]
) -> tuple[tuple[TaskResult, ...], list[str]]:
    """Return the results, and a flag where answers are right for whoever has typed no id.

    One letter of a choice may be right for both by chance: then nothing is said.
    """
    paper = {task.name for task in assignment.tasks if task.is_drawn and task.is_on_paper}
    lost = [task for task in tasks if task.name in paper and task.status == Status.WRONG]
    found = [task.title for task in lost if UNNAMED in task.reason]
    if len(found) > 1 and 2 * len(found) > len(lost):
        return tasks, [f"{len(found)} answers {RIGHT_FOR_NOBODY} {found[0]!r}"]
    plain = (task._replace(reason=task.reason.replace(UNNAMED, "").rstrip()) for task in tasks)
    return tuple(plain), []


def _judge_tasks(
    assignment: Assignment, session: Session, case: Case, tell: Callable[[Result], None]
) -> tuple[TaskResult, ...]:
    done = dict(case.known)
    for task in _in_order(assignment):
        if task.functions and not session.called:
            survey(session)
        if task.name not in done:
            done[task.name] = judge_task(assignment, task, session, case._replace(known=done))
            so_far = tuple(done[t.name] for t in assignment.tasks if t.name in done)
            tell(Result(case.student, so_far))
    return tuple(done[task.name] for task in assignment.tasks)


def _in_order(assignment: Assignment) -> list[Task]:
    """Return the tasks so that they can share sandboxes.

    Answers that are no functions come first: nothing is called, so one sandbox can go on from task
    to task. In the end it has run all cells, which is what the notebook's last task needs, if it
    carries no mistake of another one.
    """
    last = assignment.tasks[-1]

    def place(task: Task) -> tuple[bool, bool]:
        return bool(task.functions), task is not last or bool(task.carries)

    return sorted(assignment.tasks, key=place)


def survey(session: Session) -> None:
    """Run all cells once before any function is called, to note their errors and their time."""
    session.places = own_cells(session.cells)
    with contextlib.suppress(Stopped):
        session.ready()


def _reviewed(cells: tuple[str, ...], assignment: Assignment) -> list[str]:
    # Python's own tokenizer takes minutes for a line of a hundred thousand quotes.
    try:
        with alarm(REVIEW_SECONDS):
            return review.flags(
                cells,
                assignment.words,
                frozenset(name.partition(".")[0] for name in assignment.imports),
            )
    except OutOfTime:
        return ["the code could not be searched for libraries"]


def rest(
    assignment: Assignment,
    student: str,
    status: Status,
    problem: str,
    known: Mapping[str, TaskResult] | None = None,
) -> Result:
    """Return a result in which every task that is not known has this status and no points."""
    tasks = (
        (known or {}).get(t.name) or TaskResult(t.name, t.title, 0.0, t.points, status, problem)
        for t in assignment.tasks
    )
    return Result(student, tuple(tasks), problem=problem)
