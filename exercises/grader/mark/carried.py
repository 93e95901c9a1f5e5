"""One mistake costs once: judge a task with the instructor's solution of another one in its place.

A student may call their own `softmax` in the next task. If it is wrong, it has cost its points
there. The source declares by a tag of a check, `carries-TASK` or `carries-TASK-PART`, that a
mistake in this task, or in this part of it, costs nothing here. Other checks lose their points.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exercises.grader.intake.assignment import Assignment, Task
from exercises.grader.mark.results import Status, TaskResult
from exercises.grader.run.selection import Code, Role

CARRIED = "judged with a correct"
FREE = f"This was {CARRIED} {{0}}, because the mistake in your {{0}} has cost its points there."
BLAMED = "Your code passes this check with a correct"
PAID = f"{BLAMED} {{0}}: mend your {{0}} first."


class Faults(NamedTuple):
    """These are the tasks that a check builds on and that are wrong."""

    cells: tuple[str, ...]
    is_free: bool  # whether their mistakes cost nothing in this check

    @property
    def said(self) -> str:
        """What a student reads whose code passes the check without these mistakes."""
        return (FREE if self.is_free else PAID).format(" and ".join(self.cells))


def faults(assignment: Assignment, task: Task, known: Mapping[str, TaskResult]) -> Faults:
    """Return the declared tasks that this student has got wrong."""
    found, is_free = [], True
    for name, declared in _declared(assignment, task).items():
        parts = [each.name for each in assignment.tasks if each.cell == name]
        results = [known[part] for part in parts if part in known]
        wrong = {result.name for result in results if result.status == Status.WRONG}
        if wrong:
            found.append(name)
            # Whoever earned nothing there has not shown that all but one step is right.
            is_free &= any(result.points for result in results) and not wrong.isdisjoint(declared)
    return Faults(tuple(found), is_free)


def _declared(assignment: Assignment, task: Task) -> dict[str, set[str]]:
    """Return the parts whose mistakes cost nothing in this check, by their task."""
    found: dict[str, set[str]] = {}
    for each in assignment.tasks:
        is_named = not {each.name, each.cell}.isdisjoint(task.carries)
        if is_named and each.functions and each.cell != task.cell:
            found.setdefault(each.cell, set()).add(each.name)
    return found


def with_solutions(
    assignment: Assignment, cells: Sequence[Code], names: Sequence[str]
) -> tuple[Code, ...]:
    """Return the cells of a student, with the instructor's solutions in the place of theirs.

    They follow each cell that has such a name in it, because a later cell may hold it, too. The
    student's code sees them only here, in a sandbox from which nothing is quoted.
    """

    def replaced() -> Iterator[Code]:
        for code in cells:
            yield code
            if code.role is Role.OWN:
                yield from (right[name] for name in names if name in code.text)

    right = {
        cell.grade_id: Code(f"the solution of {cell.grade_id}", cell.text, Role.HELPER)
        for cell in assignment.cells
        if cell.grade_id in names
    }
    return tuple(replaced())


def flags(tasks: Sequence[TaskResult]) -> list[str]:
    """Return a flag that names what was judged with a solution of the instructor's."""
    found = [t.name for t in tasks if t.status == Status.RIGHT and CARRIED in t.reason]
    return [f"{CARRIED} solution of another task: {', '.join(found)}"] if found else []
