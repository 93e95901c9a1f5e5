"""Define the rules of the linter: each yields the cells that break it and what to do there."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from exercises.cells import MARKED, MARKERS
from exercises.grader.intake.authored import CARRIES, HIDDEN, SOLUTION, Cell
from exercises.grader.intake.drawn import depends, names_from_id
from exercises.grader.intake.percent import KINDS

Finding = tuple[str, str]  # the cell and what to do
Cells = Sequence[Cell]
SILENT = ("print", "checked")  # calls that return nothing
FUNCTIONS = ("implement", "bug")
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
POINTS = re.compile(r"^\*(\d+(?:\.\d+)?) points?\b", re.MULTILINE)
LIBRARIES = {"numpy", "torch", *sys.stdlib_module_names}
DRAWS = re.compile(r"\b(?:default_rng|manual_seed)\((?P<seed>.*)")


def syntax(cells: Cells) -> Iterator[Finding]:
    """Find code that Python cannot read."""
    for cell in cells:
        if cell.is_code and cell.marks:
            try:
                ast.parse(cell.text)
            except SyntaxError as error:
                yield cell.id, f"line {error.lineno} is not Python: {error.msg}"


def student(cells: Cells) -> Iterator[Finding]:
    """Check the cell that asks for the id."""
    first = next((cell for cell in cells if cell.is_code), None)
    if first is None or 'STUDENT_ID = ""' not in first.text or first.marks:
        name = first.id if first else "the first"
        yield name, 'write `STUDENT_ID = ""` into the first code cell, which holds nothing else'


def ids(cells: Cells) -> Iterator[Finding]:
    """Check the names of cells."""
    for name, count in Counter(cell.id for cell in cells).items():
        if count > 1:
            yield name, f"{count} cells have this id: give each one of its own"
        if not ID.fullmatch(name):
            yield name, "an id is at most 64 letters (a to z), digits, - and _: give it such a name"
    for cell in cells:
        if cell.marks and cell.name != cell.id:
            yield cell.id, f"the id of the cell is not its grade_id, {cell.name!r}: make them equal"


def markers(cells: Cells) -> Iterator[Finding]:
    """Check the markers between which a release leaves out the text."""
    for cell in cells:
        found = [match[0] for match in MARKED.finditer(cell.text)]
        for line in found:
            if line.strip() not in MARKERS:
                yield cell.id, f"{line.strip()!r} is no marker: write one of {', '.join(MARKERS)}"
        where = {SOLUTION: cell.is_solution, HIDDEN: cell.is_check}
        for what, allowed in where.items():
            own = [line.strip() for line in found if line.strip().endswith(what)]
            if own and not allowed:
                place = "the solution of a task" if what == SOLUTION else "a check"
                yield cell.id, f"### BEGIN {what} may only stand in {place}: take it out here"
            elif own != [f"### {end} {what}" for end in ("BEGIN", "END")] * (len(own) // 2):
                yield cell.id, f"each ### BEGIN {what} needs its ### END {what} below it: pair them"
        if any(line != line.lstrip() for line in found if line.endswith(HIDDEN)):
            yield (
                cell.id,
                f"### BEGIN {HIDDEN} and its END start their lines: no blanks there",
            )


def solutions(cells: Cells) -> Iterator[Finding]:
    """Check the cells that the student writes."""
    for cell in (cell for cell in cells if cell.is_solution):
        name = cell.name
        if not name.isidentifier():
            yield cell.id, "the id of a solution is the name that it defines: rename the cell"
        if sum(tag in KINDS for tag in cell.tags) != 1:
            yield cell.id, f"tag it with its kind, one of {', '.join(KINDS)}"
        if name not in cell.defines:
            yield cell.id, f"it does not define {name}: define it, or rename the cell"
        if SOLUTION not in cell.text:
            yield cell.id, "put the solution between ### BEGIN SOLUTION and ### END SOLUTION"
        elif cell.kind in FUNCTIONS and f"def {name}(" not in cell.visible:
            yield cell.id, f"the line `def {name}(...):` belongs above ### BEGIN SOLUTION"
        elif cell.kind not in FUNCTIONS and f"# {name} = " not in cell.visible:
            yield (
                cell.id,
                f"show the form of the answer above ### BEGIN SOLUTION: `# {name} = [..., ...]`",
            )
        if not any(other.task == name for other in cells if other.is_check):
            yield cell.id, f"no check belongs to it: add a cell {name}-check with its points"


def checks(cells: Cells) -> Iterator[Finding]:
    """Check the cells with points."""
    asked = {cell.name for cell in cells if cell.is_solution}
    for cell in (cell for cell in cells if cell.is_check):
        points = cell.marks.get("points")
        if not isinstance(points, int | float) or isinstance(points, bool) or points <= 0:
            yield cell.id, f"its points are {points!r}: give it a number greater than 0"
        if cell.task not in asked:
            yield cell.id, "call it TASK-check or TASK-check-PART, where TASK is a solution cell"
        if HIDDEN not in cell.text:
            yield (
                cell.id,
                "it has no hidden test, so the answer can be read from it: put one between ### "
                f"BEGIN {HIDDEN} and ### END {HIDDEN}",
            )
        last = (cell.code.body or [ast.Pass()])[-1]
        if isinstance(last, ast.Expr) and ast.unparse(last).partition("(")[0] not in SILENT:
            yield cell.id, "it ends in a value, which nbgrader takes for points: assign it a name"
        for wanted in ("raises-exception", "hide-input"):
            if wanted not in cell.tags:
                yield cell.id, f"add the tag {wanted}"


def independent(cells: Cells) -> Iterator[Finding]:
    """Find tests of one task that need the answer to another."""
    made = {cell.name: cell.defines for cell in cells if cell.is_solution}
    for cell in (cell for cell in cells if cell.is_check or cell.is_given):
        read = cell.reads - cell.defines
        for task in sorted(made.keys() & read - {cell.task}):
            yield (
                cell.id,
                f"it uses {task}, the answer to another task, so that one mistake would cost "
                "twice: give what it needs under another name in a cell of its own",
            )


def carried(cells: Cells) -> Iterator[Finding]:
    """Check the tags that name a task whose mistake costs nothing in this check."""
    functions = {cell.name for cell in cells if cell.is_solution and cell.kind in FUNCTIONS}
    above: set[str] = set()
    for cell in cells:
        known = {name for name in above if name.partition("-")[0] != cell.task}
        for name in cell.carries:
            if cell.task not in functions or name not in known:
                yield (
                    cell.id,
                    f"its tag {CARRIES}{name} must name a task above, or a part of one, and both "
                    "tasks must ask for a function: mend or remove the tag",
                )
        if cell.is_check and cell.task in functions:
            above |= {cell.task, cell.name.replace("-check", "")}


def by_hand(cells: Cells) -> Iterator[Finding]:
    """Check that numbers of tasks by hand belong to the student."""
    drawn = names_from_id(cell.text for cell in cells if cell.is_given and cell.code.body)
    for cell in (cell for cell in cells if cell.kind == "by-hand"):
        own = [other for other in cells if other.task == cell.name and other.code.body]
        if not any(depends(other.text, drawn) for other in own):
            yield (
                cell.id,
                f'its numbers are the same for everybody: draw them with draw_for("{cell.name}") '
                "in a given cell, and let the check use them",
            )


def seeds(cells: Cells) -> Iterator[Finding]:
    """Find hidden tests that draw the same numbers in each batch."""
    for cell in (cell for cell in cells if cell.is_check):
        for match in DRAWS.finditer(cell.hidden):
            if 'globals().get("SEED"' not in match["seed"]:
                yield cell.id, 'draw with np.random.default_rng(globals().get("SEED", 41))'


def libraries(cells: Cells) -> Iterator[Finding]:
    """Find modules that the sandbox does not have."""
    for cell in (cell for cell in cells if cell.is_code):
        nodes = list(ast.walk(cell.code))
        names = {a.name for node in nodes if isinstance(node, ast.Import) for a in node.names}
        names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        for name in sorted(names):
            if name.partition(".")[0] not in LIBRARIES:
                yield cell.id, f"it imports {name}: numpy, torch and Python's own modules are there"


def around(cells: Cells) -> Iterator[Finding]:
    """Check the text, the hints and the example of a task."""
    places = [n for n, cell in enumerate(cells) if cell.is_solution]
    for before, place in pairwise([-1, *places]):
        cell = cells[place]
        own = [n for n, other in enumerate(cells) if other.is_check and other.task == cell.name]
        above = "\n".join(c.text for c in cells[before + 1 : place] if not c.is_code)
        if not re.search(r"^## ", above, re.MULTILINE):
            yield cell.id, "write a text cell above it that begins with `## ` and the task's title"
        points = [p for n in own if isinstance(p := cells[n].marks.get("points"), int | float)]
        said = POINTS.findall(above)
        if said and points and float(said[-1]) != sum(points):
            yield cell.id, f"the text above says {said[-1]} points, its checks have {sum(points):g}"
        if own and own[0] < place:
            yield cell.id, "its check stands above it: move the check below"
        below = "\n".join(c.text for c in cells[place : max(own, default=0)] if not c.is_code)
        if "<details><summary>" not in below:
            yield cell.id, "write a hint between it and its check: <details><summary>Hint 1: ..."
    for cell in cells:
        if cell.is_code and not cell.marks and cell.id.endswith("-example"):
            if "raises-exception" not in cell.tags:
                yield cell.id, "add the tag raises-exception, so that `Run all` goes on"


RULES: tuple[Callable[[Cells], Iterator[Finding]], ...] = (
    *(syntax, student, ids, markers, solutions, checks),
    *(independent, carried, by_hand, seeds, libraries, around),
)
