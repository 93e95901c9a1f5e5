"""Read the options of each question of the assignments, and which is right, without a run."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from exercises.digests import SOURCE
from exercises.grader.intake.source import assignments, path_of, read

HEDGES = (
    "may might can often usually mostly some sometimes about nearly almost roughly likely tends"
).split()
ABSOLUTES = "always never only all every none no any exactly must cannot whatever".split()
HEDGED = re.compile(rf"\b({'|'.join([*HEDGES, 'in general'])})\b", re.IGNORECASE)
ABSOLUTE = re.compile(rf"\b({'|'.join(ABSOLUTES)})\b", re.IGNORECASE)
OF_FEW = 16  # characters: so short an option shows its length to no reader
GUESSES = re.compile(r"^- ([a-h]): (.+)$", re.MULTILINE)


NAMES = [folder.name for folder in assignments(SOURCE)]


class Question(NamedTuple):
    """This is a question with its options, in the order of the source."""

    name: str
    texts: tuple[str, ...]
    right: int

    @property
    def has_form(self) -> bool:
        """Say whether length and words may tell: not if all is numbers or a few characters."""
        is_word = any(re.search(r"[A-Za-z]{2}", text.replace(" and ", "")) for text in self.texts)
        return is_word and max(map(len, self.texts)) > OF_FEW


@cache
def dealt() -> tuple[Question, ...]:
    """Return what `deal` and `deal_each` print; not what a cell puts together from numbers."""
    return tuple(question for name in NAMES for question in _dealt_in(name))


@cache
def guesses() -> tuple[Question, ...]:
    """Return the guesses of predictions, whose letters are written in the text of the task."""
    found = []
    for name in NAMES:
        cells = _cells(name)
        if texts := dict(GUESSES.findall(cells.get("prediction-task", ""))):
            guess = re.search(r'"guess": "([a-h])", ', cells["prediction"])
            assert guess is not None
            right = [*texts].index(guess[1])
            found.append(Question(f"{name}, prediction: guess", (*texts.values(),), right))
    return tuple(found)


def _cells(name: str) -> dict[str, str]:
    """Return the texts of the cells of an assignment by their ids."""
    return {cell["id"]: cell["source"] for cell in read(path_of(SOURCE / name))["cells"]}


def _dealt_in(name: str) -> Iterator[Question]:
    """Yield the questions of an assignment that are dealt."""
    cells = _cells(name)
    for cell in filter(re.compile(r"\w+-choices").fullmatch, cells):
        task, told = cell.removesuffix("-choices"), _texts(cells[cell])
        for key, right in _picked(cells[task]):
            if key in told:
                yield Question(f"{name}, {task}: {key}", told[key], right)


def _texts(source: str) -> dict[str, tuple[str, ...]]:
    """Return by question the options that a cell deals, as far as it writes them."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found: dict[str, tuple[str, ...]] = {}
    for call in calls:
        if ast.unparse(call.func) == "deal":
            found["because"] = tuple(map(ast.literal_eval, call.args[1:]))
        elif ast.unparse(call.func) == "deal_each":
            written = [each for each in call.keywords if isinstance(each.value, ast.List)]
            found |= {str(each.arg): tuple(ast.literal_eval(each.value)) for each in written}
        elif ast.unparse(call.func) == "dict.fromkeys":  # several questions, one list
            (texts,) = found.values()
            found = dict.fromkeys(ast.literal_eval(call.args[0]), texts)
    return found


def _picked(source: str) -> Iterator[tuple[str, int]]:
    """Yield the questions that a solution answers, each with the place of the right option."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            place, said = node.slice.value, ast.unparse(node.value)
            if isinstance(place, int) and "_letters" in said:
                key = re.search(r"\['(\w+)'\]", said)
                yield (key[1] if key else "because"), place
