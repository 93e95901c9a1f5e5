"""A notebook in which all is solved, and where to change it.

Its checks hold the visible part alone, as a student has it, and under "whole" the hidden part too.
"""

import ast
from functools import cache
from pathlib import Path

import exercises
from exercises.grader.intake import assignment, source
from exercises.grader.intake.assignment import HIDDEN, ON_PAPER

FOLDER = Path(exercises.__file__).parent / "source"
NAMES = [path.name for path in source.assignments(FOLDER)]


@cache
def task_set(name):
    """Return what the judge knows of an assignment of ours."""
    return assignment.load(FOLDER / name)


def solved(name, student="ann"):
    """Return the notebook of a student who has solved all."""
    made = source.read(FOLDER / name / f"{name}.ipynb")
    made["cells"] = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    for cell in made["cells"]:
        if "STUDENT_ID =" in cell["source"] and not marks(cell):
            cell["source"] = f'STUDENT_ID = "{student}"'
        if marks(cell).get("solution"):
            bodies = ast.parse(cell["source"]).body
            cell["is_function"] = any(isinstance(node, ast.FunctionDef) for node in bodies)
        if marks(cell).get("grade"):
            cell["whole"] = cell["source"]
            cell["source"] = HIDDEN.sub("", cell["source"])
    return made


def write_out(cells):
    """Put the numbers and letters of answers on paper in the place of what computes them."""
    space = {"__name__": "__main__"}
    for cell in (each for each in cells if each["cell_type"] == "code"):
        found, is_on_paper = marks(cell), ON_PAPER & set(cell["metadata"].get("tags", []))
        given = found.get("locked") and not found.get("grade")
        is_on_paper = is_on_paper and "raise NotImplementedError" not in cell["source"]
        if given or is_on_paper or "STUDENT_ID =" in cell["source"]:
            exec(cell["source"], space)
        if is_on_paper:
            answer = space[found["grade_id"]]
            if isinstance(answer, list):
                answer = [getattr(part, "item", lambda part=part: part)() for part in answer]
            cell["source"] = f"{found['grade_id']} = {answer!r}"


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def find(made, name):
    """Return the cell with this grade_id."""
    return next(cell for cell in made["cells"] if marks(cell).get("grade_id") == name)


def cell_of(text):
    return {"cell_type": "code", "metadata": {}, "source": text, "outputs": []}


def solutions(made, functions=None):
    """Return the places of solution cells: all, or those that define functions, or the others."""
    found = [n for n, cell in enumerate(made["cells"]) if marks(cell).get("solution")]
    if functions is None:
        return found
    return [n for n in found if (function_of(made["cells"][n]) is not None) == functions]


def function_of(cell):
    """Return the name of the task if its solution is a function."""
    return marks(cell)["grade_id"] if cell["is_function"] else None


def check_of(made, place):
    """Return the place of the last check of the solution at this place."""
    wanted = marks(made["cells"][place])["grade_id"] + "-check"
    names = [marks(cell).get("grade_id", "") for cell in made["cells"]]
    return max(n for n, name in enumerate(names) if f"{name}-".startswith(f"{wanted}-"))


def beyond(made, place, luck):
    """Return a place below the check of a solution."""
    return luck.randint(check_of(made, place) + 1, len(made["cells"]))


def insert(made, place, text):
    made["cells"].insert(place, cell_of(text))


def in_front(made, luck, text):
    """Write lines above a solution, in its cell."""
    cell = made["cells"][luck.choice(solutions(made))]
    first, _, rest = cell["source"].partition("\n")
    is_magic = first.startswith("%%")
    cell["source"] = f"{first}\n{text}\n{rest}" if is_magic else f"{text}\n{cell['source']}"


def needing(name, condition):
    """Return lines that make a function refuse to work unless a condition holds."""
    return (
        "\n\n\ndef guarded(inner):\n    def outer(*args, **named):\n"
        f"        assert {condition}\n        return inner(*args, **named)\n\n"
        f"    return outer\n\n\n{name} = guarded({name})\n"
    )


def first_names(text):
    """Return the names that a cell binds before it calls a function of a task."""
    targets = [
        part
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for part in ast.walk(target)
    ]
    return [part.id for part in targets if isinstance(part, ast.Name)]
