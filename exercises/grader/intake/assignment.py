"""An assignment as its instructor wrote it: tasks, points, tests; no student copy counts."""

import ast
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from exercises.grader.intake import drawn, earlier, notebook, source
from exercises.grader.intake.authored import CHECK, Cell, cells_in
from exercises.grader.mark.wording import Lines, lines_of
from exercises.grader.sandboxed.limits import Limits

HIDDEN = re.compile(
    r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n?", re.DOTALL | re.MULTILINE
)
HINT = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
TITLE = re.compile(r"^## (.+)$", re.MULTILINE)
ON_PAPER = {"by-hand", "prediction", "slip"}  # the tags of answers that no code gives
DECLARED = ("call", "task", "total", "memory_mb")
SHOWS_INPUT = "show-input"  # the tag of a check
CHOICES = re.compile(r"(?<!def )\bdeal\(")


class Task(NamedTuple):
    """This is a graded task or a part of one: its points, the names that it needs, and its test."""

    name: str  # TASK or TASK-PART
    cell: str  # the id of the cell that holds the solution, TASK
    title: str
    points: float
    functions: tuple[str, ...]
    answers: tuple[str, ...]
    check: str
    test: CodeType
    hidden: range
    files: dict[str, Lines]  # what stands on the lines of every test and helper
    hints: tuple[str, ...]
    shows_input: bool  # whether feedback may show what a hidden test called with
    is_drawn: bool  # whether its numbers come from the student's id
    is_on_paper: bool  # whether the answer is worked out by the student, not by code
    carries: tuple[str, ...] = ()  # tasks above whose mistakes cost nothing here, or parts of them


class Assignment(NamedTuple):
    """This is all that the judge needs of a source notebook."""

    name: str
    tasks: tuple[Task, ...]
    cells: tuple[notebook.Cell, ...]  # the code with its solutions, without hidden tests
    helpers: tuple[notebook.Cell, ...]
    locked: dict[str, notebook.Cell]
    given: dict[str, str]  # the squeezed text of each cell that holds no answer: its id or ""
    version: int  # the largest that a given cell names, 0 in a bank that names none
    words: frozenset[str]  # what a solution or helper names
    is_composed: bool  # whether its letters with accents are single letters
    imports: tuple[str, ...]  # the modules that are there before any clock starts
    limits: Limits
    digest: str
    earlier: Mapping[int, "Assignment"] = {}  # each with the cells that it was the last to give

    def of(self, version: int) -> "Assignment":
        """Return the assignment with the cells that it gave in this version."""
        later = [each for each in self.earlier if version <= each < self.version]
        return self.earlier[min(later)] if later else self

    def judging(self, versions: Iterable[int]) -> "Assignment":
        """Return the assignment with the modules and limits that these versions need, too."""
        each = [self, *(self.of(version) for version in versions)]
        modules = dict.fromkeys(name for one in each for name in one.imports)
        most = Limits(*(max(column) for column in zip(*(one.limits for one in each), strict=True)))
        return self._replace(imports=tuple(modules), limits=most)


def load(folder: Path) -> Assignment:
    """Read FOLDER/NAME.ipynb or FOLDER/NAME.py, where NAME is the name of the folder.

    Raises:
        ValueError: the source is missing or not in the form that exercises/README.md describes.
    """
    made = source.read(source.path_of(folder))
    of_then = earlier.notebooks(folder, made)
    then = {n: _load(folder, each)._replace(version=n) for n, each in of_then.items()}
    digest = hashlib.sha256(json.dumps([made, of_then]).encode()).hexdigest()
    present = _load(folder, made)._replace(digest=digest, earlier=then)
    for version, each in then.items():
        # The tables have one column for a task, whichever version a student was given. Only tasks
        # at the end may have come later.
        points = [task.points for task in each.tasks]
        if points != [task.points for task in present.tasks][: len(points)]:
            raise ValueError(f"version {version} of {folder.name} has other points for its tasks")
    return present


def _load(folder: Path, made: dict[str, Any]) -> Assignment:
    cells = cells_in(made)
    code = [cell for cell in cells if cell.is_code]
    marked = {cell.name: cell for cell in code if cell.marks}
    for name, cell in marked.items():
        _parse(name, cell.text)
    graded = [cell for cell in marked.values() if cell.is_check]
    if not graded:
        raise ValueError(f"{folder.name} contains no check, so there is nothing to grade")
    kept = {name: cell for name, cell in marked.items() if not cell.is_solution}
    helpers = [cell for cell in kept.values() if cell.is_given]
    files = {file_of(name): lines_of(cell.text) for name, cell in kept.items()}
    from_id = drawn.names_from_id(cell.text for cell in helpers)
    given = [_plain(cell) for cell in code if not _is_answer(cell)]
    text = "\n".join(cell.text for cell in code)
    # The tests compare with a library's own way to do a task; that is no leave to use it.
    answers = [cell.text for cell in code if cell.is_solution]
    # Nor is what an explanation to choose from talks about.
    answers += [cell.text for cell in helpers if not CHOICES.search(cell.text)]
    return Assignment(
        name=folder.name,
        tasks=tuple(_task(cell, marked, cells, files, from_id) for cell in graded),
        cells=tuple(_plain(cell) for cell in code),
        helpers=tuple(_plain(cell) for cell in helpers),
        locked={name: _plain(cell) for name, cell in kept.items()},
        given={squeeze(cell.text): cell.grade_id for cell in given},
        version=drawn.version_in(map(_plain, helpers)),
        words=words_of("\n".join(answers)),
        is_composed=unicodedata.is_normalized("NFC", text),
        imports=_imports(text),
        limits=_limits(made.get("metadata", {}).get("limits", {}), "torch" in _imports(text)),
        digest="",
    )


def compiled(text: str, name: str) -> CodeType:
    """Return the code of a test or helper, with its assertions even under `python -O`."""
    return compile(text, name, "exec", optimize=0)


def _parse(name: str, text: str) -> None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise ValueError(f"the cell {name!r}, line {error.lineno}: {error.msg}") from error


def squeeze(text: str) -> str:
    """Return the text of a cell without white space, to compare it with another text."""
    return "".join(text.split())


def words_of(text: str) -> frozenset[str]:
    """Return every name in a text, including the names in strings."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


def _imports(text: str) -> tuple[str, ...]:
    if not re.search(r"^\s*(import|from) torch\b", text, re.MULTILINE):
        return ("numpy",)
    # The first optimizer that is made imports 800 modules, which takes seconds.
    lazy = ("torch._dynamo",) if re.search(r"\boptim\b", text) else ()
    return ("numpy", "torch", *lazy)


def _limits(declared: dict[str, Any], uses_torch: bool) -> Limits:
    # The libraries of torch alone map gigabytes.
    caps = Limits(memory_mb=4096) if uses_torch else Limits()
    for name, number in declared.items():
        if name not in DECLARED or type(number) not in (int, float) or number <= 0:
            words = f"limits in the metadata must be {', '.join(DECLARED)}, each a number above 0"
            raise ValueError(f"{words}, got {name}: {number!r}")
    return caps._replace(**declared)


def _is_answer(cell: Cell) -> bool:
    # The cell with the student's id carries no marks but holds an answer all the same.
    return cell.is_solution or "STUDENT_ID =" in cell.text


def _plain(cell: Cell) -> notebook.Cell:
    return notebook.Cell(cell.name, HIDDEN.sub("", cell.text), cell.marks.get("points"))


def _task(
    check: Cell,
    marked: dict[str, Cell],
    cells: list[Cell],
    files: dict[str, Lines],
    from_id: frozenset[str],
) -> Task:
    called = CHECK.fullmatch(check.name)
    solution = marked.get(called["task"]) if called else None
    if called is None or solution is None or not _is_answer(solution):
        raise ValueError(
            f"the check {check.name!r} must be called TASK-check or TASK-check-PART, where TASK is "
            "a solution cell"
        )
    name, part = solution.name, called["part"]
    functions, answers = _names(solution.text)
    start, end = cells.index(solution), cells.index(check)
    between = "\n".join(cell.text for cell in cells[start:end] if not cell.is_code)
    before = "\n".join(cell.text for cell in cells[:start] if not cell.is_code)
    title = (TITLE.findall(before) or [name])[-1]
    return Task(
        name=f"{name}-{part}" if part else name,
        cell=name,
        title=f"{title} ({part.replace('-', ' ')})" if part else title,
        points=float(check.marks["points"]),
        functions=functions,
        answers=_read_by(check.text, answers, name),
        check=check.name,
        test=compiled(check.text, file_of(check.name)),
        hidden=_hidden_lines(check.text),
        files=files,
        hints=tuple(f"{head.strip()}\n{text.strip()}" for head, text in HINT.findall(between)),
        shows_input=SHOWS_INPUT in check.tags,
        is_drawn=drawn.depends(check.text, from_id),
        is_on_paper=not ON_PAPER.isdisjoint(solution.tags),
        carries=check.carries,
    )


def file_of(grade_id: str) -> str:
    """Return the file name that a traceback shows for the instructor's cell with this id."""
    return f"<the cell {grade_id}>"


def _names(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    functions: list[str] = []
    answers: list[str] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            functions.append(node.name)
        elif isinstance(node, ast.Assign):
            names = [part for target in node.targets for part in ast.walk(target)]
            answers += [part.id for part in names if isinstance(part, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            answers.append(node.target.id)
    return tuple(functions), tuple(dict.fromkeys(answers))


def _read_by(check: str, answers: tuple[str, ...], task: str) -> tuple[str, ...]:
    # The solution may take steps under names of its own; whoever works by hand has none of them.
    names = [node for node in ast.walk(ast.parse(check)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    read = {node.id for node in names} - own | {task}
    return tuple(name for name in answers if name in read)


def _hidden_lines(text: str) -> range:
    match = HIDDEN.search(text)
    if match is None:
        return range(0)
    return range(text.count("\n", 0, match.start()) + 1, text.count("\n", 0, match.end()) + 1)
