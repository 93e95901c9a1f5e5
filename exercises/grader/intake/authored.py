"""The cells of an assignment as its author wrote them: for the judge, the linter, the release."""

import ast
import re
from typing import Any, NamedTuple

from exercises.grader.intake.drawn import loaded, stored
from exercises.grader.intake.percent import KINDS

CHECK = re.compile(r"(?P<task>.+?)-check(?:-(?P<part>.+))?")
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
CARRIES = "carries-"  # begins the tag of a check that names the task whose mistake it carries
REGION = re.compile(
    rf"^[ \t]*### BEGIN (?:{SOLUTION}|{HIDDEN})\n(.*?)^[ \t]*### END[^\n]*\n?",
    re.DOTALL | re.MULTILINE,
)


class Cell(NamedTuple):
    """This is a cell with the names that its code reads and defines."""

    id: str
    text: str
    is_code: bool
    tags: tuple[str, ...]
    marks: dict[str, Any]

    @property
    def name(self) -> str:
        """The id by which the judge finds the cell, "" if it has none."""
        return str(self.marks.get("grade_id", ""))

    @property
    def is_solution(self) -> bool:
        """Whether the student writes this cell."""
        return bool(self.marks.get("solution"))

    @property
    def is_check(self) -> bool:
        """Whether the cell holds points."""
        return bool(self.marks.get("grade"))

    @property
    def is_given(self) -> bool:
        """Whether the cell belongs to the instructor and runs before the tests."""
        return bool(self.marks) and not self.is_solution and not self.is_check

    @property
    def kind(self) -> str:
        """The kind of task of a solution cell."""
        return next((tag for tag in self.tags if tag in KINDS), "")

    @property
    def task(self) -> str:
        """The task that a check belongs to."""
        called = CHECK.fullmatch(self.name)
        return called["task"] if called else ""

    @property
    def carries(self) -> tuple[str, ...]:
        """The tasks, or their parts, whose mistakes this check lets the student carry forward."""
        found = (tag.removeprefix(CARRIES) for tag in self.tags if tag.startswith(CARRIES))
        return tuple(found) if self.is_check else ()

    @property
    def visible(self) -> str:
        """The text without the parts that a release leaves out."""
        return REGION.sub("", self.text)

    @property
    def hidden(self) -> str:
        """The parts of the text that a release leaves out."""
        return "".join(REGION.findall(self.text))

    @property
    def code(self) -> ast.Module:
        """The parsed code, without a statement if it cannot be parsed."""
        try:
            return ast.parse(self.text)
        except SyntaxError:
            return ast.Module([], [])

    @property
    def reads(self) -> set[str]:
        """The names that the code loads."""
        return loaded(self.code)

    @property
    def defines(self) -> set[str]:
        """The names that the code stores."""
        nodes = ast.walk(self.code)
        return stored(self.code) | {n.name for n in nodes if isinstance(n, ast.FunctionDef)}


def cells_in(notebook: dict[str, Any]) -> list[Cell]:
    """Return the cells of a source notebook, as `source.read` returns it."""
    return [
        Cell(
            id=str(cell.get("id", f"number {number}")),
            text=cell["source"],
            is_code=cell["cell_type"] == "code",
            tags=tuple(cell["metadata"].get("tags", ())),
            marks=cell["metadata"].get("nbgrader", {}),
        )
        for number, cell in enumerate(notebook["cells"], 1)
    ]
