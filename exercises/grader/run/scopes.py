"""Choose the cells that run before the test of a task, as in a kernel that runs from the top."""

from collections.abc import Sequence

from exercises.grader.run.selection import Code, Role

Places = tuple[int, ...]


def own_cells(cells: Sequence[Code]) -> Places:
    """Return the places of the helpers and of the student's own cells."""
    own = (Role.HELPER, Role.OWN)
    return tuple(place for place, cell in enumerate(cells) if cell.role in own)


def scopes(cells: Sequence[Code], task: str) -> list[Places]:
    """Return the cells to run for a task: the first choice, and the next ones for a missing name.

    The cells up to the task's own check come first: a later cell may use the same names for
    something else. A name may also come from an example, from an earlier check or from below.
    """
    checks = [n for n, cell in enumerate(cells) if cell.role is Role.CHECK and cell.task == task]
    end = checks[-1] if checks else len(cells)
    own = tuple(place for place in own_cells(cells) if place < end)
    no_checks = tuple(place for place in range(end) if cells[place].role is not Role.CHECK)
    return list(dict.fromkeys([own, no_checks, tuple(range(end)), tuple(range(len(cells)))]))


def goes_on(cells: Sequence[Code], task: str) -> bool:
    """Return whether the student may have written the task below its own check."""
    beyond = set(own_cells(cells)) - set(scopes(cells, task)[0])
    return any(cells[n].role is Role.OWN and cells[n].task in ("", task) for n in beyond)


def alone(cells: Sequence[Code], task: str) -> list[Places]:
    """Return the cells to run if one breaks sandboxes: without other tasks, then nearly bare.

    A cell may end its process a moment after it answered, when another one runs.
    """
    own = [n for n, cell in enumerate(cells) if cell.role is Role.HELPER or cell.task == task]
    bare = tuple(place for place in own if cells[place].role is not Role.CHECK)
    loose = {n for n, cell in enumerate(cells) if cell.role is Role.OWN and not cell.task}
    return [tuple(sorted(loose | set(bare))), bare]
