"""Run a notebook on from a changed cell, in a fork of the process that has run the cells above."""

import ast
import inspect
import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from book.live.torch_cells import names

PATIENCE = 120
"""After so many seconds a changed chapter is given up, as if a cell had failed."""

Cell = dict[str, Any]


class Waiting(NamedTuple):
    """A cell that nothing changed has reached, which runs once something needs its names."""

    cell: Cell
    taken: set[str]
    left: set[str]
    lost: set[str]
    """Names that a cell below has given anew: what this cell would give them is over."""


def run(shell: InteractiveShell, cell: Cell) -> None:
    """Run a cell and put what it shows in the place of its outputs; a RuntimeError if it fails."""
    with capture_output() as shown:
        done = shell.run_cell("".join(cell["source"]))  # type: ignore[no-untyped-call]
    if not done.success and "raises-exception" not in cell["metadata"].get("tags", []):
        raise RuntimeError(f"cell {cell['id']} fails")
    cell["outputs"] = [{"text": shown.stdout}, *({"data": each.data} for each in shown.outputs)]


class Rerun:
    """A notebook from a changed cell on: `changed` are the names that may have other values."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.changed: set[str] = set()
        self.waiting: list[Waiting] = []

    def meet(self, cell: Cell, always: bool = False) -> None:
        """Run a cell that uses or gives anew what has changed; let any other wait."""
        taken, left = names(ast.parse("".join(cell["source"])))
        if not always and not (taken | left) & self.changed:
            self.waiting.append(Waiting(cell, taken, left, set()))
            return
        self.fetch(taken, left)
        run(self.shell, cell)
        self.gives(left, len(self.waiting))
        # What a cell uses, it may also change in place.
        self.changed |= left | {each for each in taken if is_data(self.shell.user_ns.get(each))}

    def fetch(self, wanted: set[str], written: frozenset[str] | set[str] = frozenset()) -> None:
        """Run what waits and gives these names, or needs what is about to be written over."""
        due: list[Waiting] = []
        for each in reversed(self.waiting):
            if (each.left - each.lost) & wanted or each.taken & written:
                due.insert(0, each)
                wanted = wanted | each.taken
        for each in due:
            at = self.waiting.index(each)
            self.waiting.remove(each)
            space = self.shell.user_ns
            kept = {name: space[name] for name in each.lost if name in space}
            run(self.shell, each.cell)
            space.update(kept)
            self.gives(each.left, at)

    def gives(self, names: set[str], before: int) -> None:
        """Say to what waits above a cell which names this cell has given anew."""
        for each in self.waiting[:before]:
            each.lost.update(names & each.left)


def go_on(shell: InteractiveShell, notebook: dict[str, Any], at: int) -> None:
    """Run a changed cell, and those below it that what has changed reaches."""
    rerun = Rerun(shell)
    for number, cell in enumerate(notebook["cells"][at:]):
        if cell["cell_type"] == "code":
            rerun.meet(cell, always=not number)


def is_data(value: Any) -> bool:
    """Whether a cell may have changed this in place: no module, function or class."""
    return not (inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value))


def forked(work: Callable[[], Any], patience: int = PATIENCE) -> Any:
    """What a fork of this process finds; an empty list, where it fails or takes too many seconds.

    With a patience of 0 it takes as long as it takes.
    """
    reads, writes = Pipe(duplex=False)
    if child := os.fork():
        writes.close()
        try:
            found = reads.recv()
        except EOFError:
            found = []
        os.waitpid(child, 0)
        return found
    signal.alarm(patience)
    try:
        writes.send(work())
    finally:
        os._exit(0)
