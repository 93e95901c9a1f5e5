"""Take answers on paper from the text of the student's cells, not from what the cells computed.

The bank's helpers read the text, the same ones that read it in JupyterLab and on the page. What
runs decides nothing here: neither which cell counts nor what it says.
"""

from collections.abc import Callable, Mapping
from typing import Any

from exercises.grader.intake.assignment import Task
from exercises.grader.run.selection import Role
from exercises.grader.run.session import Session

PAPER, VALUE = "Paper", "PaperValue"  # what the helpers call the reader and its comparison
EARLIER = "literal"  # what the helpers of banks called it that were copied earlier
Reader = Callable[..., Any]


def answers(task: Task, session: Session, space: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers of a task as the cells write them, by name.

    Raises:
        Exception: what the student's code raised that should have made an answer, or a refusal
            of the bank's helpers.
    """
    if PAPER not in space:
        return _as_earlier(task, session, space.get(EARLIER))
    read, same = space[PAPER].on_paper, space[VALUE].same
    return {name: _answer(name, task, session, read, same) for name in task.answers}


def _answer(name: str, task: Task, session: Session, read: Reader, same: Reader) -> Any:
    above, below = _texts(task, session)
    try:
        computed, error = session.get(name), None
    except Exception as raised:  # of the student, whose text may be right all the same
        computed, error = None, raised
    written = read(name, above, below, computed)
    if written is None:
        raise error or NotImplementedError(f"{task.cell} is not yet written")
    if error is not None or not same(written, computed):
        session.unlike.add(name)
    return written


def _texts(task: Task, session: Session) -> tuple[list[str], list[str]]:
    """Return the student's own cells above the last check of a task, and those below it."""
    cells = session.cells
    checks = [
        n for n, cell in enumerate(cells) if cell.role is Role.CHECK and cell.task == task.cell
    ]
    end = checks[-1] if checks else len(cells)
    own = [(place, cell.text) for place, cell in enumerate(cells) if cell.role is Role.OWN]
    above = [text for place, text in own if place < end]
    return above, [text for place, text in own if place >= end]


def _as_earlier(task: Task, session: Session, read: Reader | None) -> dict[str, Any]:
    """Return what ran, which the helpers of an older bank may compare with the text."""
    found = {name: session.get(name) for name in task.answers}
    cells = [session.cells[place] for place in session.places]
    texts = [cell.text for cell in cells if cell.role is Role.OWN]
    return {name: read(name, found[name], texts) for name in found} if read else found
