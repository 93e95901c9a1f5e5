"""Say what became of a task whose cell a later Python wrote, or whose stub replaced the answer."""

import ast
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from exercises.grader.intake.assignment import Assignment, Task
from exercises.grader.mark.results import Status, TaskResult
from exercises.grader.run.errors import SYNTAX
from exercises.grader.run.newer import LONGEST, Read, read, running
from exercises.grader.run.selection import Code, Role
from exercises.grader.run.session import Session

MOST = 4 * LONGEST  # letters of a submission that are read by the rules of a later Python
LOST = (Status.WRONG, Status.UNWRITTEN)
DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NO_NAME = re.compile(r"NameError|is not defined")
LATER = (
    "{} is written for Python {} or newer, but grading runs Python {}, so this task is not judged "
    "yet: your instructor decides."
)
TO_DECIDE = (
    "{} needs Python {}, but grading runs Python {}: read the answer and set its points by "
    "--overrides"
)
REPLACED = (
    "{} above also defines {}, but {} below it, which still says raise NotImplementedError, "
    "replaced the definition: write the answer into that cell."
)
TO_LOOK_AT = "{} defines {}, but a cell below it that is not written replaced each definition"


class Found(NamedTuple):
    """A cell of the student's own that a name was found in, and what it does with it."""

    cell: Code
    needs: str  # the later Python, if it needs one
    is_stub: bool


def explained(
    assignment: Assignment, session: Session, tasks: Sequence[TaskResult]
) -> tuple[tuple[TaskResult, ...], list[str]]:
    """Return the results with what happened to the cells of tasks that failed, and flags."""
    if all(task.status not in LOST for task in tasks):
        return tuple(tasks), []
    cells = _read(assignment, session)
    made: list[TaskResult] = []
    lost: dict[str, dict[str, None]] = {}  # what was replaced, by the cell that had defined it
    for task, result in zip(assignment.tasks, tasks, strict=True):
        places = _places(task, cells) if result.status in LOST else []
        if later := _later(places, result, cells):
            result = _not_judged(result, later)
        elif upper := _replaced(places) if result.status == Status.UNWRITTEN else None:
            label, stub = upper.cell.label, places[-1].cell.label
            said = REPLACED.format(label[:1].upper() + label[1:], task.cell, stub)
            result = result._replace(reason=said, hint="")
            lost.setdefault(_of_student(label), {})[task.cell] = None
        made.append(result)
    return tuple(made), [TO_LOOK_AT.format(cell, ", ".join(names)) for cell, names in lost.items()]


def _not_judged(result: TaskResult, later: Found) -> TaskResult:
    label, versions = later.cell.label, (later.needs, running())
    said = LATER.format(label[:1].upper() + label[1:], *versions)
    told = TO_DECIDE.format(_of_student(label), *versions)
    worth = (0.0, result.possible, Status.NOT_JUDGED)
    return TaskResult(result.name, result.title, *worth, reason=said, question=told)


def _of_student(label: str) -> str:
    return re.sub("^your cell", "the cell", label)


def _read(assignment: Assignment, session: Session) -> list[tuple[Code, Read]]:
    """Return the student's cells that may matter: those of a name, and those with an error."""
    names = {name for task in assignment.tasks for name in (*task.functions, *task.answers)}
    failed = {n for n, error in session.errors.items() if error.text.startswith(SYNTAX)}
    spent, made = 0, []
    for place, cell in enumerate(session.cells):
        if cell.role is Role.OWN and (place in failed or any(name in cell.text for name in names)):
            spent += len(cell.text)
            made.append((cell, read(cell.text, later=spent <= MOST)))
    return made


def _places(task: Task, cells: Iterable[tuple[Code, Read]]) -> list[Found]:
    """Return where a task was written, in the order of the notebook."""
    names, found = {*task.functions, *task.answers}, []
    for cell, (needs, body) in cells:
        own = [node for node in body if names & bound([node])]
        if own or (needs and cell.task == task.cell):
            found.append(Found(cell, needs, bool(own) and _is_stub(own[-1])))
    return found


def bound(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements give a value to, outside of functions and classes."""
    found, left = set(), list(body)
    while left:
        node = left.pop()
        if isinstance(node, DEFINITION):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        else:
            left += ast.iter_child_nodes(node)
    return found


def _is_stub(node: ast.AST) -> bool:
    """Return whether a function does nothing but say that it is not written."""
    last = node.body[-1] if isinstance(node, DEFINITION) else None
    error = last.exc if isinstance(last, ast.Raise) else None
    error = error.func if isinstance(error, ast.Call) else error
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"


def _later(
    places: Sequence[Found], result: TaskResult, cells: Iterable[tuple[Code, Read]]
) -> Found | None:
    """Return the cell of a later Python that a failed task needs: its own, or that of a name."""
    if places and places[-1].needs:
        return places[-1]
    if result.status not in LOST or not NO_NAME.search(result.reason):
        return None
    # A hidden check says no name.
    words = set(re.findall(r"\w+", result.reason)) if "is not defined" in result.reason else None
    for cell, (needs, body) in cells:
        names = bound(body) if needs else set()
        if names and (words is None or names & words):
            return Found(cell, needs, False)
    return None


def _replaced(places: Sequence[Found]) -> Found | None:
    """Return the last cell with an answer above the stub that ran after it."""
    if not places or not places[-1].is_stub:
        return None
    return next((one for one in places[::-1] if not one.is_stub), None)
